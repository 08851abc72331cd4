// The keyboard as one table. No key that begins a longer sequence is a command of its own, and nothing
// depends on how fast somebody types: after such a key the page waits and shows what can follow.

/**
 * @typedef {object} Binding
 * @property {string[]} press any of these keys, as `KeyboardEvent.key`, with `Ctrl+` before it if it is held
 * @property {string} command a name in commands.js
 * @property {string} group under which heading the help shows it
 * @property {"unit" | "word-of-block" | "alternative" | "comment"} [then] what the second part chooses from
 */

/** @type {Binding[]} */
export const KEYS = [
  { press: ["ArrowLeft"], command: "left", group: "move" },
  { press: ["ArrowRight"], command: "right", group: "move" },
  { press: ["Home"], command: "first", group: "move" },
  { press: ["End"], command: "last", group: "move" },
  { press: ["ArrowUp"], command: "toHead", group: "move" },
  { press: ["ArrowDown"], command: "toDependent", group: "move" },
  { press: ["e"], command: "toBlock", group: "move" },
  { press: ["w"], command: "nextOpen", group: "move" },
  { press: ["Shift+ArrowLeft"], command: "extendLeft", group: "move" },
  { press: ["Shift+ArrowRight"], command: "extendRight", group: "move" },
  { press: ["j"], command: "gather", group: "move" },

  { press: ["a"], command: "belongs", then: "unit", group: "arcs" },
  { press: ["<"], command: "belongsBefore", group: "arcs" },
  { press: [">"], command: "belongsAfter", group: "arcs" },
  { press: ["r"], command: "root", group: "arcs" },
  { press: ["f"], command: "flip", group: "arcs" },
  { press: ["Delete", "Backspace"], command: "open", group: "arcs" },
  { press: ["l"], command: "relation", group: "arcs" },
  { press: [" "], command: "act", group: "arcs" },

  { press: ["m"], command: "main", group: "marks" },
  { press: ["b"], command: "block", group: "marks" },
  { press: ["B"], command: "multiword", group: "marks" },
  { press: ["h"], command: "blockHead", then: "word-of-block", group: "marks" },
  { press: ["x"], command: "dissolve", group: "marks" },
  { press: ["L"], command: "label", group: "marks" },
  { press: ["t"], command: "tag", group: "marks" },
  { press: ["q"], command: "unsure", group: "marks" },
  { press: ["c"], command: "comment", then: "comment", group: "marks" },

  { press: ["y"], command: "accept", group: "machine" },
  { press: ["Y"], command: "acceptAll", group: "machine" },
  { press: ["n"], command: "refuse", group: "machine" },
  { press: ["o"], command: "alternative", then: "alternative", group: "machine" },

  { press: ["u", "Ctrl+z"], command: "undo", group: "sentence" },
  { press: ["U", "Ctrl+y", "Ctrl+Z"], command: "redo", group: "sentence" },
  { press: ["1"], command: "stage1", group: "sentence" },
  { press: ["2"], command: "stage2", group: "sentence" },
  { press: ["3"], command: "stage3", group: "sentence" },
  { press: ["4"], command: "stage4", group: "sentence" },
  { press: ["g"], command: "text", group: "sentence" },
  { press: ["s"], command: "switch", group: "sentence" },
  { press: ["v"], command: "readOut", group: "sentence" },
  { press: ["p"], command: "pause", group: "sentence" },
  { press: ["k"], command: "skip", group: "sentence" },
  { press: ["Enter"], command: "submit", group: "sentence" },
  { press: ["["], command: "before", group: "sentence" },
  { press: ["]"], command: "after", group: "sentence" },
  { press: ["?"], command: "help", group: "sentence" },
  { press: ["Escape"], command: "leave", group: "sentence" },
];

const BY_PRESS = new Map(KEYS.flatMap((binding) => binding.press.map((press) => [press, binding])));

/** @param {string} press */
export function bindingOf(press) {
  return BY_PRESS.get(press);
}

/** The key as the table spells it. @param {KeyboardEvent} event */
export function pressOf(event) {
  if (event.altKey) return "";
  if (event.ctrlKey || event.metaKey) return `Ctrl+${event.key}`;
  return event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
}

/** What to print beside a button. @param {string} command */
export function keyFor(command) {
  const press = KEYS.find((binding) => binding.command === command)?.press[0] ?? "";
  return SIGNS[press] ?? press;
}

/** @type {Record<string, string>} */
const SIGNS = {
  ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", "Shift+ArrowLeft": "⇧ ←", "Shift+ArrowRight": "⇧ →",
  Enter: "⏎", Escape: "Esc", " ": "␣", Delete: "Del", Backspace: "⌫",
};

/** @param {string} press */
export function signOf(press) {
  return SIGNS[press] ?? press.replace("Ctrl+Z", "Ctrl+⇧+Z");
}

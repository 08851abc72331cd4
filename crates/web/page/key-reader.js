// From key presses to commands.

import { bindingOf, pressOf } from "./keys.js";
import { COMMANDS, finish } from "./commands.js";
import { t } from "./strings.js";

/** @typedef {import("./desk.js").Desk} Desk */

/** @param {Desk} desk @returns {(event: KeyboardEvent) => void} */
export function keyReader(desk) {
  return (event) => {
    if (event.defaultPrevented || isElsewhere(event) || event.isComposing) return;
    const press = pressOf(event);
    if (desk.awaited) return readCode(desk, press, event);
    const binding = bindingOf(press);
    if (!binding || belongsToControl(press, event)) return;
    event.preventDefault();
    COMMANDS[binding.command]?.(desk, "key");
  };
}

/** @param {Desk} desk @param {string} press @param {KeyboardEvent} event */
function readCode(desk, press, event) {
  const { awaited } = desk;
  if (!awaited || ["Shift", "Control", "Alt", "Meta", "Tab"].includes(press)) return;
  event.preventDefault();
  const typed = awaited.typed + press;
  const choice = awaited.codes.get(typed);
  if (choice !== undefined) return finish(desk, choice, "key");
  if ([...awaited.codes.keys()].some((code) => code.startsWith(typed))) {
    awaited.typed = typed;
    return desk.redraw();
  }
  desk.awaited = null;
  if (press === "Escape") desk.tell(t("doing.left"), false);
  else desk.tell(t("no.such-code", { code: typed }));
}

/** Text fields and dialogs keep their keys. @param {KeyboardEvent} event */
function isElsewhere(event) {
  const { target } = event;
  return target instanceof Element && target.closest("textarea, select, input:not([type=range]), [contenteditable], dialog") !== null;
}

/** Enter and the space bar press the button that has the focus; a word on the board is no such button. @param {string} press @param {KeyboardEvent} event */
function belongsToControl(press, event) {
  const { target } = event;
  if (!(target instanceof Element)) return false;
  const onUnit = target.closest("[data-unit]") !== null;
  if (press === "Enter" || press === " ") return !onUnit && target.closest("button, a, summary") !== null;
  const moves = press.includes("Arrow") || press === "Home" || press === "End";
  return moves && target.closest(".scroll, input") !== null;
}

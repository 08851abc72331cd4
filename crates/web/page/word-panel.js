// All about the current word or block, and what can be done with it, as buttons.

import { button, el, fill, put, setText } from "./dom.js";
import { percent, t } from "./strings.js";
import { COMMANDS } from "./commands.js";
import { keyFor } from "./keys.js";
import { headOf, textOf } from "./units.js";
import { arcSentence } from "./describe.js";
import { shownFor } from "./edits.js";
import { Alternatives } from "./alternatives.js";

/** @typedef {import("./desk.js").Desk} Desk */

/** Commands that are buttons here, and when they make sense. @type {[string, (desk: Desk) => boolean][]} */
const ACTIONS = [
  ["pickUp", () => true],
  ["root", (desk) => headOf(desk.view, desk.current) !== 0],
  ["flip", (desk) => !!headOf(desk.view, desk.current)],
  ["open", (desk) => headOf(desk.view, desk.current) !== null],
  ["relation", (desk) => headOf(desk.view, desk.current) !== null],
  ["label", (desk) => desk.block !== undefined],
  ["tag", isWord],
  ["main", isWord],
  ["unsure", isWord],
  ["blockHead", (desk) => desk.block !== undefined],
  ["dissolve", (desk) => desk.block !== undefined],
  ["comment:word", isWord],
];

export class WordPanel {
  #title = el("h2", { class: "word", lang: "und", dir: "auto" });
  #facts = el("p", { class: "facts" });
  #sentence = el("p", { class: "arc-sentence" });
  #guess = el("div", { class: "guess" });
  #actions = ACTIONS.map(([command]) => this.#actionButton(command));
  #alternatives;
  element;
  #desk;

  /** @param {Desk} desk */
  constructor(desk) {
    this.#desk = desk;
    this.#alternatives = new Alternatives(desk);
    const actions = el("div", { class: "actions", role: "group", "aria-label": t("panel.actions") }, ...this.#actions);
    this.element = el("section", { class: "panel", "aria-label": t("panel.name") },
      this.#title, this.#facts, this.#sentence, this.#guess, actions, this.#alternatives.element);
  }

  draw() {
    const { view, current, currentWord } = this.#desk;
    setText(this.#title, textOf(view, current));
    setText(this.#facts, this.#factsText());
    setText(this.#sentence, arcSentence(view, current, headOf(view, current), (typeof current === "number" ? currentWord : this.#desk.block)?.relation));
    this.#drawGuess();
    ACTIONS.forEach(([, fits], i) => put(/** @type {Element} */ (this.#actions[i]), "disabled", view.read_only || !fits(this.#desk)));
    this.#alternatives.draw();
  }

  #factsText() {
    const { currentWord: word, block } = this.#desk;
    if (!word) return [t(`block.${block?.kind ?? "bracket"}`), block?.label ?? ""].filter(Boolean).join(" · ");
    const marks = [word.main && t("board.is-main"), word.unsure && t("board.is-unsure")];
    return [t("panel.word", { n: word.n }), word.tag ?? t("panel.no-tag"), ...marks].filter(Boolean).join(" · ");
  }

  /** The room for the suggestion is always there, so that nothing jumps. */
  #drawGuess() {
    const { view, current } = this.#desk;
    const shown = shownFor(view, current);
    this.#guess.classList.toggle("none", !shown);
    if (!shown) return fill(this.#guess, el("p", { class: "quiet" }, t("panel.no-guess")));
    fill(this.#guess,
      el("p", {}, this.#guessText(shown)),
      button(t("command.accept"), () => COMMANDS.accept?.(this.#desk, "suggestion"), { key: keyFor("accept"), class: "small" }),
      button(t("command.refuse"), () => COMMANDS.refuse?.(this.#desk, "suggestion"), { key: keyFor("refuse"), class: "small" }));
  }

  /** @param {import("./types.js").Accepted} shown */
  #guessText({ of, to, relation, p }) {
    const sentence = arcSentence(this.#desk.view, of, to, relation);
    const sure = this.#desk.currentWord?.suggested?.relation_p;
    if (!relation || sure === undefined) return t("panel.guess", { sentence, p: percent(p) });
    return t("panel.guess-relation", { sentence, p: percent(p), relation, q: percent(sure) });
  }

  /** @param {string} command */
  #actionButton(command) {
    const key = command === "pickUp" ? keyFor("belongs") : command === "comment:word" ? "c w" : keyFor(command);
    return button(t(`command.${command}`), () => this.#act(command), { key, class: "small", "data-command": command });
  }

  /** @param {string} command */
  #act(command) {
    if (command === "pickUp") this.#desk.pick(this.#desk.current);
    else if (command.includes(":")) this.#desk.wish(command);
    else COMMANDS[command]?.(this.#desk, "mouse");
  }
}

/** @param {Desk} desk */
function isWord(desk) {
  return typeof desk.current === "number";
}

// The board: the words of the sentence as chips in reading order, blocks as boxes around them.
//
// Chips are kept and changed in place, so that neither the focus nor the place of anything is lost
// when the view changes; only new or dissolved blocks move them.

import { el, put, setText } from "./dom.js";
import { percent, t } from "./strings.js";
import { keyOf, same, textOf, wordsOf } from "./units.js";
import { arcSentence } from "./describe.js";
import { boxes } from "./boxes.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./types.js").Unit} Unit */
/** @typedef {import("./types.js").Word} Word */
/** @typedef {import("./types.js").Bracket} Bracket */
/** @typedef {{element: HTMLButtonElement, hint: HTMLElement, form: HTMLElement, tag: HTMLElement, head: HTMLElement, p: HTMLElement, told: HTMLElement}} Chip */

export class Board {
  element = el("div", { class: "board", role: "group" });
  /** @type {Map<string, Chip>} */
  #chips = new Map();
  #shape = "";
  #desk;

  /** @param {Desk} desk */
  constructor(desk) {
    this.#desk = desk;
    put(this.element, "aria-label", t("board.name"));
    this.element.addEventListener("focusin", (event) => this.#onFocus(event));
  }

  draw() {
    const { view } = this.#desk;
    this.element.dir = view.direction;
    this.element.classList.toggle("with-guesses", this.#desk.project.settings.suggestions);
    this.#rebuild();
    for (const word of view.words) this.#drawWord(word);
    for (const block of view.brackets) this.#drawBlock(block);
    this.#drawRoot();
  }

  /** @param {Unit} unit */
  chip(unit) {
    return this.#chips.get(keyOf(unit))?.element;
  }

  hasFocus() {
    return this.element.contains(document.activeElement);
  }

  /** Only a change of the blocks changes which chip stands in which box. */
  #rebuild() {
    const { view } = this.#desk;
    const shape = JSON.stringify([view.words.map((word) => word.n), view.brackets.map((one) => [one.id, one.kind, one.words])]);
    if (shape === this.#shape) return;
    this.#shape = shape;
    const focused = /** @type {HTMLElement | null} */ (this.hasFocus() ? document.activeElement : null);
    this.element.replaceChildren(this.#chipOf(0).element, ...boxes(view, (unit) => this.#chipOf(unit).element));
    focused?.focus({ preventScroll: true });
  }

  /** @param {Unit} unit @returns {Chip} */
  #chipOf(unit) {
    const key = keyOf(unit);
    const known = this.#chips.get(key) ?? newChip(key);
    this.#chips.set(key, known);
    return known;
  }

  /** @param {Word} word */
  #drawWord(word) {
    const chip = this.#chipOf(word.n);
    const guess = word.head === null ? word.suggested : null;
    setText(chip.form, word.form);
    setText(chip.tag, word.tag ?? "\u00a0");
    setText(chip.head, this.#headText(word));
    setText(chip.p, guess && guess.head !== null ? percent(guess.p) : "");
    chip.element.classList.toggle("main", word.main);
    chip.element.classList.toggle("unsure", word.unsure);
    chip.element.classList.toggle("said", word.head !== null);
    chip.element.classList.toggle("guessed", guess !== null && guess !== undefined);
    chip.element.classList.toggle("fresh", guess !== null && this.#desk.fresh.has(word.n));
    chip.element.classList.toggle("selected", this.#desk.selectedWords.includes(word.n));
    this.#drawState(chip, word.n);
    setText(chip.told, this.#told(word));
  }

  /** @param {Word} word */
  #headText(word) {
    const guess = word.suggested;
    if (word.head !== null) return this.#arrow(word.head) + this.#relationText(word.relation);
    if (guess && guess.head !== null) return this.#arrow(guess.head);
    return t("board.open");
  }

  /** @param {string | null} relation */
  #relationText(relation) {
    return relation && this.#desk.project.settings.labels ? ` · ${relation}` : "";
  }

  /** @param {Unit} head */
  #arrow(head) {
    return arrowTo(this.#desk, head);
  }

  /** @param {Word} word */
  #told(word) {
    const { view } = this.#desk;
    const guess = word.suggested;
    const arc = word.head === null && guess && guess.head !== null
      ? t("board.name-guess", { sentence: arcSentence(view, word.n, guess.head, guess.relation), p: percent(guess.p) })
      : arcSentence(view, word.n, word.head, word.relation);
    const marks = [word.main && t("board.is-main"), word.unsure && t("board.is-unsure")].filter(Boolean);
    return ["", ...marks, arc].join(", ");
  }

  /** @param {Bracket} block */
  #drawBlock(block) {
    const unit = { bracket: block.id };
    const chip = this.#chipOf(unit);
    setText(chip.form, block.label ?? t(`block.${block.kind}`));
    setText(chip.head, block.depends_on === null ? "" : this.#arrow(block.depends_on));
    this.#drawState(chip, unit);
    setText(chip.told, `, ${arcSentence(this.#desk.view, unit, block.depends_on)}`);
    const heads = block.head === null ? [] : wordsOf(this.#desk.view, block.head);
    for (const n of block.words) {
      if (this.#innermost(block, n)) this.#chipOf(n).element.classList.toggle("block-head", heads.includes(n));
    }
  }

  /** @param {Bracket} block @param {number} n */
  #innermost(block, n) {
    return !this.#desk.view.brackets.some((one) => one.words.includes(n) && one.words.length < block.words.length);
  }

  #drawRoot() {
    const chip = this.#chipOf(0);
    chip.element.classList.add("root");
    setText(chip.form, t("board.root"));
    this.#drawState(chip, 0);
    setText(chip.told, `, ${t("board.root-name")}`);
  }

  /** @param {Chip} chip @param {Unit} unit */
  #drawState(chip, unit) {
    const { current, picked } = this.#desk;
    const isCurrent = same(current, unit);
    chip.element.classList.toggle("current", isCurrent);
    chip.element.classList.toggle("picked", picked !== null && same(picked, unit));
    put(chip.element, "aria-current", isCurrent ? "true" : null);
    put(chip.element, "aria-pressed", this.#isPressed(unit) ? "true" : "false");
    chip.element.tabIndex = isCurrent ? 0 : -1;
    setText(chip.hint, hintFor(this.#desk, unit));
  }

  /** @param {Unit} unit */
  #isPressed(unit) {
    const { selectedWords, picked } = this.#desk;
    return (picked !== null && same(picked, unit)) || (typeof unit === "number" && selectedWords.includes(unit));
  }

  /** Going through the chips by a screen reader or Tab moves the current word along. @param {FocusEvent} event */
  #onFocus(event) {
    const key = /** @type {Element} */ (event.target).closest("[data-unit]")?.getAttribute("data-unit");
    if (!key || key === "w0" || key === keyOf(this.#desk.current)) return;
    const focused = [...this.#chips].find(([one]) => one === key);
    if (focused && focused[1].element.matches(":focus-visible")) this.#desk.wish(`focused:${key}`);
  }
}

/** @param {string} key @returns {Chip} */
function newChip(key) {
  const hint = el("span", { class: "hint", "aria-hidden": "true" });
  // The project's language has no code that a browser would know.
  const form = el("span", { class: "form", lang: "und", dir: "auto" });
  const tag = el("span", { class: "tag" });
  // What the arrow and the number say is told in a sentence to those who do not see them.
  const head = el("span", { class: "head", dir: "auto", "aria-hidden": "true" });
  const p = el("span", { class: "p", "aria-hidden": "true" });
  const told = el("span", { class: "spoken" });
  const isBlock = key.startsWith("b");
  const parts = isBlock ? [hint, form, head, told] : [hint, form, tag, head, p, told];
  const element = el("button", { type: "button", class: isBlock ? "handle" : "chip", "data-unit": key, tabindex: "-1" }, ...parts);
  return { element, hint, form, tag, head, p, told };
}

/** What is still to be typed of the code on this chip. @param {Desk} desk @param {Unit} unit */
export function hintFor({ awaited }, unit) {
  if (!awaited || awaited.command === "alternative" || awaited.command === "comment") return "";
  for (const [code, choice] of awaited.codes) {
    if (typeof choice !== "string" && same(choice, unit) && code.startsWith(awaited.typed)) return code.slice(awaited.typed.length);
  }
  return "";
}

/** The head as an arrow that points the way the sentence is read. @param {{view: import("./types.js").View}} where @param {Unit} head */
export function arrowTo({ view }, head) {
  if (head === 0) return t("board.is-root");
  const text = textOf(view, head);
  return `${view.direction === "rtl" ? "←" : "→"} ${typeof head === "number" ? text : `[${text}]`}`;
}

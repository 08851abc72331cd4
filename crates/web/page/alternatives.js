// The heads a word could have, with their probabilities; one click takes one.

import { button, el, fill } from "./dom.js";
import { percent, t } from "./strings.js";
import { named } from "./describe.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./types.js").Guess} Guess */

/** Numbered in this order. With suggestions off nothing of the machine's opinion may be seen. @param {Desk} desk @returns {Guess[]} */
export function choices({ currentWord, project }) {
  if (!project.settings.suggestions) return [];
  return (currentWord?.alternatives ?? []).filter((one) => one.head !== null).slice(0, 9);
}

export class Alternatives {
  #list = el("ol", { class: "alternatives" });
  element = el("div", { class: "alternatives-box" }, el("h3", {}, t("alternatives.title")), this.#list);
  #desk;
  #drawn = "";

  /** @param {Desk} desk */
  constructor(desk) {
    this.#desk = desk;
  }

  draw() {
    const { currentWord, view } = this.#desk;
    const guesses = choices(this.#desk);
    const drawn = JSON.stringify([currentWord?.n, guesses, view.read_only]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.element.classList.toggle("none", guesses.length === 0);
    fill(this.#list, ...guesses.map((guess, i) => el("li", {}, this.#choice(guess, i + 1))));
  }

  /** @param {Guess} guess @param {number} n */
  #choice(guess, n) {
    const { view, current } = this.#desk;
    const head = /** @type {import("./types.js").Unit} */ (guess.head);
    const bar = el("span", { class: "bar" });
    bar.style.inlineSize = `${100 * guess.p}%`;
    const made = button(named(view, head), () => this.#desk.connect(current, head, "suggestion"),
      { class: "choice", disabled: view.read_only, key: `o ${n}` });
    made.insertBefore(el("span", { class: "p" }, percent(guess.p)), made.lastChild);
    made.append(bar);
    return made;
  }
}

// Blocks pulled out of the text, so that each can be moved as one unit.

import { el, fill, put, setText } from "./dom.js";
import { t } from "./strings.js";
import { keyOf, same, topBlocks, wordOf, wordsOf } from "./units.js";
import { arcSentence } from "./describe.js";
import { drawable } from "./boxes.js";
import { arrowTo, hintFor } from "./board.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./types.js").Bracket} Bracket */

export class Tray {
  #list = el("div", { class: "cards" });
  #empty = el("p", { class: "quiet" });
  element = el("section", { class: "tray" }, el("h2", {}, t("tray.title")), this.#empty, this.#list);
  /** @type {Map<number, HTMLElement>} */
  #cards = new Map();
  #desk;

  /** @param {Desk} desk */
  constructor(desk) {
    this.#desk = desk;
    setText(this.#empty, t("tray.empty"));
    put(this.element, "aria-label", t("tray.title"));
  }

  draw() {
    const { view, stage } = this.#desk;
    const loose = view.brackets.filter((one) => !drawable(view).includes(one));
    const pulledOut = stage === 2 || stage === 3 ? topBlocks(view) : [];
    const shown = [...new Set([...pulledOut, ...loose])];
    this.element.hidden = stage !== 2 && stage !== 3 && loose.length === 0;
    this.#empty.hidden = shown.length > 0;
    fillKeeping(this.#list, shown.map((block) => this.#card(block)));
  }

  /** @param {Bracket} block */
  #card(block) {
    const unit = { bracket: block.id };
    const card = this.#cards.get(block.id) ?? el("button", { type: "button", class: "card", "data-unit": keyOf(unit) });
    this.#cards.set(block.id, card);
    const isPicked = same(this.#desk.picked, unit);
    card.dir = this.#desk.view.direction;
    card.classList.toggle("current", same(this.#desk.current, unit));
    card.classList.toggle("picked", isPicked);
    put(card, "aria-pressed", isPicked ? "true" : "false");
    fill(card,
      el("span", { class: "hint", "aria-hidden": "true" }, hintFor(this.#desk, unit)),
      el("span", { class: "label" }, block.label ?? t(`block.${block.kind}`)),
      el("span", { class: "words", lang: "und" }, ...this.#words(block)),
      el("span", { class: "head", "aria-hidden": "true" }, this.#headText(block)),
      el("span", { class: "spoken" }, arcSentence(this.#desk.view, unit, block.depends_on)));
    return card;
  }

  /** The words, the head among them marked. @param {Bracket} block */
  #words(block) {
    const heads = block.head === null ? [] : wordsOf(this.#desk.view, block.head);
    return block.words.flatMap((n) => {
      const form = wordOf(this.#desk.view, n)?.form ?? "";
      return [heads.includes(n) ? el("strong", {}, `${form}*`) : form, " "];
    });
  }

  /** @param {Bracket} block */
  #headText({ depends_on: head }) {
    return head === null ? t("board.open") : arrowTo(this.#desk, head);
  }

}

/** Puts in the children that are wanted without moving those that are there. @param {Element} parent @param {HTMLElement[]} wanted */
function fillKeeping(parent, wanted) {
  const there = [...parent.children];
  if (there.length === wanted.length && wanted.every((one, i) => there[i] === one)) return;
  parent.replaceChildren(...wanted);
}

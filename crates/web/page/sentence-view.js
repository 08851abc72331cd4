// <sentence-view>: the board, the picture, the text and all that belongs to annotating one sentence.

import { el, fill, put, setText } from "./dom.js";
import { duration, t } from "./strings.js";
import { unitOf } from "./units.js";
import { finish } from "./commands.js";
import { arcSentences } from "./describe.js";
import { keyReader } from "./key-reader.js";
import { Board } from "./board.js";
import { Comments } from "./comments.js";
import { Dragging } from "./dragging.js";
import { GflEditor } from "./gfl-editor.js";
import { Picture } from "./picture.js";
import { Stages } from "./stages.js";
import { Toolbar } from "./toolbar.js";
import { Tray } from "./tray.js";
import { WordPanel } from "./word-panel.js";
import { pick } from "./picker.js";
import { showHelp } from "./help.js";
import { blockLabel, related } from "./edits.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./app.js").App} App */

/** Kinds of blocks that are offered beside those of the sentence; others can be typed. */
const PHRASES = ["NP", "VP", "PP", "AP", "ADVP", "QP", "CP", "S"];

export class SentenceView extends HTMLElement {
  /** @type {App} */
  app = /** @type {any} */ (null);
  /** @type {Desk} */
  desk = /** @type {any} */ (null);
  /** Wishes that the page around it grants. @type {(wish: string) => void} */
  onWish = () => {};
  /** @type {{draw(): void}[]} */
  #parts = [];
  #readKeys = /** @type {(event: KeyboardEvent) => void} */ (() => {});

  connectedCallback() {
    this.#build();
    this.#readKeys = keyReader(this.desk);
    document.addEventListener("keydown", this.#onKey);
    document.addEventListener("keyup", keepSpace);
    this.desk.addEventListener("change", this.#onChange);
    this.desk.addEventListener("wish", this.#onWish);
    this.desk.addEventListener("chosen", this.#onChosen);
    this.#draw();
  }

  disconnectedCallback() {
    this.gfl.flush();
    document.removeEventListener("keydown", this.#onKey);
    document.removeEventListener("keyup", keepSpace);
    this.desk.removeEventListener("change", this.#onChange);
    this.desk.removeEventListener("wish", this.#onWish);
    this.desk.removeEventListener("chosen", this.#onChosen);
  }

  /** The current word gets the focus. */
  focusBoard() {
    this.board.chip(this.desk.current)?.focus({ preventScroll: false });
  }

  #build() {
    const { desk } = this;
    this.board = new Board(desk);
    this.picture = new Picture((unit) => this.#select(unit));
    this.gfl = new GflEditor(desk, (n) => this.app.outbox.setDraft("gfl", n));
    this.comments = new Comments(desk);
    const toolbar = new Toolbar(desk, (threshold) => void this.app.saveSettings({ threshold }));
    const stages = new Stages(desk);
    const tray = new Tray(desk);
    const panel = new WordPanel(desk);
    this.#parts = [stages, toolbar, this.board, tray, panel, this.gfl, this.comments, { draw: () => this.#drawRest() }];
    const table = el("div", { class: "table" }, this.board.element, tray.element);
    new Dragging(desk, table);
    fill(this, stages.element, toolbar.element,
      el("div", { class: "desk" }, el("div", { class: "work" }, table, this.picture.element, this.behind), panel.element),
      el("div", { class: "below" },
        el("section", { class: "arcs" }, el("h2", {}, t("arcs.title")), this.problems, this.arcs),
        this.gfl.element, this.comments.element));
  }

  arcs = el("ul", { class: "arc-list" });
  problems = el("ul", { class: "problems" });
  behind = el("p", { class: "quiet behind-note" });
  /** @type {Board} */
  board = /** @type {any} */ (null);
  /** @type {Picture} */
  picture = /** @type {any} */ (null);
  /** @type {GflEditor} */
  gfl = /** @type {any} */ (null);
  /** @type {Comments} */
  comments = /** @type {any} */ (null);

  #draw() {
    const hadFocus = this.board.hasFocus();
    for (const part of this.#parts) part.draw();
    // Whoever works on the board stays there, whatever has been drawn anew; and a button that has just
    // become useless must not take the focus with it.
    const isLost = document.activeElement === document.body || document.activeElement?.matches(":disabled");
    if (hadFocus || isLost) this.board.chip(this.desk.current)?.focus({ preventScroll: !hadFocus });
  }

  #drawRest() {
    const { view, session, project } = this.desk;
    this.picture.draw(view.svg, view.direction, this.desk.current, session.isBehind);
    setText(this.behind, session.isBehind ? t("picture.behind") : t("picture.facts", { open: view.open, time: duration(view.seconds) }));
    keepList(this.arcs, arcSentences(view, project.settings.labels), t("arcs.none"));
    keepList(this.problems, view.problems, "");
  }

  /** @param {import("./types.js").Unit} unit */
  #select(unit) {
    if (unit !== 0) this.desk.moveTo(unit);
    this.focusBoard();
  }

  #onChange = () => this.#draw();

  /** @param {Event} event */
  #onChosen = (event) => {
    const { unit, via } = /** @type {CustomEvent} */ (event).detail;
    const fits = this.desk.awaited?.command === "belongs" || this.desk.awaited?.command === "blockHead";
    if (fits) finish(this.desk, unit, via);
    else this.desk.leave();
  };

  /** @param {KeyboardEvent} event */
  #onKey = (event) => {
    // Without single-key commands the arrows still lead from word to word.
    const isLetter = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey;
    if (isLetter && !this.app.preferences.keys && !this.desk.awaited) return;
    if (!document.querySelector("dialog[open]")) this.#readKeys(event);
  };

  /** @param {Event} event */
  #onWish = (event) => {
    const wish = String(/** @type {CustomEvent} */ (event).detail);
    const [what, which = ""] = wish.split(":");
    if (what === "relation") void (this.#wantsLabel() ? this.#askLabel() : this.#askRelation());
    else if (what === "label") void this.#askLabel();
    else if (what === "tag") void this.#askTag();
    else if (what === "text") this.gfl.focus();
    else if (what === "comment") this.comments.begin(which);
    else if (what === "board") this.focusBoard();
    else if (what === "help") showHelp();
    else if (what === "focused") this.desk.moveTo(unitOf(which));
    else this.onWish(wish);
  };

  /** A block that belongs to nothing yet has a kind and no relation. */
  #wantsLabel() {
    return typeof this.desk.current !== "number" && this.desk.block?.depends_on === null;
  }

  async #askRelation() {
    const { desk } = this;
    const of = desk.current;
    const current = (typeof of === "number" ? desk.currentWord : desk.block)?.relation ?? null;
    const title = t("picker.relation", { sentence: desk.sentence });
    const name = await pick({ title, names: desk.project.relations, current });
    this.focusBoard();
    if (name !== undefined) desk.edit((view) => related(view, of, name), "key");
  }

  async #askLabel() {
    const { desk } = this;
    const { block } = desk;
    if (!block) return desk.tell(t("no.block-here"));
    const used = desk.view.brackets.flatMap((one) => (one.label ? [one.label] : []));
    const names = [...new Set([...PHRASES, ...used])];
    const name = await pick({ title: t("picker.label", { sentence: desk.sentence }), names, current: block.label });
    this.focusBoard();
    if (name !== undefined) desk.edit((view) => blockLabel(view, block.id, name), "key");
  }

  async #askTag() {
    const { desk } = this;
    const word = desk.currentWord;
    if (!word) return desk.tell(t("no.word-only"));
    const name = await pick({ title: t("picker.tag", { word: word.form }), names: desk.project.tags, current: word.tag });
    this.focusBoard();
    if (name !== undefined) desk.edit(() => [{ tag: { of: word.n, is: name } }], "key");
  }
}

customElements.define("sentence-view", SentenceView);

/** The space bar is a command on the board; letting go of it must not click as well. @param {KeyboardEvent} event */
function keepSpace(event) {
  if (event.key === " " && event.target instanceof Element && event.target.closest("[data-unit]")) event.preventDefault();
}

/** @param {HTMLElement} list @param {string[]} texts @param {string} none */
function keepList(list, texts, none) {
  const wanted = texts.length > 0 ? texts : [none].filter(Boolean);
  put(list, "hidden", wanted.length === 0);
  if (wanted.join("\n") === [...list.children].map((item) => item.textContent).join("\n")) return;
  fill(list, ...wanted.map((text) => el("li", {}, text)));
}

// Comments on the sentence, a word or an arc. They are kept apart from the data.

import { button, el, fill } from "./dom.js";
import { t } from "./strings.js";
import { newComment } from "./edits.js";
import { arcSentence, named } from "./describe.js";
import { headOf } from "./units.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./types.js").Comment} Comment */
/** @typedef {import("./types.js").CommentPlace} CommentPlace */

export class Comments {
  #list = el("ul", { class: "comments" });
  #where = el("select", { id: "comment-where" }, ...["sentence", "word", "arc"].map((what) => el("option", { value: what }, t(`comment.on.${what}`))));
  #field = el("textarea", { rows: "2", id: "comment-text", maxlength: "5000" });
  #about = el("p", { class: "quiet" });
  element;
  #desk;
  #drawn = "";

  /** @param {Desk} desk */
  constructor(desk) {
    this.#desk = desk;
    this.#where.addEventListener("change", () => this.draw());
    this.#field.addEventListener("keydown", (event) => this.#onKey(event));
    this.element = el("section", { class: "comments-box" },
      el("h2", {}, t("comment.title")), this.#list,
      el("div", { class: "row" },
        el("label", { for: "comment-where" }, t("comment.where")), this.#where),
      this.#about,
      el("label", { for: "comment-text" }, t("comment.text")), this.#field,
      el("p", {}, button(t("comment.add"), () => this.#add("mouse"))));
  }

  draw() {
    const { view, current } = this.#desk;
    this.#about.textContent = this.#where.value === "sentence" ? t("comment.about-sentence") : this.#place(this.#asPlace());
    const drawn = JSON.stringify([view.comments, current]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    fill(this.#list, ...view.comments.map((comment) => this.#item(comment)));
  }

  /** @param {string} what */
  begin(what) {
    this.#where.value = what;
    this.draw();
    this.#field.focus();
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.key === "Escape") this.#desk.wish("board");
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#add("key");
  }

  /** @param {"key" | "mouse"} via */
  #add(via) {
    const text = this.#field.value;
    const on = this.#asPlace();
    this.#desk.edit((view) => newComment(view, on, text), via);
    if (text.trim()) this.#field.value = "";
    this.#desk.wish("board");
  }

  /** @returns {CommentPlace} */
  #asPlace() {
    const what = this.#where.value;
    const { current } = this.#desk;
    return what === "sentence" || typeof current !== "number" ? { what: "sentence" } : { what, word: current };
  }

  /** @param {CommentPlace} on */
  #place({ what, word }) {
    const { view } = this.#desk;
    if (what === "sentence" || word === undefined) return t("comment.about-sentence");
    return what === "arc" ? arcSentence(view, word, headOf(view, word)) : named(view, word);
  }

  /** @param {Comment} comment */
  #item(comment) {
    const take = () => this.#desk.edit(() => [{ comment: { n: comment.n, on: comment.on, text: null } }], "mouse");
    return el("li", {},
      el("span", { class: "about" }, this.#place(comment.on)), " ",
      el("span", { class: "text" }, comment.text), " ",
      button(t("comment.delete"), take, { class: "small", "aria-label": t("comment.delete-name", { text: comment.text }) }));
  }
}

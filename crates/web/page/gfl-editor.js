// The annotation as text beside the picture. Behind the text field lies the same text in invisible
// letters whose marks underline what the server could not read.

import { el, fill, put } from "./dom.js";
import { t } from "./strings.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./types.js").TextProblem} TextProblem */

/** Long enough not to send every letter, short enough to be live. */
const PAUSE = 300;

export class GflEditor {
  #field = el("textarea", { rows: "5", spellcheck: "false", autocomplete: "off", autocapitalize: "off", id: "gfl-text", lang: "und" });
  #shadow = el("div", { class: "shadow", "aria-hidden": "true", lang: "und" });
  #problems = el("ul", { class: "text-problems", id: "gfl-problems" });
  element = el("section", { class: "gfl" },
    el("h2", {}, el("label", { for: "gfl-text" }, t("gfl.title"))),
    el("p", { class: "quiet" }, t("gfl.help")),
    el("div", { class: "layers" }, this.#shadow, this.#field), this.#problems);
  #desk;
  #setDraft;
  #timer = 0;
  #isDirty = false;

  /** @param {Desk} desk @param {(n: number) => void} setDraft tells that something is typed that is no edit yet */
  constructor(desk, setDraft) {
    this.#desk = desk;
    this.#setDraft = setDraft;
    put(this.#field, "aria-describedby", "gfl-problems");
    this.#field.addEventListener("input", () => this.#onInput());
    this.#field.addEventListener("blur", () => this.flush());
    this.#field.addEventListener("scroll", () => this.#follow());
    this.#field.addEventListener("keydown", (event) => event.key === "Escape" && desk.wish("board"));
  }

  focus() {
    this.#field.focus();
  }

  draw() {
    const { view } = this.#desk;
    this.#field.readOnly = view.read_only;
    // What is being typed is newer than any answer.
    if (!this.#isDirty && this.#field.value !== view.gfl) this.#replace(view.gfl);
    this.#underline(this.#isDirty || this.#field.value !== view.gfl ? [] : view.gfl_problems);
  }

  /** Hands over what has been typed, now. */
  flush() {
    clearTimeout(this.#timer);
    if (!this.#isDirty) return;
    this.#isDirty = false;
    const text = this.#field.value;
    this.#desk.edit((view) => (view.gfl === text ? [] : [{ gfl: { text } }]), "text");
    this.#setDraft(0);
  }

  #onInput() {
    this.#isDirty = true;
    this.#setDraft(1);
    this.#underline([]);
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.flush(), PAUSE);
  }

  /** @param {string} text */
  #replace(text) {
    const { selectionStart, selectionEnd, scrollTop } = this.#field;
    this.#field.value = text;
    this.#field.setSelectionRange(selectionStart, selectionEnd);
    this.#field.scrollTop = scrollTop;
  }

  /** @param {TextProblem[]} problems */
  #underline(problems) {
    fill(this.#shadow, ...marked(this.#field.value, problems));
    this.#follow();
    put(this.#field, "aria-invalid", problems.length > 0 ? "true" : null);
    const messages = problems.map((one) => t("gfl.problem", { line: one.line, column: one.column, message: one.message }));
    if (messages.join("\n") === [...this.#problems.children].map((item) => item.textContent).join("\n")) return;
    fill(this.#problems, ...messages.map((message) => el("li", {}, message)));
  }

  #follow() {
    this.#shadow.scrollTop = this.#field.scrollTop;
    this.#shadow.scrollLeft = this.#field.scrollLeft;
  }
}

/** The text with its problems in marks; columns count characters, not code units. @param {string} text @param {TextProblem[]} problems */
function marked(text, problems) {
  return text.split("\n").flatMap((line, i) => [...markedLine(line, problems.filter((one) => one.line === i + 1)), "\n"]);
}

/** @param {string} line @param {TextProblem[]} problems @returns {(Node | string)[]} */
function markedLine(line, problems) {
  const letters = Array.from(line);
  /** @type {(Node | string)[]} */
  const parts = [];
  let done = 0;
  for (const { column, length } of [...problems].sort((a, b) => a.column - b.column)) {
    const from = Math.max(done, column - 1);
    const to = Math.min(Math.max(from + Math.max(length, 1), from), Math.max(letters.length, from + 1));
    parts.push(letters.slice(done, from).join(""), el("mark", {}, letters.slice(from, to).join("") || "\u00a0"));
    done = to;
  }
  return [...parts, letters.slice(done).join("")];
}

// The line that says whether everything is saved. It says so only when the server has said so.

import { button, el, fill } from "./dom.js";
import { counted, t } from "./strings.js";
import { say, sayUrgently } from "./spoken.js";

/** @typedef {import("./outbox.js").Outbox} Outbox */

export class SaveStatus {
  #boxes = /** @type {Outbox[]} */ ([]);
  #element;
  #failed = "";

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
  }

  /** @param {Outbox} box */
  watch(box) {
    this.#boxes.push(box);
    box.addEventListener("state", () => this.draw());
    this.draw();
  }

  get nUnsaved() {
    return this.#boxes.reduce((sum, box) => sum + box.nUnsaved, 0);
  }

  draw() {
    const n = this.nUnsaved;
    const trouble = this.#boxes.map((box) => box.trouble).find((one) => one !== null);
    const nRefused = this.#boxes.reduce((sum, box) => sum + box.refused.length, 0);
    this.#element.className = `save-status ${n === 0 ? "saved" : trouble || nRefused > 0 ? "failing" : "waiting"}`;
    this.#speak(n, trouble?.message ?? "");
    if (n === 0) return fill(this.#element, el("span", {}, t("status.saved")));
    const unkept = this.#boxes.every((box) => box.isKept) ? "" : t("status.not-kept");
    fill(this.#element,
      el("span", {}, [counted("status.unsaved", n), trouble?.message ?? "", unkept].filter(Boolean).join(" ")),
      trouble ? button(t("status.try"), () => this.#tryNow(), { class: "small" }) : null);
  }

  #tryNow() {
    for (const box of this.#boxes) box.tryNow();
  }

  /** Screen readers hear of trouble and of its end, not of every save. @param {number} n @param {string} trouble */
  #speak(n, trouble) {
    if (trouble && trouble !== this.#failed) sayUrgently(`${counted("status.unsaved", n)} ${trouble}`);
    if (!trouble && this.#failed && n === 0) say(t("status.all-saved"));
    if (trouble || n === 0) this.#failed = trouble;
  }
}

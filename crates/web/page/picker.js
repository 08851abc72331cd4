// Choosing a relation or a tag: by two letters, from the list, or by typing it.

import { button, el } from "./dom.js";
import { t } from "./strings.js";
import { mnemonics } from "./hints.js";

/**
 * @param {{title: string, names: string[], current: string | null}} what
 * @returns {Promise<string | null | undefined>} null takes the name away, undefined leaves all as it is
 */
export function pick({ title, names, current }) {
  return new Promise((resolve) => new Picker(title, names, current, resolve).open());
}

class Picker {
  #typed = "";
  #resolve;
  #codes;
  /** @type {HTMLButtonElement[]} */
  #options;
  #field = el("input", { type: "text", autocomplete: "off", spellcheck: "false", maxlength: "60" });
  #soFar = el("p", { class: "quiet typed", role: "status" }, t("picker.hint"));
  #dialog;

  /** @param {string} title @param {string[]} names @param {string | null} current @param {(name: string | null | undefined) => void} resolve */
  constructor(title, names, current, resolve) {
    this.#resolve = resolve;
    this.#codes = mnemonics(names);
    this.#options = [...this.#codes].map(([code, name]) => this.#option(code, name, name === current));
    this.#field.value = current && !names.includes(current) ? current : "";
    this.#dialog = this.#build(title);
    this.#dialog.addEventListener("keydown", (event) => this.#onKey(event));
    this.#dialog.addEventListener("cancel", () => this.#finish(undefined));
  }

  open() {
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    (this.#options.find((one) => one.getAttribute("aria-pressed") === "true") ?? this.#options[0] ?? this.#field).focus();
  }

  /** @param {string} title */
  #build(title) {
    const form = el("form", { class: "row", onsubmit: (/** @type {Event} */ event) => this.#take(event) },
      el("label", {}, t("picker.free"), " ", this.#field), el("button", { type: "submit" }, t("picker.take")));
    return el("dialog", { class: "picker", "aria-labelledby": "picker-title" },
      el("h2", { id: "picker-title" }, title), this.#soFar,
      el("div", { class: "options", role: "group", "aria-labelledby": "picker-title" }, ...this.#options),
      form,
      el("p", { class: "row" },
        button(t("picker.none"), () => this.#finish(null), { key: "Del" }),
        button(t("picker.cancel"), () => this.#finish(undefined), { key: "Esc" })));
  }

  /** @param {string} code @param {string} name @param {boolean} isCurrent */
  #option(code, name, isCurrent) {
    return button(name, () => this.#finish(name), { key: code, class: "option", "data-code": code, "aria-pressed": String(isCurrent) });
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.target === this.#field || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Delete" || event.key === "Backspace") this.#finish(null);
    else if (event.key.startsWith("Arrow")) this.#move(event);
    else if (/^[a-z]$/i.test(event.key)) this.#type(event);
  }

  /** @param {KeyboardEvent} event */
  #type(event) {
    event.preventDefault();
    this.#typed += event.key.toLowerCase();
    const name = this.#codes.get(this.#typed);
    if (name !== undefined) return this.#finish(name);
    const begun = [...this.#codes.keys()].some((code) => code.startsWith(this.#typed));
    this.#soFar.textContent = begun ? t("picker.typed", { typed: this.#typed }) : t("no.such-code", { code: this.#typed });
    if (!begun) this.#typed = "";
    for (const one of this.#options) one.classList.toggle("off", !one.dataset.code?.startsWith(this.#typed));
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    event.preventDefault();
    const at = this.#options.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const by = event.key === "ArrowLeft" || event.key === "ArrowUp" ? -1 : 1;
    this.#options[(at + by + this.#options.length) % this.#options.length]?.focus();
  }

  /** @param {Event} event */
  #take(event) {
    event.preventDefault();
    const name = this.#field.value.trim();
    this.#finish(name === "" ? undefined : name);
  }

  /** @param {string | null | undefined} name */
  #finish(name) {
    this.#dialog.close();
    this.#dialog.remove();
    this.#resolve(name);
  }
}

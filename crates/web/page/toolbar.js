// Commands about the whole sentence.

import { button, el, put, setText } from "./dom.js";
import { counted, percent, t } from "./strings.js";
import { COMMANDS } from "./commands.js";
import { keyFor } from "./keys.js";
import { modelLine } from "./describe-model.js";
import { sureSuggestions } from "./edits.js";

/** @typedef {import("./desk.js").Desk} Desk */

export class Toolbar {
  #undo = this.#command("undo");
  #redo = this.#command("redo");
  #gather = this.#command("gather");
  #block = this.#command("block");
  #multiword = this.#command("multiword");
  #acceptAll = this.#command("acceptAll");
  #slider = el("input", { type: "range", min: "0.5", max: "1", step: "0.01", id: "threshold" });
  #atLeast = el("output", { for: "threshold" });
  #model = el("span", { class: "quiet model-line" });
  #machine;
  element;
  #desk;

  /** @param {Desk} desk @param {(threshold: number) => void} onThreshold */
  constructor(desk, onThreshold) {
    this.#desk = desk;
    this.#slider.value = String(desk.threshold);
    this.#slider.addEventListener("input", () => this.#slide());
    this.#slider.addEventListener("change", () => onThreshold(desk.threshold));
    this.#machine = el("div", { class: "group machine" }, this.#acceptAll, el("label", { for: "threshold" }, t("toolbar.threshold")), this.#slider, this.#atLeast, this.#model);
    this.element = el("div", { class: "toolbar", role: "group", "aria-label": t("toolbar.name") },
      el("div", { class: "group" }, this.#undo, this.#redo),
      el("div", { class: "group blocks" }, this.#gather, this.#block, this.#multiword),
      this.#machine);
  }

  draw() {
    const { view, threshold, project, selectedWords } = this.#desk;
    put(this.#undo, "disabled", view.read_only || !view.can_undo);
    put(this.#redo, "disabled", view.read_only || !view.can_redo);
    put(this.#gather, "disabled", view.read_only || typeof this.#desk.current !== "number");
    put(this.#block, "disabled", view.read_only || selectedWords.length < 2);
    put(this.#multiword, "disabled", view.read_only || selectedWords.length < 2);
    const n = sureSuggestions(view, threshold).length;
    this.#machine.hidden = !project.settings.suggestions;
    put(this.#acceptAll, "disabled", view.read_only || n === 0);
    setText(/** @type {Node} */ (this.#acceptAll.firstChild), counted("toolbar.accept-all", n));
    setText(this.#model, modelLine(view.model));
    setText(this.#atLeast, t("toolbar.at-least", { p: percent(threshold) }));
  }

  #slide() {
    this.#desk.threshold = Number(this.#slider.value);
    this.#desk.redraw();
  }

  /** @param {string} name */
  #command(name) {
    return button(t(`command.${name}`), () => COMMANDS[name]?.(this.#desk, "mouse"), { key: keyFor(name), "data-command": name });
  }
}

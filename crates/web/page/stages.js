// The four stages as a stepper. Their order is a recommendation: any can be chosen at any time.

import { button, el, put, setText } from "./dom.js";
import { t } from "./strings.js";
import { COMMANDS } from "./commands.js";
import { isolated, named } from "./describe.js";

/** @typedef {import("./desk.js").Desk} Desk */

const STAGES = [1, 2, 3, 4];

export class Stages {
  #buttons = STAGES.map((stage) => button(t(`stage.${stage}.name`), () => COMMANDS[`stage${stage}`]?.(this.#desk, "mouse"), { key: String(stage) }));
  #doing = el("p", { class: "doing" });
  #news = el("p", { class: "news" });
  #steps = el("ol", { class: "stages" }, ...this.#buttons.map((one) => el("li", {}, one)));
  element = el("div", { class: "guide" }, this.#steps, this.#doing, this.#news);
  #desk;

  /** @param {Desk} desk */
  constructor(desk) {
    this.#desk = desk;
    put(this.#steps, "aria-label", t("stage.name"));
  }

  draw() {
    const { stage, project, news } = this.#desk;
    this.#steps.hidden = !project.settings.stages;
    this.#buttons.forEach((one, i) => put(one, "aria-current", STAGES[i] === stage ? "step" : null));
    setText(this.#doing, doing(this.#desk));
    this.#doing.classList.toggle("waits", this.#desk.awaited !== null || this.#desk.picked !== null);
    setText(this.#news, news);
    this.#news.classList.toggle("no", this.#desk.isRefusal);
  }
}

/** What a click or the next key does now. @param {Desk} desk */
export function doing(desk) {
  const { awaited, picked, view, current, selectedWords } = desk;
  if (view.read_only) return t("doing.read-only");
  if (awaited) {
    const choices = [...awaited.codes.keys()].filter((code) => code.startsWith(awaited.typed)).length;
    return t(`await.${awaited.command}`, { dependent: named(view, current), choices });
  }
  if (picked !== null) return t("doing.picked", { dependent: named(view, picked) });
  if (selectedWords.length > 0) return t("doing.selected", { words: selectedText(desk) });
  return t(`stage.${desk.stage}.do`);
}

/** @param {Desk} desk */
function selectedText({ view, selectedWords }) {
  const forms = selectedWords.map((n) => view.words.find((word) => word.n === n)?.form ?? "");
  return t("name.quoted", { text: isolated(forms.join(" ")) });
}

// Ten lessons beside the ten sentences of the tutorial. Parts of speech are all one has to know.

import { button, el } from "./dom.js";
import { hasText, t } from "./strings.js";

/** @typedef {import("./app.js").App} App */

const N_LESSONS = 10;

/** @param {App} app @param {number} place of the sentence, counted from 1 */
export function lessonPanel(app, place) {
  if (!app.project.demo || place > N_LESSONS) return null;
  const panel = el("details", { class: "lesson", open: !app.preferences.hiddenLessons.includes(place) },
    el("summary", {}, t("lesson.title", { n: place, of: N_LESSONS, title: t(`lesson.${place}.title`) })),
    ...paragraphs(place),
    el("p", { class: "task" }, el("strong", {}, t("lesson.task")), " ", t(`lesson.${place}.do`)),
    el("p", {}, button(t("lesson.hide"), () => { panel.open = false; }, { class: "small" })));
  panel.addEventListener("toggle", () => app.hideLesson(place, !panel.open));
  return panel;
}

/** @param {number} place */
function paragraphs(place) {
  const keys = [1, 2, 3].map((i) => `lesson.${place}.text${i}`).filter(hasText);
  return keys.map((key) => el("p", {}, t(key)));
}

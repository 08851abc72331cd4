// The model that makes suggestions: what it was trained on, and training it again in the background.

import { button, el, fill, put } from "./dom.js";
import { isFixed, modelFacts } from "./describe-model.js";
import { counted, t } from "./strings.js";
import { get, send } from "./server.js";
import { say } from "./spoken.js";

/** @typedef {import("./app.js").App} App */

/** @param {App} app */
export function modelBox(app) {
  const bar = el("progress", { max: "1", value: "0", "aria-label": t("model.progress"), hidden: true });
  const news = el("p", { class: "quiet model-news" });
  const facts = el("p", {}, factsOf(app));
  const train = button(t("model.train"), () => void app.attempt(begin));
  const learns = el("div", {}, el("p", {}, t("model.text")), el("p", { class: "row" }, train));
  const element = el("section", { class: "box-card model-box" }, el("h2", {}, t("model.title")), facts, learns, bar, news);
  learns.hidden = isFixed(app.project.model);

  async function begin() {
    await send("POST", "/api/train", {});
    put(train, "disabled", true);
    bar.hidden = false;
    news.textContent = t("model.started");
  }

  /** @param {{what: string, done: number, total: number}} message */
  function progress({ what, done, total }) {
    bar.hidden = false;
    bar.max = total || 1;
    bar.value = done;
    news.textContent = t("model.at", { what, done, total });
  }

  /** @param {import("./types.js").Learned & {error?: string}} message */
  async function trained({ error, seconds, changed }) {
    bar.hidden = true;
    put(train, "disabled", false);
    app.renew(await get("/api/project"));
    fill(facts, factsOf(app));
    learns.hidden = isFixed(app.project.model);
    const differs = changed ? counted("model.changed", changed.heads, { sentences: changed.sentences }) : "";
    news.textContent = error ?? `${t("model.done", { seconds: Math.round(seconds) })} ${differs}`;
    say(news.textContent);
  }

  return { element, progress, trained };
}

/** @param {App} app */
function factsOf(app) {
  const { model, settings } = app.project;
  return modelFacts(model, settings.labels);
}

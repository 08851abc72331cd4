// The model that makes suggestions: what it was trained on, and training it again in the background.

import { button, el, fill, put } from "./dom.js";
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
  const element = el("section", { class: "box-card" }, el("h2", {}, t("model.title")), facts, el("p", {}, t("model.text")), el("p", { class: "row" }, train), bar, news);

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

  /** @param {{seconds: number, changed: number}} message */
  async function trained({ seconds, changed }) {
    bar.hidden = true;
    put(train, "disabled", false);
    app.renew(await get("/api/project"));
    fill(facts, factsOf(app));
    news.textContent = `${t("model.done", { seconds: Math.round(seconds) })} ${counted("model.changed", changed)}`;
    say(news.textContent);
  }

  return { element, progress, trained };
}

/** @param {App} app */
function factsOf(app) {
  const { model } = app.project;
  if (!model) return t("model.none");
  const facts = counted("model.facts", model.trained_on, { kind: model.kind });
  return model.calibrated ? facts : `${facts} ${t("model.uncalibrated")}`;
}

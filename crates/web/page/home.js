// The first page: how far the work is, and the way to go on.

import { button, el, fill, put } from "./dom.js";
import { counted, decimal, t } from "./strings.js";
import { get } from "./server.js";
import { nextSentence, ORDERS } from "./queue.js";
import { firstUse } from "./first-use.js";
import { modelBox } from "./model-box.js";

/** @typedef {import("./app.js").App} App */

/** @param {App} app @param {HTMLElement} main */
export async function show(app, main) {
  app.renew(await get("/api/project"));
  const model = modelBox(app);
  fill(main, el("div", { class: "home page" },
    el("h1", { tabindex: "-1" }, app.project.name),
    note(app),
    app.project.annotator.is_new ? firstUse(app, () => void app.route()) : null,
    app.project.n_sentences === 0 ? empty() : progress(app),
    app.project.sections.length > 0 ? sections(app) : null,
    model.element));
  return { title: t("nav.home"), progress: model.progress, trained: model.trained, close: () => { app.homeNote = ""; } };
}

/** @param {App} app */
function note(app) {
  return app.homeNote ? el("p", { class: "notice", role: "status" }, app.homeNote) : null;
}

function empty() {
  return el("section", { class: "box-card" },
    el("h2", {}, t("home.empty-title")), el("p", {}, t("home.empty")),
    el("pre", {}, el("code", {}, "treelet annotate PROJECT --import FILE")),
    el("p", {}, t("home.empty-formats")));
}

/** @param {App} app */
function progress(app) {
  const { n_sentences: n, n_submitted: submitted, n_skipped: skipped } = app.project;
  const go = button(t(submitted === 0 ? "home.begin" : "home.go-on"), () => void app.attempt(() => nextSentence(app)), { class: "primary big" });
  return el("section", { class: "box-card" },
    el("h2", {}, t("home.progress")),
    el("progress", { max: n, value: submitted, "aria-label": t("home.progress") }),
    el("p", {}, t("home.submitted", { submitted, n }), " ", skipped > 0 ? counted("home.skipped", skipped) : ""),
    timeLeft(app),
    app.project.demo ? el("p", {}, t("home.demo")) : null,
    el("div", { class: "row" }, go, order(app)));
}

/** What is left, in hours, and how that is reckoned. @param {App} app */
function timeLeft(app) {
  const { pace, seconds_left: left } = app.project;
  if (!pace || !left || app.project.demo) return null;
  const reckoned = t("home.pace", { word: decimal(pace.per_word, 1), head: decimal(pace.per_head, 1), relation: decimal(pace.per_relation, 1) });
  const words = t(pace.n_timed > 0 ? "home.pace-own" : "home.pace-published", { pace: reckoned, n: pace.n_timed });
  const hours = left / 3600;
  const text = hours >= 1.5
    ? t("home.left.hours", { time: decimal(hours, hours < 10 ? 1 : 0), words })
    : t("home.left.minutes", { time: decimal(Math.ceil(left / 60), 0), words });
  return el("p", { class: "quiet" }, text);
}

/** @param {App} app */
function order(app) {
  const select = el("select", { id: "order", onchange: () => app.prefer({ order: select.value }) },
    ...ORDERS.map((name) => el("option", { value: name, selected: name === app.preferences.order }, t(`order.${name}`))));
  return el("span", { class: "pair" }, el("label", { for: "order" }, t("order.name")), select);
}

/** @param {App} app */
function sections(app) {
  const rows = app.project.sections.map((section) => el("tr", {},
    el("th", { scope: "row" }, section.name),
    el("td", {}, t("home.n-sentences", { n: section.n_sentences })),
    el("td", {}, section.common ? t("home.common") : "")));
  const table = el("table", {}, el("caption", {}, t("home.sections")), el("tbody", {}, ...rows));
  put(table, "class", "sections");
  return el("section", { class: "box-card" }, table);
}

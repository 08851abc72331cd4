// Where annotators differ, and what is right: differences first, each settled by one click, and the
// merged analysis open for editing by hand below.

import { button, el, fill, put } from "./dom.js";
import { counted, t } from "./strings.js";
import { get } from "./server.js";
import { Session } from "./session.js";
import { Desk } from "./desk.js";
import { SentenceView } from "./sentence-view.js";
import { arrowTo } from "./board.js";
import { arcSentence } from "./describe.js";
import { same, wordOf } from "./units.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./types.js").View} View */
/** @typedef {{annotator: string | {name: string}, view: View}} Opinion */

/** @param {App} app @param {HTMLElement} main @param {string[]} parts the sentence, if one is wanted */
export async function show(app, main, [id]) {
  if (id === undefined) return showList(main);
  const { views, differences, merged } = await get(`/api/adjudicate/${Number(id)}`);
  const page = new Adjudication(app, views, differences, merged);
  fill(main, page.element);
  return page;
}

/** @param {HTMLElement} main */
async function showList(main) {
  /** @type {{sentences: {id: number, text: string, n_different: number}[]}} */
  const { sentences } = await get("/api/adjudicate");
  const items = sentences.map((one) => el("tr", {},
    el("td", {}, el("a", { href: `#/adjudicate/${one.id}`, lang: "und", dir: "auto" }, one.text)),
    el("td", { class: "number" }, counted("adjudicate.n", one.n_different))));
  fill(main, el("div", { class: "page" },
    el("h1", { tabindex: "-1" }, t("adjudicate.title")), el("p", {}, t("adjudicate.text")),
    sentences.length === 0 ? el("p", { class: "empty" }, t("adjudicate.empty")) : el("table", { class: "list" }, el("tbody", {}, ...items))));
  return { title: t("adjudicate.title") };
}

class Adjudication {
  #session;
  #desk;
  #table = el("tbody");
  #body = new SentenceView();
  element;

  /** @param {App} app @param {Opinion[]} views @param {number[]} differences @param {View} merged */
  constructor(app, views, differences, merged) {
    this.title = t("adjudicate.one", { place: merged.place });
    this.views = views;
    this.differences = differences;
    this.#session = new Session(app.outbox, merged, "adjudicate");
    this.#desk = new Desk(this.#session, app.project);
    Object.assign(this.#body, { app, desk: this.#desk, onWish: (/** @type {string} */ wish) => this.#grant(wish) });
    this.#desk.addEventListener("change", () => this.#draw());
    this.element = el("div", { class: "page adjudication" },
      el("h1", { tabindex: "-1" }, this.title),
      el("p", { class: "context", lang: "und", dir: merged.direction }, merged.words.map((word) => word.form).join(" ")),
      this.#differences(), el("h2", {}, t("adjudicate.merged")), this.#body);
    this.#draw();
  }

  close() {
    this.#session.close();
  }

  #differences() {
    if (this.differences.length === 0) return el("p", { class: "empty" }, t("adjudicate.none"));
    const names = this.views.map((one) => el("th", { scope: "col" }, nameOf(one)));
    const head = el("tr", {}, el("th", { scope: "col" }, t("adjudicate.word")), ...names, el("th", { scope: "col" }, t("adjudicate.now")));
    return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("adjudicate.differences") },
      el("table", { class: "differences" }, el("caption", {}, t("adjudicate.differences")), el("thead", {}, head), this.#table));
  }

  #draw() {
    const rows = this.differences.map((n) => this.#row(n));
    const focused = document.activeElement?.getAttribute("data-take");
    fill(this.#table, ...rows);
    if (focused) /** @type {HTMLElement | null} */ (this.#table.querySelector(`[data-take="${focused}"]`))?.focus();
  }

  /** @param {number} n */
  #row(n) {
    const { view } = this.#session;
    const now = wordOf(view, n);
    const cells = this.views.map((one, i) => el("td", {}, this.#take(one, n, i)));
    return el("tr", {}, el("th", { scope: "row", lang: "und" }, now?.form ?? ""), ...cells,
      el("td", {}, now ? arcSentence(view, n, now.head, now.relation) : ""));
  }

  /** @param {Opinion} opinion @param {number} n @param {number} i */
  #take(opinion, n, i) {
    const said = wordOf(opinion.view, n);
    const head = said?.head ?? null;
    const text = head === null ? t("board.open") : arrowTo(opinion, head);
    const relation = said?.relation ? ` · ${said.relation}` : "";
    const made = button("", () => this.#settle(n, opinion.view), { class: "choice", "data-take": `${n}-${i}` });
    const told = t("adjudicate.take", { name: nameOf(opinion), sentence: arcSentence(opinion.view, n, head, said?.relation) });
    fill(made, el("span", { "aria-hidden": "true" }, text + relation), el("span", { class: "spoken" }, told));
    const isTaken = same(wordOf(this.#session.view, n)?.head ?? null, head);
    put(made, "aria-pressed", String(isTaken));
    return made;
  }

  /** @param {number} n @param {View} from */
  #settle(n, from) {
    const said = wordOf(from, n);
    if (!said) return;
    this.#desk.current = n;
    const { head, relation } = said;
    this.#desk.edit(() => [{ head: { of: n, to: head, ...(relation ? { relation } : {}) } }], "mouse");
  }

  /** @param {string} wish */
  #grant(wish) {
    if (wish !== "submit" && wish !== "after") return;
    this.#desk.happen({ kind: "submit" });
    location.hash = "#/adjudicate";
  }
}

/** @param {Opinion} opinion */
function nameOf({ annotator }) {
  return typeof annotator === "string" ? annotator : annotator.name;
}

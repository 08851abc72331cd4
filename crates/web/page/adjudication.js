// Where annotators differ, and what is right: differences first, each settled by one click, and the
// merged analysis open for editing by hand below.

import { button, el, fill, put } from "./dom.js";
import { counted, t } from "./strings.js";
import { get, LONG_PATIENCE, send } from "./server.js";
import { Session } from "./session.js";
import { Desk } from "./desk.js";
import { SentenceView } from "./sentence-view.js";
import { arrowTo } from "./board.js";
import { arcSentence } from "./describe.js";
import { same, wordOf } from "./units.js";
import { saidOf, taken, translated } from "./differing.js";
import { say } from "./spoken.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./types.js").View} View */
/** @typedef {{annotator: string | {name: string}, view: View}} Opinion */
/** @typedef {import("./differing.js").Difference} Difference */
/** @typedef {{id: number, text: string, n_different: number, n_other: number, is_merged: boolean, by: string[]}} Disputed */
/** @typedef {{id: number, disputed: number, open: number, submitted: boolean}} Merged */

const PROCEDURES = ["majority", "dawid-skene"];

/** @param {App} app @param {HTMLElement} main @param {string[]} parts the sentence, if one is wanted */
export async function show(app, main, [id]) {
  if (id === undefined) return showList(app, main);
  const { views, differences, others, merged } = await get(`/api/adjudicate/${Number(id)}`);
  const page = new Adjudication(app, views, { differences, others }, merged);
  fill(main, page.element);
  return page;
}

/** @param {App} app @param {HTMLElement} main */
async function showList(app, main) {
  /** @type {{sentences: Disputed[]}} */
  const { sentences } = await get("/api/adjudicate");
  const [open, merged] = [sentences.filter((one) => !one.is_merged), sentences.filter((one) => one.is_merged)];
  const all = async (/** @type {string} */ by) => {
    /** @type {{sentences: Merged[]}} */
    const done = await send("POST", "/api/adjudicate/merge", { by }, LONG_PATIENCE);
    const left = done.sentences.filter((one) => !one.submitted).length;
    if (location.hash === "#/adjudicate") await showList(app, main);
    say(toldAll(done.sentences.length, left));
  };
  fill(main, el("div", { class: "page" },
    el("h1", { tabindex: "-1" }, t("adjudicate.title")), el("p", {}, t("adjudicate.text")),
    open.length === 0 ? el("p", { class: "empty" }, t(merged.length === 0 ? "adjudicate.empty" : "adjudicate.all-done")) : el("section", { class: "box-card" },
      el("h2", {}, t("adjudicate.at-once")), el("p", { class: "quiet" }, t("adjudicate.at-once-text")), procedures(app, "adjudicate.all", all)),
    open.length > 0 ? list(t("adjudicate.open"), open) : null,
    merged.length > 0 ? list(t("adjudicate.done"), merged) : null));
  return { title: t("adjudicate.title") };
}

/** Buttons that make all one by what was said. @param {App} app @param {string} key @param {(by: string) => Promise<unknown>} merge */
function procedures(app, key, merge) {
  const start = (/** @type {string} */ by) => {
    // What is on its way was meant for the view there is.
    if (app.outbox.nUnsaved > 0) return app.tellTrouble(t("adjudicate.wait"));
    say(t("adjudicate.working"));
    void app.attempt(() => merge(by));
  };
  return el("p", { class: "row" }, ...PROCEDURES.map((by) => button(t(`${key}.${by}`), () => start(by), { "data-merge": by })));
}

/** @param {number} n @param {number} left */
function toldAll(n, left) {
  return `${counted("adjudicate.merged-n", n - left)} ${left > 0 ? counted("adjudicate.left-n", left) : ""}`;
}

/** @param {string} caption @param {Disputed[]} sentences */
function list(caption, sentences) {
  const items = sentences.map((one) => el("tr", {},
    el("td", {}, el("a", { href: `#/adjudicate/${one.id}`, lang: "und", dir: "auto" }, one.text)),
    el("td", { class: "quiet" }, by(one)),
    el("td", { class: "number" }, one.n_different > 0 ? counted("adjudicate.n", one.n_different) : ""),
    el("td", { class: "number" }, one.n_other > 0 ? counted("adjudicate.n-other", one.n_other) : "")));
  return el("table", { class: "list" }, el("caption", {}, caption), el("tbody", {}, ...items));
}

/** How far a sentence has come, and by what. @param {Disputed} one */
function by(one) {
  const isHand = (/** @type {string} */ via) => !PROCEDURES.includes(via) && via !== "import";
  const means = [...PROCEDURES.filter((name) => one.by.includes(name)), ...(one.by.some(isHand) ? ["hand"] : [])];
  const text = means.map((name) => t(`adjudicate.by.${name}`)).join(", ");
  if (one.is_merged) return text || t("adjudicate.by.agreed");
  return means.length > 0 ? t("adjudicate.begun", { by: text }) : "";
}

class Adjudication {
  #session;
  #desk;
  #table = el("tbody");
  #others = el("tbody");
  #body = new SentenceView();
  #submit = button(t("adjudicate.submit"), () => this.#grant("submit"), { class: "primary", "data-command": "submit" });
  #reopen = button(t("command.reopen"), () => this.#desk.happen({ kind: "reopen" }), { "data-command": "reopen" });
  #app;
  element;

  /** @param {App} app @param {Opinion[]} views @param {{differences: number[], others: Difference[]}} found @param {View} merged */
  constructor(app, views, { differences, others }, merged) {
    this.title = t("adjudicate.one", { place: merged.place });
    this.#app = app;
    this.views = views;
    this.differences = differences;
    this.others = others;
    this.#session = new Session(app.outbox, merged, "adjudicate");
    this.#desk = new Desk(this.#session, app.project);
    Object.assign(this.#body, { app, desk: this.#desk, onWish: (/** @type {string} */ wish) => this.#grant(wish) });
    this.#desk.addEventListener("change", () => this.#draw());
    this.element = el("div", { class: "page adjudication" },
      el("h1", { tabindex: "-1" }, this.title),
      el("p", { class: "context", lang: "und", dir: merged.direction }, merged.words.map((word) => word.form).join(" ")),
      ...this.#differences(),
      el("p", { class: "quiet" }, t("adjudicate.take-text")),
      procedures(app, "adjudicate.one-by", (by) => this.#merge(by)),
      el("h2", {}, t("adjudicate.merged")), el("p", { class: "row" }, this.#submit, this.#reopen), this.#body);
    this.#draw();
  }

  close() {
    this.#session.close();
  }

  /** @param {string} by */
  async #merge(by) {
    /** @type {{sentences: Merged[]}} */
    const { sentences } = await send("POST", `/api/adjudicate/${this.#session.target.id}/merge`, { by }, LONG_PATIENCE);
    await this.#session.refresh();
    const open = sentences[0]?.open ?? 0;
    say(open > 0 ? counted("adjudicate.still-open", open) : t("adjudicate.taken"));
  }

  #differences() {
    const heads = this.differences.length > 0 ? this.#settling(t("adjudicate.differences"), "adjudicate.word", this.#table) : null;
    const others = this.others.length > 0 ? this.#settling(t("adjudicate.others"), "adjudicate.what", this.#others) : null;
    return heads || others ? [heads, others] : [el("p", { class: "empty" }, t("adjudicate.none"))];
  }

  /** A table of differences, with a column for each annotator. @param {string} caption @param {string} of @param {HTMLElement} rows */
  #settling(caption, of, rows) {
    const names = this.views.map((one) => el("th", { scope: "col" }, nameOf(one)));
    const head = el("tr", {}, el("th", { scope: "col" }, t(of)), ...names, el("th", { scope: "col" }, t("adjudicate.now")));
    return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      el("table", { class: "differences" }, el("caption", {}, caption), el("thead", {}, head), rows));
  }

  #draw() {
    const rows = this.differences.map((n) => this.#row(n));
    const { submitted } = this.#session.view;
    [this.#submit.hidden, this.#reopen.hidden] = [submitted, !submitted];
    const focused = document.activeElement?.getAttribute("data-take");
    fill(this.#table, ...rows);
    fill(this.#others, ...this.others.map((one, n) => this.#otherRow(one, n)));
    if (focused) /** @type {HTMLElement | null} */ (this.element.querySelector(`[data-take="${focused}"]`))?.focus();
  }

  /** @param {number} n */
  #row(n) {
    const { view } = this.#session;
    const now = wordOf(view, n);
    const cells = this.views.map((one, i) => el("td", {}, this.#take(one, n, i)));
    return el("tr", {}, el("th", { scope: "row", lang: "und" }, now?.form ?? ""), ...cells,
      el("td", {}, now ? arcSentence(view, n, now.head, now.relation) : ""));
  }

  /** @param {Difference} difference @param {number} at */
  #otherRow(difference, at) {
    const { view } = this.#session;
    const words = difference.words.map((n) => wordOf(view, n)?.form ?? "").join(" ");
    const what = t(`adjudicate.what.${difference.what}`, { words });
    const cells = this.views.map((one, i) => el("td", {}, this.#takeOther(one, difference, what, `${at}-other-${i}`)));
    return el("tr", {}, el("th", { scope: "row" }, what), ...cells, el("td", {}, saidOf(view, difference) || t("board.open")));
  }

  /** @param {Opinion} opinion @param {Difference} difference @param {string} what @param {string} key */
  #takeOther(opinion, difference, what, key) {
    const said = saidOf(opinion.view, difference);
    const settle = () => this.#desk.edit((view) => taken(view, opinion.view, difference), "mouse");
    const made = button("", settle, { class: "choice", "data-take": key });
    const value = said || t("board.open");
    const told = t("adjudicate.take", { name: nameOf(opinion), sentence: `${what}: ${value}` });
    fill(made, el("span", { "aria-hidden": "true" }, value), el("span", { class: "spoken" }, told));
    put(made, "aria-pressed", String(saidOf(this.#session.view, difference) === said));
    return made;
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
    const { view } = this.#session;
    const here = translated(view, opinion.view, head);
    const isTaken = same(wordOf(view, n)?.head ?? null, here) && (here === null) === (head === null);
    put(made, "aria-pressed", String(isTaken));
    return made;
  }

  /** @param {number} n @param {View} from */
  #settle(n, from) {
    const said = wordOf(from, n);
    if (!said) return;
    this.#desk.current = n;
    const { head, relation } = said;
    this.#desk.edit((view) => {
      // Everybody numbers their own blocks.
      const to = translated(view, from, head);
      if (to === null && head !== null) return t("adjudicate.block-first");
      return [{ head: { of: n, to, ...(relation ? { relation } : {}) } }];
    }, "mouse");
  }

  /** @param {string} wish */
  #grant(wish) {
    if (wish !== "submit" && wish !== "after") return;
    if (!this.#session.view.submitted) this.#desk.happen({ kind: "submit" });
    // The list is asked for when the server has it, so that it knows of it.
    const { outbox } = this.#app;
    const go = () => {
      if (outbox.nUnsaved > 0) return;
      outbox.removeEventListener("state", go);
      if (location.hash === `#/adjudicate/${this.#session.target.id}`) location.hash = "#/adjudicate";
    };
    outbox.addEventListener("state", go);
    go();
  }
}

/** @param {Opinion} opinion */
function nameOf({ annotator }) {
  return typeof annotator === "string" ? annotator : annotator.name;
}

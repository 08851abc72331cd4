// How far annotators agree, what they do and how fast: tables, and the server's plots.

import { el, fill } from "./dom.js";
import { decimal, hasText, percent, t } from "./strings.js";
import { get, LONG_PATIENCE } from "./server.js";
import { svgOf } from "./picture.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {"all" | "level" | "experience" | "annotator"} By */
/** @typedef {{kind: By, name: string}} Whom */
/** @typedef {{name: string, value: number | null, n: number}} Measure */
/** @typedef {{of: Whom, sentences: number, words: number, seconds: number, measures: Measure[]}} Row */
/** @typedef {{one: string, other: string, sentences: number, comPrec: (number | null)[], softComPrec: (number | null)[], measures: Measure[]}} Pair */
/** @typedef {{n: number, seconds: number, words_per_hour: number, sentences_per_hour: number, sentences: number, words: number, heads_per_word: number | null, blocks_per_word: number | null, measures: Measure[]}} HalfHour */
/** @typedef {{of: Whom, half_hours: HalfHour[], change: number | null, change_interval: [number, number] | null, later_half_hours: number}} Course */
/** @typedef {{construction: string, of: Whom, as_written: number, turned_round: number, share: number | null, agreed: number | null, compared: number}} Construction */
/** @typedef {{name: string, by: By, construction?: string, svg: string}} Plot */
/** @typedef {{rows: Row[], pairs: Pair[], over_time: Course[], constructions: Construction[], plots: Plot[]}} Comparison */

const MEASURES = ["com", "comPrec", "softComPrec", "gflAgree", "heads", "heads_kappa", "relations", "relations_kappa", "tags", "tags_kappa"];
const KAPPA = /_kappa$/;

/** Words in the plots, as the server calls them. @type {Record<string, string>} */
const PLOT_WORDS = {
  "all": "group.all",
  "half hour of work": "plot.half-hour",
  "half hour of a session": "plot.session",
  "hours of work": "plot.hours",
  "words": "plot.words",
  "heads per word": "plot.density",
  "blocks per word": "plot.blocks",
  "words an hour": "plot.words-an-hour",
  "sentences an hour": "plot.sentences-an-hour",
  "speed": "plot.speed",
  "share as written": "plot.as-written",
  "share with a head": "plot.with-head",
};
/** @type {Record<string, string[]>} */
const GROUPS = { level: ["native", "fluent", "learning", "none"], experience: ["none", "some", "much"] };

/** @param {App} _app @param {HTMLElement} main */
export async function show(_app, main) {
  fill(main, el("div", { class: "page agreement" }, el("h1", { tabindex: "-1" }, t("agreement.title")), el("p", { role: "status" }, t("agreement.counting"))));
  /** @type {Comparison} */
  const compared = await compare();
  // Whoever did not want to wait is on another page by now.
  if (!isShown()) return { title: t("agreement.title") };
  const shown = el("div", { class: "page" });
  fill(main, el("div", { class: "page agreement" },
    el("h1", { tabindex: "-1" }, t("agreement.title")), el("p", {}, t("agreement.text")), shown));
  /** @type {By | null} */
  let by = null;
  const draw = (/** @type {Comparison} */ now) => {
    if (now.rows.length === 0) fill(shown, el("p", { class: "empty" }, t("agreement.empty")));
    else fill(shown, ...figures(now, by, (chosen) => { by = chosen; }));
  };
  draw(compared);
  void keepUp(shown, compared, draw);
  return { title: t("agreement.title") };
}

function isShown() {
  return location.hash.startsWith("#/agreement");
}

/** The least time between two looks at what has changed; what takes the server long is asked for less often. */
const REST = 10_000;

/** While the page is looked at, it follows the work of others. @param {HTMLElement} shown @param {Comparison} last @param {(now: Comparison) => void} draw */
async function keepUp(shown, last, draw) {
  let before = JSON.stringify(last);
  let rest = REST;
  for (;;) {
    await new Promise((done) => setTimeout(done, rest));
    if (!isShown() || !shown.isConnected) return;
    // Nothing is put anew under somebody who reads or chooses there.
    if (document.hidden || shown.contains(document.activeElement)) continue;
    const begun = performance.now();
    /** @type {Comparison | null} */
    const now = await compare().catch(() => null);
    rest = Math.max(REST, 20 * (performance.now() - begun));
    const text = JSON.stringify(now);
    if (!now || text === before || !isShown() || !shown.isConnected || shown.contains(document.activeElement)) continue;
    before = text;
    draw(now);
  }
}

/** @returns {Promise<Comparison>} */
function compare() {
  return get(`/api/agreement?words=${encodeURIComponent(JSON.stringify(plotWords()))}`, LONG_PATIENCE);
}

/** @returns {Record<string, string>} */
function plotWords() {
  const words = Object.fromEntries(Object.entries(PLOT_WORDS).map(([word, key]) => [word, t(key)]));
  for (const [kind, names] of Object.entries(GROUPS)) {
    for (const name of names) words[`${kind}: ${name}`] = t(`group.${kind}.${name}`);
  }
  return words;
}

/** @param {Comparison} compared @param {By | null} before what was chosen @param {(by: By) => void} choose */
function figures(compared, before, choose) {
  const shown = el("div", { class: "page" });
  const kinds = [...new Set(compared.plots.map((plot) => plot.by))];
  const select = el("select", { id: "agreement-by", onchange: () => { choose(/** @type {By} */ (select.value)); fill(shown, ...courses(compared, /** @type {By} */ (select.value))); } },
    ...kinds.map((kind) => el("option", { value: kind }, t(`agreement.by.${kind}`))));
  const first = before && kinds.includes(before) ? before : (kinds[0] ?? "annotator");
  select.value = first;
  fill(shown, ...courses(compared, first));
  return [
    meanings(),
    measureTable(compared.rows),
    compared.pairs.length > 0 ? pairTable(compared.pairs) : el("p", { class: "empty" }, t("agreement.no-pairs")),
    el("h2", {}, t("agreement.work")),
    kinds.length > 1 ? el("p", { class: "pair" }, el("label", { for: "agreement-by" }, t("agreement.show")), select) : null,
    shown,
  ];
}

function meanings() {
  const names = MEASURES.filter((name) => !KAPPA.test(name));
  const items = [...names, "kappa"].flatMap((name) => [el("dt", {}, t(`measure.${name}`)), el("dd", {}, t(`measure.${name}.text`))]);
  return el("details", { class: "box-card" }, el("summary", {}, t("agreement.meaning")), el("dl", {}, ...items));
}

/** Whether something is shown beside others of a kind: groups beside all. @param {Whom} of @param {By} by */
function belongs(of, by) {
  return of.kind === by || (of.kind === "all" && by !== "annotator");
}

/** @param {Comparison} compared @param {By} by */
function courses(compared, by) {
  const over = compared.over_time.filter((course) => belongs(course.of, by));
  const constructions = compared.constructions.filter((one) => belongs(one.of, by));
  const plots = compared.plots.filter((plot) => plot.by === by);
  return [
    el("div", { class: "figures" }, ...plots.map(picture)),
    over.some((course) => course.half_hours.length > 0) ? halfHours(over) : el("p", { class: "empty" }, t("agreement.no-time")),
    over.some((course) => course.half_hours.length > 0) ? tiring(over) : null,
    constructions.length > 0 ? constructionTable(constructions) : null,
    el("p", { class: "quiet" }, el("a", { href: "#/settings" }, t("agreement.define"))),
  ];
}

/** @param {Whom} of */
function called({ kind, name }) {
  if (kind === "annotator") return name;
  const key = kind === "all" ? "group.all" : `group.${kind}.${name}`;
  return hasText(key) ? t(key) : name;
}

/** @param {Measure[]} measures @param {string} name */
function value(measures, name) {
  const found = measures.find((measure) => measure.name === name);
  if (!found || found.value === null) return "–";
  const shown = KAPPA.test(name) ? decimal(found.value, 2) : percent(found.value);
  return el("span", {}, shown, " ", el("span", { class: "quiet" }, t("agreement.over", { n: decimal(found.n, 0) })));
}

/** Those of some measures that any row has. @param {string[]} names @param {{measures: Measure[]}[]} rows */
function found(names, rows) {
  return names.filter((name) => rows.some(({ measures }) => measures.some((one) => one.name === name && one.value !== null)));
}

/** @param {Row[]} rows */
function measureTable(rows) {
  const names = found(MEASURES, rows);
  const columns = [t("agreement.who"), t("agreement.sentences"), t("agreement.words"), t("agreement.hours"), ...names.map((name) => t(`measure.${name}`))];
  return table("agreement.measures", 1, columns, rows.map(({ of, sentences, words, seconds, measures }) => [
    called(of), decimal(sentences, 0), decimal(words, 0), decimal(seconds / 3600, 1), ...names.map((name) => value(measures, name))]));
}

/** @param {Pair[]} rows */
function pairTable(rows) {
  const names = found(MEASURES.slice(3), rows);
  const columns = [t("agreement.one"), t("agreement.other"), t("agreement.sentences"), t("agreement.com-prec"), t("agreement.soft-com-prec"), ...names.map((name) => t(`measure.${name}`))];
  const both = (/** @type {(number | null)[]} */ shares) => shares.map((share) => (share === null ? "–" : percent(share))).join(" · ");
  return table("agreement.pairs", 2, columns, rows.map((row) => [
    row.one, row.other, decimal(row.sentences, 0), both(row.comPrec), both(row.softComPrec), ...names.map((name) => value(row.measures, name))]));
}

/** @param {Course[]} over */
function halfHours(over) {
  const keys = ["who", "half-hour", "minutes", "finished", "words", "words-an-hour", "sentences-an-hour", "density", "blocks"];
  const columns = [...keys.map((key) => t(`agreement.${key}`)), t("measure.com"), t("measure.gflAgree")];
  const ratio = (/** @type {number | null} */ one) => (one === null ? "–" : decimal(one, 2));
  const rows = over.flatMap(({ of, half_hours: all }) => all.map((one) => [
    called(of), decimal(one.n, 0), decimal(one.seconds / 60, 0), decimal(one.sentences, 0), decimal(one.words, 0), decimal(one.words_per_hour, 0),
    decimal(one.sentences_per_hour, 1), ratio(one.heads_per_word), ratio(one.blocks_per_word), value(one.measures, "com"), value(one.measures, "gflAgree")]));
  return el("details", { class: "box-card" }, el("summary", {}, t("agreement.half-hours")), table("agreement.half-hours", 1, columns, rows));
}

/** Whether people slow down in the course of a session. @param {Course[]} over */
function tiring(over) {
  const columns = ["who", "later", "change", "interval"].map((key) => t(`agreement.${key}`));
  const change = (/** @type {number} */ share) => `${share >= 0 ? "+" : "−"}${percent(Math.abs(share))}`;
  return table("agreement.tiring", 1, columns, over.map(({ of, later_half_hours: n, change: found, change_interval: interval }) => [
    called(of), decimal(n, 0), found === null ? t("agreement.too-little") : change(found),
    interval === null ? "–" : t("agreement.from-to", { from: change(interval[0]), to: change(interval[1]) })]));
}

/** @param {Construction[]} rows */
function constructionTable(rows) {
  const columns = ["construction", "who", "as-written", "turned-round", "share", "agreed"].map((key) => t(`agreement.${key}`));
  const share = (/** @type {number | null} */ one) => (one === null ? "–" : percent(one));
  return table("agreement.constructions", 2, columns, rows.map((one) => [
    one.construction, called(one.of), decimal(one.as_written, 0), decimal(one.turned_round, 0), share(one.share),
    one.agreed === null ? "–" : el("span", {}, share(one.agreed), " ", el("span", { class: "quiet" }, t("agreement.over", { n: decimal(one.compared, 0) })))]));
}

/** @param {string} caption @param {number} nTexts columns of text, before those of numbers @param {string[]} columns @param {(string | Node)[][]} rows */
function table(caption, nTexts, columns, rows) {
  const head = el("tr", {}, ...columns.map((text, i) => el("th", { scope: "col", class: i < nTexts ? "" : "number" }, text)));
  const body = rows.map((row) => el("tr", {}, ...row.map((cell, i) => el(i === 0 ? "th" : "td", { scope: i === 0 ? "row" : null, class: i < nTexts ? "" : "number" }, cell))));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t(caption) },
    el("table", {}, el("caption", {}, t(caption)), el("thead", {}, head), el("tbody", {}, ...body)));
}

/** @param {Plot} plot */
function picture({ name, construction, svg }) {
  const title = t(`plot.title.${name}`, { construction: construction ?? "" });
  return el("figure", {}, el("figcaption", {}, title), el("p", { class: "quiet" }, t(`plot.text.${name}`)),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, svgOf(svg)));
}

// How far annotators agree: tables and the server's plots.

import { el, fill } from "./dom.js";
import { decimal, t } from "./strings.js";
import { get } from "./server.js";
import { svgOf } from "./picture.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {{name: string, title: string, value: number | null, n: number}} Measure */
/** @typedef {{one: string, other: string, sentences: number, heads: number, agree: number | null, kappa: number | null}} Pair */
/** @typedef {{title: string, svg: string}} Plot */

/** @param {App} _app @param {HTMLElement} main */
export async function show(_app, main) {
  const { measures, rows, plots } = await get("/api/agreement");
  const isEmpty = measures.length + rows.length + plots.length === 0;
  fill(main, el("div", { class: "page agreement" },
    el("h1", { tabindex: "-1" }, t("agreement.title")),
    el("p", {}, t("agreement.text")),
    isEmpty ? el("p", { class: "empty" }, t("agreement.empty")) : null,
    measures.length > 0 ? measureTable(measures) : null,
    rows.length > 0 ? pairTable(rows) : null,
    ...plots.map(plot)));
  return { title: t("agreement.title") };
}

/** @param {Measure[]} measures */
function measureTable(measures) {
  return table("agreement.measures", ["agreement.measure", "agreement.value", "agreement.n"],
    measures.map((one) => [one.title, number(one.value), decimal(one.n, 0)]));
}

/** @param {Pair[]} rows */
function pairTable(rows) {
  const columns = ["agreement.one", "agreement.other", "agreement.sentences", "agreement.heads", "agreement.agree", "agreement.kappa"];
  return table("agreement.pairs", columns,
    rows.map((row) => [row.one, row.other, decimal(row.sentences, 0), decimal(row.heads, 0), number(row.agree), number(row.kappa)]));
}

/** @param {number | null} value */
function number(value) {
  return value === null || value === undefined ? "–" : decimal(value, 3);
}

/** @param {string} caption @param {string[]} columns @param {string[][]} rows */
function table(caption, columns, rows) {
  const nTexts = caption === "agreement.pairs" ? 2 : 1;
  const head = el("tr", {}, ...columns.map((key, i) => el("th", { scope: "col", class: i < nTexts ? "" : "number" }, t(key))));
  const body = rows.map((row) => el("tr", {}, ...row.map((text, i) => el("td", { class: i < nTexts ? "" : "number" }, text))));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t(caption) },
    el("table", {}, el("caption", {}, t(caption)), el("thead", {}, head), el("tbody", {}, ...body)));
}

/** @param {Plot} plot */
function plot({ title, svg }) {
  return el("figure", {}, el("figcaption", {}, title),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, svgOf(svg)));
}

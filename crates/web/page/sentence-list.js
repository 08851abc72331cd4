// All sentences, a page at a time; the server does the paging.

import { button, el, fill, put } from "./dom.js";
import { t } from "./strings.js";
import { get } from "./server.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./types.js").Listed} Listed */

const FILTERS = ["all", "open", "submitted", "skipped", "unsure", "commented"];
const PAGE = 50;

/** @param {App} _app @param {HTMLElement} main @param {string[]} parts the filter and where to begin */
export async function show(_app, main, [filter = "all", begin = "0"]) {
  const wanted = FILTERS.includes(filter) ? filter : "all";
  const from = Math.max(0, Number(begin) || 0);
  const { total, sentences } = await get(`/api/sentences?from=${from}&n=${PAGE}&show=${wanted}`);
  fill(main, el("div", { class: "page sentences" },
    el("h1", { tabindex: "-1" }, t("list.title")),
    filters(wanted),
    sentences.length === 0 ? el("p", { class: "empty" }, t(`list.empty.${wanted}`)) : table(sentences),
    total > PAGE ? pager(wanted, from, total) : null));
  return { title: t("list.title") };
}

/** @param {string} wanted */
function filters(wanted) {
  const links = FILTERS.map((name) => {
    const link = el("a", { href: `#/sentences/${name}`, class: "button" }, t(`list.show.${name}`));
    put(link, "aria-current", name === wanted ? "true" : null);
    return el("li", {}, link);
  });
  return el("ul", { class: "filters row", "aria-label": t("list.filters") }, ...links);
}

/** @param {Listed[]} sentences */
function table(sentences) {
  const head = ["place", "text", "heads", "state"].map((name) => el("th", { scope: "col" }, t(`list.${name}`)));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("list.title") },
    el("table", { class: "list" }, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...sentences.map(row))));
}

/** @param {Listed} sentence */
function row(sentence) {
  const states = [sentence.submitted && "submitted", sentence.skipped && "skipped", sentence.unsure && "unsure"].filter(Boolean);
  return el("tr", {},
    el("td", { class: "number" }, String(sentence.place)),
    el("td", {}, el("a", { href: `#/sentence/${sentence.id}`, lang: "und", dir: "auto" }, sentence.text)),
    el("td", { class: "number" }, t("list.n-of", { n: sentence.n_heads, of: sentence.n_words })),
    el("td", {}, ...states.map((name) => el("span", { class: `badge ${name}` }, t(`badge.${name}`)))));
}

/** @param {string} wanted @param {number} from @param {number} total */
function pager(wanted, from, total) {
  const go = (/** @type {number} */ to) => () => { location.hash = `#/sentences/${wanted}/${to}`; };
  return el("nav", { class: "row pager", "aria-label": t("list.pages") },
    button(t("list.earlier"), go(Math.max(0, from - PAGE)), { disabled: from === 0 }),
    el("span", {}, t("list.range", { from: from + 1, to: Math.min(from + PAGE, total), total })),
    button(t("list.later"), go(from + PAGE), { disabled: from + PAGE >= total }));
}

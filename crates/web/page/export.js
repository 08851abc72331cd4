// Files to take away: in which format, of whom, with which remarks, and whether a machine fills in the rest.

import { el, fill } from "./dom.js";
import { leftOut } from "./server.js";
import { t } from "./strings.js";

/** @typedef {import("./app.js").App} App */

const FORMATS = ["conllu", "anno", "mrg", "json", "html", "questions"];
const PLACES = ["lines", "misc", "none"];
/** What a format may have no place for, as the server calls it. @type {Record<string, () => string>} */
const LOST = {
  "blocks with gaps": () => t("lost.gaps"),
  "heads": () => t("lost.heads"),
  "heads that were ruled out": () => t("lost.ruled-out"),
  "labels of blocks": () => t("lost.labels"),
  "main words": () => t("lost.main"),
  "relations": () => t("lost.relations"),
  "remarks": () => t("lost.remarks"),
  "tags": () => t("lost.tags"),
  "words that somebody is not sure of": () => t("lost.unsure"),
};

/** @param {App} app */
export function exportBox(app) {
  const who = el("select", { id: "export-who", onchange: follow }, el("option", { value: "" }, t("export.everybody")),
    ...app.project.annotators.map(({ id, name }) => el("option", { value: name || `annotator-${id}` }, name || t("export.nobody"))));
  const remarks = el("select", { id: "export-remarks", onchange: follow },
    ...PLACES.map((place) => el("option", { value: place }, t(`export.remarks-${place}`))));
  const suggestions = el("input", { type: "checkbox", id: "export-suggestions", onchange: follow });
  const links = FORMATS.map((format) => ({ format,
    link: el("a", { download: true, class: "button", onclick: () => void tell(format) }, t(`export.${format}`)) }));
  const said = el("p", { role: "status", class: "quiet", id: "export-left-out" });
  follow();

  /** @param {string} format */
  function address(format) {
    const query = new URLSearchParams({ format });
    if (who.value) query.set("annotator", who.value);
    if (["conllu", "anno"].includes(format)) query.set("comments", remarks.value);
    if (format === "conllu" && suggestions.checked) query.set("suggestions", "true");
    return `/api/export?${query}`;
  }

  function follow() {
    for (const { format, link } of links) link.href = address(format);
  }

  /** Says what the file that was just taken has no place for. @param {string} format */
  async function tell(format) {
    fill(said);
    const lost = Object.entries(await leftOut(address(format)));
    const what = lost.map(([name, n]) => `${LOST[name]?.() ?? name} (${n})`).join(", ");
    if (what) said.textContent = t("export.left-out", { format: t(`export.${format}`), what });
  }

  return el("section", { class: "box-card" }, el("h2", {}, t("settings.export")), el("p", {}, t("settings.export-text")),
    chosen(who, t("export.who")), chosen(remarks, t("export.remarks")),
    el("p", { class: "setting" }, suggestions, el("label", { for: "export-suggestions" }, t("export.suggestions"),
      el("span", { class: "quiet" }, t("export.suggestions-text")))),
    el("ul", { class: "exports" }, ...links.map(({ format, link }) => el("li", {}, link,
      el("span", { class: "quiet" }, t(`export.${format}-text`))))),
    said);
}

/** @param {HTMLSelectElement} select @param {string} name */
function chosen(select, name) {
  return el("p", { class: "setting" }, el("label", { for: select.id }, name), select);
}

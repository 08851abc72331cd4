// Who is annotating: asked once, because agreement and speed mean little without it.

import { el } from "./dom.js";
import { t } from "./strings.js";
import { send } from "./server.js";

/** @typedef {import("./app.js").App} App */

const LEVELS = ["native", "fluent", "learning", "none"];
const EXPERIENCES = ["none", "some", "much"];

/** @param {App} app @param {() => void} then */
export function firstUse(app, then) {
  const { annotator } = app.project;
  const name = el("input", { id: "annotator-name", type: "text", value: annotator.name, maxlength: "100", autocomplete: "name" });
  const level = choice("level", LEVELS, annotator.level);
  const experience = choice("experience", EXPERIENCES, annotator.experience);
  const save = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const wanted = { name: name.value.trim(), level: level.value, experience: experience.value };
    await app.attempt(async () => app.renew(await send("PUT", "/api/annotator", wanted)));
    then();
  };
  return el("section", { class: "box-card first-use" },
    el("h2", {}, t(annotator.is_new ? "first.title" : "first.change")),
    annotator.is_new ? el("p", {}, t("first.text")) : null,
    el("form", { class: "fields", onsubmit: save },
      el("label", { for: "annotator-name" }, t("first.name")), name,
      el("label", { for: "annotator-level" }, t("first.level")), level,
      el("label", { for: "annotator-experience" }, t("first.experience")), experience,
      el("button", { type: "submit", class: "primary" }, t("first.save"))));
}

/** @param {string} what @param {string[]} names @param {string | null} chosen */
function choice(what, names, chosen) {
  return el("select", { id: `annotator-${what}` },
    ...names.map((name) => el("option", { value: name, selected: name === chosen }, t(`${what}.${name}`))));
}

// Settings of the project and of this browser, files to take away, and the annotator's record.

import { button, el, fill, put } from "./dom.js";
import { exportBox } from "./export.js";
import { LANGUAGES, loadStrings, percent, t, translate } from "./strings.js";
import { firstUse } from "./first-use.js";
import { modelBox } from "./model-box.js";
import { send, Trouble } from "./server.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {"suggestions" | "labels" | "stages" | "blind"} Switch */

/** @type {Switch[]} */
const SWITCHES = ["suggestions", "labels", "stages", "blind"];

/** @param {App} app @param {HTMLElement} main */
export async function show(app, main) {
  const model = modelBox(app);
  fill(main, el("div", { class: "page settings" },
    el("h1", { tabindex: "-1" }, t("settings.title")),
    el("section", { class: "box-card" }, el("h2", {}, t("settings.work")), ...SWITCHES.map((name) => toggle(app, name)), threshold(app), modelChoice(app)),
    app.project.annotator.id === 1 ? names(app) : null,
    app.project.annotator.id === 1 ? constructions(app) : null,
    el("section", { class: "box-card" }, el("h2", {}, t("settings.here")), language(app), keys(app)),
    model.element,
    exportBox(app),
    firstUse(app, () => void app.route())));
  return { title: t("settings.title"), progress: model.progress, trained: model.trained };
}

/** @param {App} app @param {Switch} name */
function toggle(app, name) {
  const box = el("input", { type: "checkbox", id: `set-${name}`, checked: app.project.settings[name],
    onchange: () => void app.saveSettings({ [name]: box.checked }) });
  return labelled(box, t(`settings.${name}`), t(`settings.${name}-text`));
}

/** @param {HTMLInputElement} box @param {string} name @param {string} text */
function labelled(box, name, text) {
  return el("p", { class: "setting" }, box, el("label", { for: box.id }, name, el("span", { class: "quiet" }, text)));
}

/** @param {App} app */
function threshold(app) {
  const shown = el("output", { for: "set-threshold" }, percent(app.project.settings.threshold));
  const slider = el("input", { type: "range", id: "set-threshold", min: "0.5", max: "1", step: "0.01", value: app.project.settings.threshold,
    oninput: () => { shown.textContent = percent(Number(slider.value)); },
    onchange: () => void app.saveSettings({ threshold: Number(slider.value) }) });
  return el("p", { class: "setting" }, el("label", { for: "set-threshold" }, t("settings.threshold")), slider, shown);
}

/** Files are named where the program is started; nobody can name one here. @param {App} app */
function modelChoice(app) {
  const { settings, model_file: file } = app.project;
  const names = [["convexmst", t("settings.model.convexmst")], ["gpc", t("settings.model.gpc")]];
  if (file) names.push(["file", t("settings.model.file", { file })]);
  const select = el("select", { id: "set-model", "aria-describedby": "set-model-text", onchange: () => void app.saveSettings({ model: select.value }) },
    ...names.map(([value, name]) => el("option", { value, selected: value === settings.model }, name)));
  return el("div", {},
    el("p", { class: "setting" }, el("label", { for: "set-model" }, t("settings.model")), select),
    el("p", { class: "quiet", id: "set-model-text" }, t(file ? "settings.model-text" : "settings.model-text-no-file")));
}

/** Sends what was typed; what is wrong with it is told, and what was typed stays. @param {App} app @param {HTMLElement[]} boxes @param {HTMLElement} told @param {() => object} typed */
async function saveTyped(app, boxes, told, typed) {
  try {
    app.renew(await send("PUT", "/api/settings", typed()));
    boxes.forEach((box) => put(box, "aria-invalid", null));
    told.textContent = t("settings.constructions-saved");
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    boxes.forEach((box) => put(box, "aria-invalid", "true"));
    told.textContent = error.message;
  }
}

/** The relations and tags that are offered. @param {App} app */
function names(app) {
  const told = el("p", { id: "names-told", role: "status", class: "constructions-told" });
  const box = (/** @type {"relations" | "tags"} */ which) => {
    const area = el("textarea", { id: `set-${which}`, rows: "4", spellcheck: "false", "aria-describedby": "names-text names-told" });
    area.value = app.project.settings[which].join(" ");
    return area;
  };
  const [relations, tags] = [box("relations"), box("tags")];
  const listed = (/** @type {HTMLTextAreaElement} */ area) => [...new Set(area.value.split(/\s+/).filter(Boolean))];
  const save = () => saveTyped(app, [relations, tags], told, () => ({ relations: listed(relations), tags: listed(tags) }));
  return el("section", { class: "box-card" },
    el("h2", {}, t("settings.names")), el("p", { id: "names-text" }, t("settings.names-text")),
    el("label", { for: "set-relations" }, t("settings.names-relations")), relations,
    el("label", { for: "set-tags" }, t("settings.names-tags")), tags,
    told, el("p", {}, button(t("settings.names-save"), () => void save())));
}

/** Definitions of constructions; what is wrong with them is told with line and column. @param {App} app */
function constructions(app) {
  const box = el("textarea", { id: "set-constructions", rows: "5", spellcheck: "false", "aria-describedby": "constructions-text constructions-told", dir: "auto" });
  box.value = app.project.settings.constructions ?? "";
  const told = el("p", { id: "constructions-told", role: "status", class: "constructions-told" });
  const save = () => saveTyped(app, [box], told, () => ({ constructions: box.value }));
  return el("section", { class: "box-card" },
    el("h2", {}, el("label", { for: "set-constructions" }, t("settings.constructions"))),
    el("p", { id: "constructions-text" }, t("settings.constructions-text")),
    el("pre", {}, el("code", {}, "preposition: ADP < NOUN|PROPN, head first\nsubject: NOUN|PRON > VERB, relation nsubj|csubj\nfuture: \"will\"|\"shall\" > VERB")),
    box, told, el("p", {}, button(t("settings.constructions-save"), () => void save())));
}

/** @param {App} app */
function language(app) {
  const select = el("select", { id: "set-language", onchange: () => void change() },
    ...Object.entries(LANGUAGES).map(([code, name]) => el("option", { value: code, lang: code, selected: code === document.documentElement.lang }, name)));
  async function change() {
    app.prefer({ language: select.value });
    await loadStrings(select.value);
    translate(document);
    app.redrawStatus();
    await app.route();
  }
  return el("p", { class: "setting" }, el("label", { for: "set-language" }, t("settings.language")), select);
}

/** @param {App} app */
function keys(app) {
  const box = el("input", { type: "checkbox", id: "set-keys", checked: app.preferences.keys, onchange: () => app.prefer({ keys: box.checked }) });
  return labelled(box, t("settings.keys"), t("settings.keys-text"));
}

// What suggests, what it was learned from, and whether its probabilities mean what they say.

import { counted, t } from "./strings.js";

/** @typedef {import("./types.js").Learned} Learned */
/** @typedef {import("./types.js").ShownModel} ShownModel */

/** The name of a model: that of its file, if it was learned before. @param {{kind: string, file: string | null}} model */
export function nameOf({ kind, file }) {
  return file ?? t(`model.kind.${kind}`);
}

/** Whether nothing that is annotated changes it. @param {Learned | null} model */
export function isFixed(model) {
  return !!model?.file && model.relations?.n_arcs === null;
}

/** All there is to say. @param {Learned | null} model @param {boolean} withRelations */
export function modelFacts(model, withRelations) {
  if (!model) return t("model.none");
  const kind = t(`model.kind.${model.kind}`);
  const origin = originOf(model, kind);
  const calibrated = t(model.calibrated ? "model.calibrated" : model.file ? "model.not-calibrated" : "model.uncalibrated");
  const parts = [model.instead ? t("model.instead", { why: model.instead }) : "", origin, calibrated, withRelations ? relationFacts(model) : ""];
  return parts.filter(Boolean).join(" ");
}

/** Not every file says how many sentences it was learned from. @param {Learned} model @param {string} kind */
function originOf({ file, trained_on: n }, kind) {
  if (!file) return counted("model.facts", n, { kind });
  return n > 0 ? counted("model.of-file", n, { file, kind }) : t("model.of-file-unknown", { file, kind });
}

/** @param {Learned} model */
function relationFacts({ relations }) {
  if (!relations) return t("model.relations-none");
  const { n_arcs: n, calibrated } = relations;
  const origin = n === null ? t("model.relations-file") : counted("model.relations", n);
  return `${origin} ${t(calibrated ? "model.relations-calibrated" : "model.relations-uncalibrated")}`;
}

/** In a few words, beside what it suggests. @param {ShownModel | null | undefined} model */
export function modelLine(model) {
  if (!model) return "";
  const name = nameOf(model);
  if (!model.calibrated) return t(model.file ? "model.line.never" : "model.line.not-yet", { name });
  return t(model.calibrated_relations === false ? "model.line.heads" : "model.line.calibrated", { name });
}

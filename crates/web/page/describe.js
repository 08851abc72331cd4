// Arcs and edits as sentences, in the annotator's language. Direction was the commonest mistake of
// annotators who wrote angle brackets, so each arc is put into words.

import { counted, t } from "./strings.js";
import { bracketOf, textOf, wordOf } from "./units.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Unit} Unit */
/** @typedef {import("./types.js").Head} Head */
/** @typedef {import("./types.js").Change} Change */
/** @typedef {import("./types.js").Happening} Happening */

/** A word or block in quotation marks. @param {View} view @param {Unit} unit */
export function named(view, unit) {
  if (unit === 0) return t("name.root");
  return t("name.quoted", { text: isolated(textOf(view, unit)) });
}

/** Letters that are written from right to left. */
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Keeps right-to-left words from turning round the sentence they are quoted in. @param {string} text */
export function isolated(text) {
  return RTL.test(text) ? `\u2068${text}\u2069` : text;
}

/** @param {View} view @param {Unit} of @param {Head} to @param {string | null} [relation] */
export function arcSentence(view, of, to, relation) {
  const dependent = named(view, of);
  if (to === null) return t("say.open", { dependent });
  if (to === 0) return t("say.root", { dependent });
  const head = named(view, to);
  return relation ? t("say.belongs-as", { dependent, head, relation }) : t("say.belongs", { dependent, head });
}

/** All arcs that a person has said, as sentences. @param {View} view @param {boolean} withRelations */
export function arcSentences(view, withRelations) {
  const words = view.words.filter((word) => word.head !== null && word.by !== "machine");
  const blocks = view.brackets.filter((bracket) => bracket.depends_on !== null);
  return [
    ...words.map((word) => arcSentence(view, word.n, word.head, withRelations ? word.relation : null)),
    ...blocks.map((block) => arcSentence(view, { bracket: block.id }, block.depends_on, withRelations ? block.relation : null)),
  ];
}

/** @param {View} view @param {Happening} happening */
export function happeningSentence(view, happening) {
  if (happening.kind !== "edit") return t(`did.${happening.kind}`, { stage: happening.stage ?? 0 });
  return changesSentence(view, happening.changes ?? []);
}

/** @param {View} view @param {Change[]} changes */
export function changesSentence(view, changes) {
  return changes.map((change) => changeSentence(view, change)).join(" ");
}

/** @param {View} view @param {Change} change @returns {string} */
function changeSentence(view, change) {
  if (change.head) return arcSentence(view, change.head.of, change.head.to, change.head.relation);
  if (change.accept) return acceptSentence(view, change.accept.heads);
  if (change.flip) return t("say.flip", { word: named(view, change.flip.of) });
  if (change.bracket) return blockSentence(view, change.bracket);
  if (change.unbracket) return t("say.unblock", { words: blockText(view, change.unbracket.id) });
  if (change.comment) return t(change.comment.text === null ? "say.comment-gone" : "say.comment");
  if (change.gfl) return t("say.gfl");
  return wordSentence(view, change);
}

/** @param {View} view @param {Change} change @returns {string} */
function wordSentence(view, change) {
  const { relation, tag, main, unsure, forbid } = change;
  if (relation) return labelSentence("relation", named(view, relation.of), relation.is);
  if (tag) return labelSentence("tag", named(view, tag.of), tag.is);
  if (main) return t(main.is ? "say.main" : "say.not-main", { word: named(view, main.of) });
  if (unsure) return t(unsure.is ? "say.unsure" : "say.sure", { word: named(view, unsure.of) });
  if (!forbid) return "";
  const values = { dependent: named(view, forbid.of), head: named(view, forbid.to) };
  return t(forbid.is ? "say.forbid" : "say.allow", values);
}

/** @param {string} what @param {string} word @param {string | null} is */
function labelSentence(what, word, is) {
  return is === null ? t(`say.no-${what}`, { word }) : t(`say.${what}`, { word, is });
}

/** @param {View} view @param {import("./types.js").Accepted[]} heads */
function acceptSentence(view, heads) {
  const only = heads.length === 1 ? heads[0] : undefined;
  return only ? arcSentence(view, only.of, only.to, only.relation) : counted("say.accept", heads.length);
}

/** @param {View} view @param {NonNullable<Change["bracket"]>} block */
function blockSentence(view, block) {
  const words = isolated(block.words.map((n) => wordOf(view, n)?.form ?? "").join(" "));
  if (block.head !== null) return t("say.block-head", { words, head: named(view, block.head) });
  if (block.label) return t("say.block-label", { words, label: block.label });
  return t(block.kind === "multiword" ? "say.multiword" : "say.block", { words });
}

/** @param {View} view @param {number} id */
function blockText(view, id) {
  return isolated((bracketOf(view, id)?.words ?? []).map((n) => wordOf(view, n)?.form ?? "").join(" "));
}

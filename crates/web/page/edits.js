// From what a person wants to the changes that say it. Pure functions of the view: they either give
// changes or a sentence why it cannot be.

import { t } from "./strings.js";
import { blocksAround, bracketOf, crossedBy, headOf, same, textOf, wordOf, wordsOf } from "./units.js";
import { named } from "./describe.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Unit} Unit */
/** @typedef {import("./types.js").Head} Head */
/** @typedef {import("./types.js").Change} Change */
/** @typedef {import("./types.js").Accepted} Accepted */
/** @typedef {Change[] | string} Wanted changes, or why not */

/** @param {View} view @param {Unit} of @param {Unit} to @returns {Wanted} */
export function belongsTo(view, of, to) {
  if (same(of, to)) return t("no.itself", { word: named(view, of) });
  if (holdsUnit(view, of, to)) return t("no.own-block", { word: named(view, of) });
  // Two that belong to each other would contradict; the newer saying wins.
  const back = to !== 0 && same(headOf(view, to), of);
  /** @type {Change[]} */
  const freed = back ? [{ head: { of: to, to: null } }] : [];
  return [...freed, ...unrelated(view, of, to), { head: { of, to } }];
}

/** A root has the relation of roots, and nothing else has: another one does not outlive the head that it was said of. @param {View} view @param {Unit} of @param {Unit} to @returns {Change[]} */
function unrelated(view, of, to) {
  const relation = typeof of === "number" ? wordOf(view, of)?.relation : bracketOf(view, of.bracket)?.relation;
  if (!relation || headOf(view, of) === null) return [];
  return /^root(:|$)/i.test(relation) === (to === 0) ? [] : [{ relation: { of, is: null } }];
}

/** @param {View} view @param {Unit} a @param {Unit} b */
function holdsUnit(view, a, b) {
  if (b === 0 || typeof a === "number") return false;
  const inner = wordsOf(view, b);
  const outer = wordsOf(view, a);
  return inner.length > 0 && inner.every((n) => outer.includes(n));
}

/** @param {View} view @param {Unit} of @returns {Wanted} */
export function openAgain(view, of) {
  if (headOf(view, of) === null) return t("no.is-open", { word: named(view, of) });
  return [{ head: { of, to: null } }];
}

/** @param {View} view @param {Unit} of @returns {Wanted} */
export function flipped(view, of) {
  const head = headOf(view, of);
  if (head === null || head === 0) return t("no.flip", { word: named(view, of) });
  return [{ flip: { of } }];
}

/** @param {View} view @param {Unit} of @returns {Wanted} */
export function mainToggled(view, of) {
  if (typeof of !== "number") return t("no.word-only");
  return [{ main: { of, is: !wordOf(view, of)?.main } }];
}

/** @param {View} view @param {Unit} of @returns {Wanted} */
export function unsureToggled(view, of) {
  if (typeof of !== "number") return t("no.word-only");
  return [{ unsure: { of, is: !wordOf(view, of)?.unsure } }];
}

/** @param {View} view @param {number[]} words @param {"bracket" | "multiword"} kind @returns {Wanted} */
export function newBlock(view, words, kind) {
  if (words.length < 2) return t("no.block-of-one");
  const twin = view.brackets.find((one) => one.words.length === words.length && one.words.every((n) => words.includes(n)));
  if (twin) return t("no.block-twice", { words: textOf(view, { bracket: twin.id }) });
  const crossed = crossedBy(view, words);
  if (crossed) return t("no.crossing", { words: textOf(view, { bracket: crossed.id }) });
  const id = Math.max(0, ...view.brackets.map((one) => one.id)) + 1;
  return [{ bracket: { id, kind, words, head: null, label: null } }];
}

/** @param {View} view @param {Unit} unit @returns {Wanted} */
export function dissolved(view, unit) {
  const id = typeof unit === "number" ? blocksAround(view, unit)[0]?.id : unit.bracket;
  return id === undefined ? t("no.block-here") : [{ unbracket: { id } }];
}

/** @param {View} view @param {number} id @param {number} head @returns {Wanted} */
export function blockHead(view, id, head) {
  const block = bracketOf(view, id);
  if (!block) return t("no.block-here");
  return [changed(block, { head: same(block.head, head) ? null : head })];
}

/** @param {View} view @param {number} id @param {string | null} label @returns {Wanted} */
export function blockLabel(view, id, label) {
  const block = bracketOf(view, id);
  return block ? [changed(block, { label })] : t("no.block-here");
}

/** @param {import("./types.js").Bracket} block @param {{head?: Head, label?: string | null}} by @returns {Change} */
function changed({ id, kind, words, head, label }, by) {
  return { bracket: { id, kind, words, head, label, ...by } };
}

/** @param {View} view @param {Unit} of @param {string | null} is @returns {Wanted} */
export function related(view, of, is) {
  if (headOf(view, of) === null) return t("no.relation-without-head", { word: named(view, of) });
  return [{ relation: { of, is } }];
}

/** The suggestion of one word as it was shown. @param {View} view @param {Unit} of @returns {Accepted | undefined} */
export function shownFor(view, of) {
  const word = typeof of === "number" ? wordOf(view, of) : undefined;
  const guess = word?.suggested;
  if (!word || !guess || word.head !== null || guess.head === null) return undefined;
  return { of: word.n, to: guess.head, p: guess.p, ...(guess.relation ? { relation: guess.relation } : {}) };
}

/** @param {View} view @param {Unit} of @returns {Wanted} */
export function accepted(view, of) {
  const shown = shownFor(view, of);
  return shown ? [{ accept: { heads: [shown] } }] : t("no.suggestion", { word: named(view, of) });
}

/** A relation is taken along where it is that sure, too. @param {View} view @param {number} threshold @returns {Accepted[]} */
export function sureSuggestions(view, threshold) {
  return view.words.flatMap((word) => {
    const shown = shownFor(view, word.n);
    if (!shown || shown.p < threshold) return [];
    const { of, to, p } = shown;
    return [p * (word.suggested?.relation_p ?? 1) >= threshold ? shown : { of, to, p }];
  });
}

/** @param {View} view @param {number} threshold @returns {Wanted} */
export function allAccepted(view, threshold) {
  const heads = sureSuggestions(view, threshold);
  return heads.length > 0 ? [{ accept: { heads } }] : t("no.sure-suggestion");
}

/** @param {View} view @param {import("./types.js").CommentPlace} on @param {string} text @returns {Wanted} */
export function newComment(view, on, text) {
  const n = Math.max(0, ...view.comments.map((one) => one.n)) + 1;
  return text.trim() ? [{ comment: { n, on, text: text.trim() } }] : t("no.empty-comment");
}

// What annotators say differently besides the heads of words: tags, relations, blocks. Pure functions; blocks are known by
// their words, since everybody numbers their own.

import { t } from "./strings.js";
import { crossedBy, textOf, wordOf, wordsOf } from "./units.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Unit} Unit */
/** @typedef {import("./types.js").Head} Head */
/** @typedef {import("./types.js").Change} Change */
/** @typedef {Change[] | string} Wanted changes, or why not */
/** @typedef {"tag" | "relation" | "block" | "block-head" | "label" | "attachment"} What */
/** @typedef {{what: What, words: number[]}} Difference */

/** The block of these words. @param {View} view @param {number[]} words */
export function blockOf(view, words) {
  return view.brackets.find((one) => one.words.length === words.length && one.words.every((n) => words.includes(n)));
}

/** A unit of one view in another; null if that has no such block. @param {View} view @param {View} from @param {Head} unit @returns {Head} */
export function translated(view, from, unit) {
  if (unit === null || typeof unit === "number") return unit;
  const block = blockOf(view, wordsOf(from, unit));
  return block ? { bracket: block.id } : null;
}

/** What a view says of it: empty where it says nothing. @param {View} view @param {Difference} difference */
export function saidOf(view, { what, words }) {
  const [n = 0] = words;
  const [word, block] = [wordOf(view, n), blockOf(view, words)];
  const unit = words.length > 1 ? block : word;
  const of = (/** @type {Head | undefined} */ head) => {
    if (head === null || head === undefined) return "";
    if (head === 0) return t("board.is-root");
    const numbers = wordsOf(view, head).join("+");
    return `${textOf(view, head)} (${numbers})`;
  };
  if (what === "tag") return word?.tag_by === "person" ? (word.tag ?? "") : "";
  if (what === "relation") return unit?.relation ?? "";
  if (what === "block") return t(block ? `block.${block.kind}` : "adjudicate.no-block");
  if (what === "block-head") return of(block?.head);
  if (what === "label") return block?.label ?? "";
  return of(block?.depends_on);
}

/** What has to be changed in a view so that it says the same as another. @param {View} view @param {View} from @param {Difference} difference @returns {Wanted} */
export function taken(view, from, difference) {
  const { what, words } = difference;
  const [n = 0] = words;
  const [there, theirs] = [blockOf(view, words), blockOf(from, words)];
  if (what === "block") return blockTaken(view, from, words);
  const said = saidOf(from, difference) || null;
  if (what === "tag") return [{ tag: { of: n, is: said } }];
  if (words.length > 1 && !there) return t("adjudicate.block-first");
  const unit = there && words.length > 1 ? { bracket: there.id } : n;
  if (what === "relation") return [{ relation: { of: unit, is: said } }];
  if (!there || !theirs) return t("adjudicate.block-first");
  const { id, kind, head, label } = there;
  if (what === "label") return [{ bracket: { id, kind, words, head, label: said } }];
  const wanted = what === "block-head" ? theirs.head : theirs.depends_on;
  const to = translated(view, from, wanted);
  if (to === null && wanted !== null) return t("adjudicate.block-first");
  if (what === "block-head") return [{ bracket: { id, kind, words, head: to, label } }];
  const relation = theirs.relation ? { relation: theirs.relation } : {};
  return [{ head: { of: unit, to, ...relation } }];
}

/** @param {View} view @param {View} from @param {number[]} words @returns {Wanted} */
function blockTaken(view, from, words) {
  const [there, theirs] = [blockOf(view, words), blockOf(from, words)];
  if (!theirs) return there ? [{ unbracket: { id: there.id } }] : [];
  const crossed = crossedBy(view, words);
  if (!there && crossed) return t("no.crossing", { words: textOf(view, { bracket: crossed.id }) });
  const id = there?.id ?? Math.max(0, ...view.brackets.map((one) => one.id)) + 1;
  return [{ bracket: { id, kind: theirs.kind, words, head: translated(view, from, theirs.head), label: theirs.label } }];
}

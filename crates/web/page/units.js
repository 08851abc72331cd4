// Words and blocks of a view, and how they are found. Pure functions.

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Unit} Unit */
/** @typedef {import("./types.js").Head} Head */
/** @typedef {import("./types.js").Bracket} Bracket */

/** A unit as an attribute's value: `w3`, `b1`; the root is `w0`. @param {Unit} unit */
export function keyOf(unit) {
  return typeof unit === "number" ? `w${unit}` : `b${unit.bracket}`;
}

/** @param {string} key @returns {Unit} */
export function unitOf(key) {
  const n = Number(key.slice(1));
  return key[0] === "b" ? { bracket: n } : n;
}

/** @param {Head | undefined} a @param {Head | undefined} b */
export function same(a, b) {
  if (a === null || b === null || a === undefined || b === undefined) return (a ?? null) === (b ?? null);
  return keyOf(a) === keyOf(b);
}

/** @param {View} view @param {number} n */
export function wordOf(view, n) {
  return view.words.find((word) => word.n === n);
}

/** @param {View} view @param {number} id */
export function bracketOf(view, id) {
  return view.brackets.find((bracket) => bracket.id === id);
}

/** @param {View} view @param {Unit} unit @returns {boolean} */
export function exists(view, unit) {
  return typeof unit === "number" ? wordOf(view, unit) !== undefined : bracketOf(view, unit.bracket) !== undefined;
}

/** @param {View} view @param {Unit} unit @returns {Head} */
export function headOf(view, unit) {
  if (typeof unit === "number") return wordOf(view, unit)?.head ?? null;
  return bracketOf(view, unit.bracket)?.depends_on ?? null;
}

/** @param {View} view @param {Unit} unit @returns {number[]} */
export function wordsOf(view, unit) {
  return typeof unit === "number" ? [unit] : (bracketOf(view, unit.bracket)?.words ?? []);
}

/** @param {View} view @param {Unit} unit @returns {string} */
export function textOf(view, unit) {
  return wordsOf(view, unit).map((n) => wordOf(view, n)?.form ?? "").join(" ");
}

/** Blocks around a word, the smallest first. @param {View} view @param {number} n */
export function blocksAround(view, n) {
  return view.brackets
    .filter((bracket) => bracket.words.includes(n))
    .sort((a, b) => a.words.length - b.words.length);
}

/** The block this unit stands in directly. @param {View} view @param {Unit} unit */
export function blockAround(view, unit) {
  if (typeof unit === "number") return blocksAround(view, unit)[0];
  const inner = bracketOf(view, unit.bracket);
  if (!inner) return undefined;
  return blocksAround(view, inner.words[0] ?? 0).find((outer) => outer.id !== inner.id && holds(outer, inner));
}

/** @param {Bracket} outer @param {Bracket} inner */
function holds(outer, inner) {
  return outer.words.length > inner.words.length && inner.words.every((n) => outer.words.includes(n));
}

/** Blocks that stand in no other. @param {View} view */
export function topBlocks(view) {
  return view.brackets.filter((inner) => !view.brackets.some((outer) => outer !== inner && holds(outer, inner)));
}

/** The block that these words would cut through, if any. @param {View} view @param {number[]} words @param {number} [except] */
export function crossedBy(view, words, except) {
  const wanted = new Set(words);
  return view.brackets.find((bracket) => {
    if (bracket.id === except) return false;
    const shared = bracket.words.filter((n) => wanted.has(n)).length;
    return shared > 0 && shared < bracket.words.length && shared < wanted.size;
  });
}

/** What belongs to this unit directly, in reading order. @param {View} view @param {Unit} unit @returns {Unit[]} */
export function dependentsOf(view, unit) {
  const words = view.words.filter((word) => same(word.head, unit)).map((word) => word.n);
  const blocks = view.brackets.filter((b) => same(b.depends_on, unit)).map((b) => ({ bracket: b.id }));
  return [...words, ...blocks];
}

/** @param {View} view @param {number} from @param {number} to @returns {number[]} */
export function run(view, from, to) {
  const [first, last] = from < to ? [from, to] : [to, from];
  return view.words.map((word) => word.n).filter((n) => n >= first && n <= last);
}

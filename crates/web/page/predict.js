// What a view will look like when the server has taken what is still under way.
//
// The server decides; this is only for the milliseconds until it has answered, and for
// annotating on while there is no connection, so that keys act on what was said last.

import { same } from "./units.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Change} Change */
/** @typedef {import("./types.js").TreeletEvent} TreeletEvent */
/** @typedef {import("./types.js").Unit} Unit */
/** @typedef {import("./types.js").Head} Head */

/** @param {View} view @param {TreeletEvent[]} events @returns {View} */
export function predict(view, events) {
  if (events.length === 0) return view;
  const next = structuredClone(view);
  for (const event of standing(events)) applyEvent(next, event);
  return next;
}

/**
 * Whether the next view is known without the server: an undo may reach behind what is under way,
 * and only the server reads GFL.
 * @param {TreeletEvent[]} events
 */
export function isPredictable(events) {
  return events.every((event) => event.kind !== "undo" && event.kind !== "redo" && !event.changes?.some(isText));
}

/** @param {Change} change */
function isText(change) {
  return change.gfl !== undefined;
}

/** Events that are left after an undo has taken back the edit before it. @param {TreeletEvent[]} events */
function standing(events) {
  /** @type {TreeletEvent[]} */
  const kept = [];
  /** @type {TreeletEvent[]} */
  const undone = [];
  for (const event of events) {
    if (event.kind === "undo") moveLastEdit(kept, undone);
    else if (event.kind === "redo") moveLastEdit(undone, kept);
    else kept.push(event);
  }
  return kept;
}

/** @param {TreeletEvent[]} from @param {TreeletEvent[]} to */
function moveLastEdit(from, to) {
  const at = from.findLastIndex((event) => event.kind === "edit");
  if (at >= 0) to.push(...from.splice(at, 1));
}

/** @param {View} view @param {TreeletEvent} event */
function applyEvent(view, event) {
  if (event.kind === "stage") view.stage = event.stage ?? view.stage;
  if (event.kind === "submit") Object.assign(view, { submitted: true, skipped: false });
  if (event.kind === "skip") view.skipped = true;
  if (event.kind === "reopen") Object.assign(view, { submitted: false, skipped: false });
  if (event.kind !== "edit") return;
  for (const change of event.changes ?? []) applyChange(view, change);
  view.can_undo = true;
}

/** @param {View} view @param {Change} change */
function applyChange(view, change) {
  if (change.head) setHead(view, change.head.of, change.head.to, change.head.relation);
  // A relation that was said stays.
  if (change.accept) for (const one of change.accept.heads) setHead(view, one.of, one.to, view.words.find((word) => word.n === one.of)?.relation ?? one.relation);
  if (change.flip) flip(view, change.flip.of);
  if (change.bracket) setBracket(view, change.bracket);
  if (change.unbracket) view.brackets = view.brackets.filter((one) => one.id !== change.unbracket?.id);
  if (change.comment) setComment(view, change.comment);
  if (change.gfl) view.gfl = change.gfl.text;
  applyToWord(view, change);
}

/** @param {View} view @param {Change} change */
function applyToWord(view, change) {
  const of = change.relation?.of ?? change.tag?.of ?? change.main?.of ?? change.unsure?.of;
  const word = view.words.find((one) => one.n === of);
  if (!word) return;
  if (change.relation) word.relation = change.relation.is;
  if (change.tag) word.tag = change.tag.is;
  if (change.main) word.main = change.main.is;
  if (change.unsure) word.unsure = change.unsure.is;
}

/** @param {View} view @param {Unit} of @param {Head} to @param {string | null} [relation] */
function setHead(view, of, to, relation) {
  if (typeof of !== "number") {
    const bracket = view.brackets.find((one) => one.id === of.bracket);
    if (bracket) bracket.depends_on = to;
    return;
  }
  const word = view.words.find((one) => one.n === of);
  if (!word) return;
  word.relation = relation ?? (same(word.head, to) ? word.relation : null);
  word.head = to;
  word.by = to === null ? null : "person";
  word.suggested = null;
}

/** The dependent takes its head's place. @param {View} view @param {Unit} of */
function flip(view, of) {
  const word = view.words.find((one) => one.n === of);
  const above = view.words.find((one) => word && one.n === word.head);
  if (!word || !above) return;
  const place = above.head;
  setHead(view, above.n, word.n, word.relation);
  setHead(view, word.n, place);
}

/** @param {View} view @param {NonNullable<Change["bracket"]>} wanted */
function setBracket(view, wanted) {
  const old = view.brackets.find((one) => one.id === wanted.id);
  if (old) Object.assign(old, wanted);
  else view.brackets.push({ ...wanted, members: wanted.words, parent: null, depends_on: null });
}

/** @param {View} view @param {NonNullable<Change["comment"]>} wanted */
function setComment(view, { n, on, text }) {
  view.comments = view.comments.filter((one) => one.n !== n);
  if (text !== null) view.comments.push({ n, on, text });
}

// What each command does; keys and buttons call the same ones.

import { accepted, allAccepted, blockHead, dissolved, flipped, mainToggled, newBlock, openAgain, shownFor, unsureToggled } from "./edits.js";
import { blockAround, dependentsOf, headOf, same, wordsOf } from "./units.js";
import { choices } from "./alternatives.js";
import { codes } from "./hints.js";
import { arcSentences } from "./describe.js";
import { say } from "./spoken.js";
import { t } from "./strings.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./types.js").Via} Via */
/** @typedef {import("./types.js").Unit} Unit */

/** @type {Record<string, (desk: Desk, via: Via) => void>} */
export const COMMANDS = {
  left: (desk) => step(desk, desk.view.direction === "rtl" ? 1 : -1, false),
  right: (desk) => step(desk, desk.view.direction === "rtl" ? -1 : 1, false),
  extendLeft: (desk) => step(desk, desk.view.direction === "rtl" ? 1 : -1, true),
  extendRight: (desk) => step(desk, desk.view.direction === "rtl" ? -1 : 1, true),
  gather: (desk) => desk.gather(desk.current),
  first: (desk) => desk.moveTo(desk.view.words[0]?.n ?? 1),
  last: (desk) => desk.moveTo(desk.view.words.at(-1)?.n ?? 1),
  toHead,
  toDependent,
  toBlock,
  nextOpen,

  belongs: (desk) => desk.await("belongs", unitCodes(desk)),
  belongsBefore: (desk, via) => besides(desk, -1, via),
  belongsAfter: (desk, via) => besides(desk, 1, via),
  root: (desk, via) => desk.connect(desk.current, 0, via),
  flip,
  open: (desk, via) => desk.edit((view) => openAgain(view, desk.current), via),
  relation: (desk) => desk.wish("relation"),
  act: (desk, via) => desk.click(desk.current, via, false),

  main: (desk, via) => desk.edit((view) => mainToggled(view, desk.current), via),
  block: (desk, via) => makeBlock(desk, "bracket", via),
  multiword: (desk, via) => makeBlock(desk, "multiword", via),
  blockHead: awaitBlockHead,
  dissolve: (desk, via) => desk.edit((view) => dissolved(view, desk.current), via),
  label: (desk) => desk.wish("label"),
  tag: (desk) => desk.wish("tag"),
  unsure: (desk, via) => desk.edit((view) => unsureToggled(view, desk.current), via),
  comment: (desk) => desk.await("comment", new Map([["s", "sentence"], ["w", "word"], ["a", "arc"]])),

  accept: (desk) => {
    letGo(desk);
    desk.edit((view) => accepted(view, desk.current), "suggestion");
  },
  acceptAll: (desk) => {
    letGo(desk);
    desk.edit((view) => allAccepted(view, desk.threshold), "suggestion");
  },
  refuse,
  alternative: awaitAlternative,

  undo: (desk) => desk.happen({ kind: "undo" }),
  redo: (desk) => desk.happen({ kind: "redo" }),
  stage1: (desk) => toStage(desk, 1),
  stage2: (desk) => toStage(desk, 2),
  stage3: (desk) => toStage(desk, 3),
  stage4: (desk) => toStage(desk, 4),
  readOut: (desk) => say([desk.sentence, ...arcSentences(desk.view, desk.project.settings.labels)].join(" ")),
  leave: (desk) => void desk.leave(),

  text: (desk) => desk.wish("text"),
  switch: (desk) => desk.wish("switch"),
  pause: (desk) => desk.wish("pause"),
  skip: (desk) => desk.wish("skip"),
  submit: (desk) => desk.wish("submit"),
  before: (desk) => desk.wish("before"),
  after: (desk) => desk.wish("after"),
  help: (desk) => desk.wish("help"),
};

/** An arc that was begun is begun no more: the next click must not take the place of what was accepted. @param {Desk} desk */
function letGo(desk) {
  desk.picked = null;
  desk.awaited = null;
}

/** The arc is turned round; what was the head is the dependent now, so that the same key turns it back. @param {Desk} desk @param {Via} via */
function flip(desk, via) {
  const head = headOf(desk.view, desk.current);
  desk.edit((view) => flipped(view, desk.current), via);
  if (head !== null && head !== 0) desk.moveTo(head);
}

/** Does what was awaited with what was chosen. @param {Desk} desk @param {Unit | string} choice @param {Via} via */
export function finish(desk, choice, via) {
  const command = desk.awaited?.command;
  desk.awaited = null;
  desk.redraw();
  if (command === "belongs") desk.connect(desk.current, /** @type {Unit} */ (choice), via);
  if (command === "blockHead") setBlockHead(desk, /** @type {number} */ (choice), via);
  if (command === "alternative") desk.connect(desk.current, /** @type {Unit} */ (choice), "suggestion");
  if (command === "comment" && typeof choice === "string") desk.wish(`comment:${choice}`);
}

/** @param {Desk} desk @param {number} by @param {boolean} extend */
function step(desk, by, extend) {
  const { view } = desk;
  const at = typeof desk.current === "number" ? desk.current : (wordsOf(view, desk.current)[0] ?? 1);
  const index = view.words.findIndex((word) => word.n === at);
  const next = view.words[Math.max(0, Math.min(view.words.length - 1, index + by))]?.n ?? at;
  if (!extend) return desk.moveTo(next);
  desk.select(desk.selection?.from ?? at, next);
}

/** @param {Desk} desk */
function toHead(desk) {
  const head = headOf(desk.view, desk.current);
  if (head === null || head === 0) desk.tell(desk.sentence, false);
  else desk.moveTo(head);
}

/** @param {Desk} desk */
function toDependent(desk) {
  const first = dependentsOf(desk.view, desk.current)[0];
  if (first === undefined) desk.tell(t("no.dependents"));
  else desk.moveTo(first);
}

/** From a word to its block, on to the block around that, and back to the word. @param {Desk} desk */
function toBlock(desk) {
  const around = blockAround(desk.view, desk.current);
  if (around) return desk.moveTo({ bracket: around.id });
  if (typeof desk.current === "number") return desk.tell(t("no.block-here"));
  desk.moveTo(wordsOf(desk.view, desk.current)[0] ?? 1);
}

/** @param {Desk} desk */
function nextOpen(desk) {
  const { words } = desk.view;
  const at = typeof desk.current === "number" ? words.findIndex((word) => word.n === desk.current) : -1;
  const turned = [...words.slice(at + 1), ...words.slice(0, at + 1)];
  const open = turned.find((word) => word.head === null);
  if (open) desk.moveTo(open.n);
  else desk.tell(t("no.open-words"));
}

/** @param {Desk} desk @param {number} by @param {Via} via */
function besides(desk, by, via) {
  const words = wordsOf(desk.view, desk.current);
  const at = by < 0 ? Math.min(...words) : Math.max(...words);
  const index = desk.view.words.findIndex((word) => word.n === at) + by;
  const neighbour = desk.view.words[index];
  if (neighbour) desk.connect(desk.current, neighbour.n, via);
  else desk.tell(t("no.neighbour"));
}

/** Near words are likelier heads, so they get the shorter codes. @param {Desk} desk */
function unitCodes(desk) {
  const { view, current } = desk;
  const at = wordsOf(view, current)[0] ?? 1;
  /** @type {Unit[]} */
  const units = [...view.words.map((word) => word.n), ...view.brackets.map((one) => ({ bracket: one.id }))];
  const others = units.filter((unit) => !same(unit, current));
  const distance = (/** @type {Unit} */ unit) => Math.abs((wordsOf(view, unit)[0] ?? 0) - at);
  others.sort((a, b) => distance(a) - distance(b));
  return withCodes(others).set("0", 0).set(".", 0);
}

/** @param {Unit[]} units @returns {Map<string, Unit | string>} */
function withCodes(units) {
  const names = codes(units.length);
  return new Map(units.map((unit, i) => [names[i] ?? "", unit]));
}

/** @param {Desk} desk */
function awaitBlockHead(desk) {
  const { block } = desk;
  if (!block) return desk.tell(t("no.block-here"));
  desk.current = { bracket: block.id };
  desk.await("blockHead", withCodes(block.words));
}

/** @param {Desk} desk @param {number} word @param {Via} via */
function setBlockHead(desk, word, via) {
  const { block } = desk;
  if (block?.words.includes(word)) desk.edit((view) => blockHead(view, block.id, word), via);
  else desk.tell(t("no.head-outside"));
}

/** @param {Desk} desk @param {"bracket" | "multiword"} kind @param {Via} via */
function makeBlock(desk, kind, via) {
  const words = desk.selectedWords;
  if (words.length === 0) return desk.tell(t("no.selection"));
  desk.edit((view) => newBlock(view, words, kind), via);
  desk.deselect();
  desk.redraw();
}

/** "Not that one": it is said to the machine too, so that it offers another. @param {Desk} desk */
function refuse(desk) {
  const shown = shownFor(desk.view, desk.current);
  if (!shown) return desk.tell(t("no.suggestion-here"));
  desk.happen({ kind: "refused", word: shown.of, head: shown.to });
  const { of, to } = shown;
  if (typeof to === "number") desk.edit(() => [{ forbid: { of, to, is: true } }], "suggestion");
}

/** @param {Desk} desk */
function awaitAlternative(desk) {
  const known = choices(desk).map((one) => /** @type {Unit} */ (one.head));
  if (known.length === 0) return desk.tell(t("no.alternatives"));
  desk.await("alternative", new Map(known.map((head, i) => [String(i + 1), head])));
}

/** @param {Desk} desk @param {number} stage */
function toStage(desk, stage) {
  desk.leave();
  desk.happen({ kind: "stage", stage });
  say(t(`stage.${stage}.do`));
}

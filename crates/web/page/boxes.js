// Which blocks can be drawn as boxes around chips, and the boxes.

import { el } from "./dom.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Bracket} Bracket */
/** @typedef {import("./types.js").Unit} Unit */

/**
 * The board's contents: chips of words, in boxes where they are in blocks.
 * @param {View} view @param {(unit: Unit) => HTMLElement} chip @returns {HTMLElement[]}
 */
export function boxes(view, chip) {
  const drawn = drawable(view);
  return level(view.words.map((word) => word.n), drawn, chip);
}

/**
 * Blocks whose words stand side by side and that cross no other; the rest stands in the tray only.
 * @param {View} view @returns {Bracket[]} the biggest first
 */
export function drawable(view) {
  const bySize = [...view.brackets].sort((a, b) => b.words.length - a.words.length);
  /** @type {Bracket[]} */
  const drawn = [];
  for (const block of bySize) {
    if (isRun(view, block.words) && drawn.every((other) => nests(other.words, block.words))) drawn.push(block);
  }
  return drawn;
}

/** @param {View} view @param {number[]} words */
function isRun(view, words) {
  const places = words.map((n) => view.words.findIndex((word) => word.n === n));
  return places.length > 0 && Math.max(...places) - Math.min(...places) === places.length - 1;
}

/** @param {number[]} outer @param {number[]} inner */
function nests(outer, inner) {
  const shared = inner.filter((n) => outer.includes(n)).length;
  return shared === 0 || (shared === inner.length && shared <= outer.length);
}

/** @param {number[]} words @param {Bracket[]} blocks biggest first @param {(unit: Unit) => HTMLElement} chip @returns {HTMLElement[]} */
function level(words, blocks, chip) {
  /** @type {HTMLElement[]} */
  const made = [];
  const within = blocks.filter((block) => block.words.every((n) => words.includes(n)));
  for (let at = 0; at < words.length; ) {
    const n = /** @type {number} */ (words[at]);
    const block = within.find((one) => one.words.includes(n));
    made.push(block ? box(block, within, chip) : chip(n));
    at += block ? block.words.length : 1;
  }
  return made;
}

/** @param {Bracket} block @param {Bracket[]} blocks @param {(unit: Unit) => HTMLElement} chip */
function box(block, blocks, chip) {
  const words = [...block.words].sort((a, b) => a - b);
  const inner = blocks.filter((one) => one !== block);
  return el("div", { class: `box ${block.kind}` }, chip({ bracket: block.id }), ...level(words, inner, chip));
}

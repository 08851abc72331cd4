// What is said to screen readers, and shown to all in the line above the board.

import { byId } from "./dom.js";

/** @param {string} text */
export function say(text) {
  announce("polite", text);
}

/** @param {string} text */
export function sayUrgently(text) {
  announce("urgent", text);
}

/** @param {string} id @param {string} text */
function announce(id, text) {
  const region = byId(id);
  // The same sentence twice is spoken twice only if the region's text differs.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

// Where an outbox is kept in this browser, so that it outlives the page: one place per project,
// annotator and tab.

/** @typedef {import("./outbox.js").Item} Item */
/** @typedef {import("./outbox.js").Batch} Batch */
/** @typedef {{tab: string, items: Item[], refused: Item[], batch: Batch | null}} Kept */

export class Shelf {
  works = true;
  #name;

  /** @param {string} owner project and annotator @param {string} tab */
  constructor(owner, tab) {
    this.#name = `${prefix(owner)}${tab}`;
  }

  /** @param {Kept} kept */
  keep(kept) {
    try {
      if (kept.items.length + kept.refused.length === 0) localStorage.removeItem(this.#name);
      else localStorage.setItem(this.#name, JSON.stringify(kept));
      this.works = true;
    } catch {
      // Storage may be full or forbidden; the copy in memory is still sent, and the status line says so.
      this.works = false;
    }
  }
}

/** Boxes that pages of this project and annotator have left. @param {string} owner @returns {Kept[]} */
export function leftBehind(owner) {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(prefix(owner)))
      .map((name) => readable(localStorage.getItem(name)))
      .filter((kept) => kept !== null);
  } catch {
    return [];
  }
}

/** @param {string} owner */
function prefix(owner) {
  return `treelet-outbox:${owner}:`;
}

/** @param {string | null} text @returns {Kept | null} */
function readable(text) {
  try {
    const kept = JSON.parse(text ?? "");
    return Array.isArray(kept.items) && Array.isArray(kept.refused) ? kept : null;
  } catch {
    return null;
  }
}

// Never lose a click. Whatever a person does goes into this box, and so into the browser's own storage,
// before anything else happens; it leaves the box only when the server has answered that it has it.
//
// One request is under way at a time and the order is kept. A request that got no answer is sent again
// exactly as it was: the server knows each event by tab and number, so nothing is stored twice.

import { Trouble } from "./server.js";
import { Shelf } from "./shelf.js";

/** @typedef {import("./types.js").TreeletEvent} TreeletEvent */
/** @typedef {import("./types.js").Happening} Happening */
/** @typedef {import("./types.js").Target} Target */
/** @typedef {import("./types.js").View} View */
/** One event and where it goes; `what` says it in words. @typedef {{target: Target, base: number, event: TreeletEvent, what: string}} Item */
/** The first `count` items have been sent on top of version `base`. @typedef {{count: number, base: number}} Batch */
/** @typedef {{slot: number, base: number, tab: string, events: TreeletEvent[]}} Body */
/** @typedef {(target: Target, body: Body) => Promise<View>} Post */

/** So many events at a time, far fewer than the server takes. */
const MOST = 500;
const FIRST_DELAY = 1000;
const LONGEST_DELAY = 15000;
/** Events that only tell the time: nobody would miss them, so they are not counted as unsaved work. */
const CLOCK = new Set(["open", "close", "pause", "resume", "idle", "shown", "refused"]);

/** @param {Target} target */
export function targetKey({ path, id, slot }) {
  return `${path}/${id}/${slot}`;
}

/** @param {Item} item */
export function isWork(item) {
  return !CLOCK.has(item.event.kind);
}

/** Dispatches `state`, `answer` (detail: target, view) and `refused` (detail: items, trouble, target). */
export class Outbox extends EventTarget {
  /** @type {Item[]} */
  items = [];
  /** What the server would not take and the person has not decided about. @type {Item[]} */
  refused = [];
  /** @type {Trouble | null} */
  trouble = null;
  /** @type {Batch | null} */
  #batch = null;
  /** Send items one by one until the one is found that the server does not like. */
  #singly = false;
  #sending = false;
  #delay = FIRST_DELAY;
  #timer = 0;
  #lastNumber = 0;
  /** @type {Map<string, number>} */
  #versions = new Map();
  /** @type {Map<string, number>} */
  #drafts = new Map();
  #shelf;
  #post;

  /** @param {string} tab @param {Shelf} shelf @param {Post} post */
  constructor(tab, shelf, post) {
    super();
    this.tab = tab;
    this.#shelf = shelf;
    this.#post = post;
  }

  /** A box that another page left behind. @param {import("./shelf.js").Kept} kept @param {Shelf} shelf @param {Post} post */
  static restored(kept, shelf, post) {
    const box = new Outbox(kept.tab, shelf, post);
    box.items = kept.items;
    box.refused = kept.refused;
    box.#batch = kept.batch;
    return box;
  }

  /** How many changes the server has not confirmed, counting text that is still being typed. */
  get nUnsaved() {
    const drafts = [...this.#drafts.values()].reduce((sum, n) => sum + n, 0);
    return this.items.filter(isWork).length + this.refused.length + drafts;
  }

  get isFailing() {
    return this.trouble !== null;
  }

  /** Whether this browser keeps a copy that would outlive the page. */
  get isKept() {
    return this.#shelf.works;
  }

  /** @param {Target} target @returns {TreeletEvent[]} */
  pending(target) {
    const key = targetKey(target);
    return this.items.filter((item) => targetKey(item.target) === key).map((item) => item.event);
  }

  /** The newest version of an analysis that this page has been shown. @param {Target} target @param {number} version */
  seen(target, version) {
    this.#versions.set(targetKey(target), version);
  }

  /** @param {Target} target @param {Happening[]} happenings @param {string} what */
  add(target, happenings, what) {
    const base = this.#versions.get(targetKey(target)) ?? 0;
    for (const happening of happenings) {
      const event = { n: ++this.#lastNumber, at: Date.now(), ...happening };
      this.items.push({ target, base, event, what });
    }
    this.#changed();
    void this.#send();
  }

  /** What is being typed and is no event yet counts as unsaved. @param {string} name @param {number} n */
  setDraft(name, n) {
    if ((this.#drafts.get(name) ?? 0) === n) return;
    this.#drafts.set(name, n);
    this.dispatchEvent(new Event("state"));
  }

  tryNow() {
    this.#delay = FIRST_DELAY;
    void this.#send();
  }

  /** Lets go of refused items: all, or those that have been done again. @param {Item[]} [items] */
  takeRefused(items = this.refused) {
    const gone = new Set(items);
    this.refused = this.refused.filter((item) => !gone.has(item));
    this.#changed();
  }

  /** When all has been sent, or when it turns out that it cannot be for now. @returns {Promise<void>} */
  settled() {
    return new Promise((resolve) => {
      const look = () => {
        if (this.items.length > 0 && !this.trouble) return;
        this.removeEventListener("state", look);
        resolve();
      };
      this.addEventListener("state", look);
      look();
    });
  }

  drop() {
    this.items = [];
    this.refused = [];
    this.#batch = null;
    this.#changed();
  }

  /** All that is left, as requests for the last moment of a page. @returns {{target: Target, body: Body}[]} */
  parting() {
    /** @type {Map<string, Item[]>} */
    const byTarget = new Map();
    for (const item of this.items) {
      const key = targetKey(item.target);
      byTarget.set(key, [...(byTarget.get(key) ?? []), item]);
    }
    return [...byTarget.values()].map((items) => this.#parting(items));
  }

  /** @param {Item[]} items */
  #parting(items) {
    const first = /** @type {Item} */ (items[0]);
    const base = first === this.items[0] && this.#batch ? this.#batch.base : this.#baseOf(first);
    return { target: first.target, body: this.#body(first.target, items, base) };
  }

  async #send() {
    clearTimeout(this.#timer);
    if (this.#sending || this.items.length === 0) return;
    this.#batch ??= this.#freeze();
    this.#shelve();
    const items = this.items.slice(0, this.#batch.count);
    const target = /** @type {Item} */ (items[0]).target;
    this.#sending = true;
    try {
      const view = await this.#post(target, this.#body(target, items, this.#batch.base));
      this.#arrived(target, items, view);
    } catch (error) {
      this.#failed(target, items, asTrouble(error));
    } finally {
      this.#sending = false;
    }
    if (!this.trouble) void this.#send();
  }

  /** @returns {Batch} the longest beginning of the box that fits into one request */
  #freeze() {
    const first = /** @type {Item} */ (this.items[0]);
    const key = targetKey(first.target);
    const other = this.items.findIndex((item) => targetKey(item.target) !== key);
    const most = Math.min(MOST, other < 0 ? this.items.length : other);
    return { count: this.#singly ? 1 : most, base: this.#baseOf(first) };
  }

  /** @param {Item} item */
  #baseOf(item) {
    return this.#versions.get(targetKey(item.target)) ?? item.base;
  }

  /** @param {Target} target @param {Item[]} items @param {number} base @returns {Body} */
  #body(target, items, base) {
    return { slot: target.slot, base, tab: this.tab, events: items.map((item) => item.event) };
  }

  /** @param {Target} target @param {Item[]} items @param {View} view */
  #arrived(target, items, view) {
    this.#takeOut(items);
    this.#delay = FIRST_DELAY;
    this.trouble = null;
    this.#singly = this.#singly && this.items.length > 0;
    this.seen(target, view.version);
    this.#changed();
    this.dispatchEvent(new CustomEvent("answer", { detail: { target, view } }));
  }

  /** @param {Target} target @param {Item[]} items @param {Trouble} trouble */
  #failed(target, items, trouble) {
    if (trouble.status === 409) this.#setAside(target, items, trouble);
    else if (isFinal(trouble.status)) this.#reject(target, items, trouble);
    else this.#wait(trouble);
  }

  /** Somebody else, or another window, was faster: nothing of this request was stored. @param {Target} target @param {Item[]} items @param {Trouble} trouble */
  #setAside(target, items, trouble) {
    const view = trouble.body?.view;
    // Later items for the same sentence were meant on top of these.
    const key = targetKey(target);
    const all = this.items.filter((item) => targetKey(item.target) === key);
    this.#takeOut(all.length > 0 ? all : items);
    if (view) this.seen(target, view.version);
    this.#refuse(target, all, trouble);
    if (view) this.dispatchEvent(new CustomEvent("answer", { detail: { target, view } }));
  }

  /** @param {Target} target @param {Item[]} items @param {Trouble} trouble */
  #reject(target, items, trouble) {
    this.#batch = null;
    if (items.length > 1) {
      this.#singly = true;
      return;
    }
    this.#takeOut(items);
    this.#refuse(target, items, trouble);
  }

  /** @param {Target} target @param {Item[]} items @param {Trouble} trouble */
  #refuse(target, items, trouble) {
    this.trouble = null;
    this.refused.push(...items.filter(isWork));
    this.#changed();
    this.dispatchEvent(new CustomEvent("refused", { detail: { target, items, trouble } }));
  }

  /** @param {Trouble} trouble */
  #wait(trouble) {
    this.trouble = trouble;
    this.#timer = window.setTimeout(() => void this.#send(), this.#delay);
    this.#delay = Math.min(2 * this.#delay, LONGEST_DELAY);
    this.dispatchEvent(new Event("state"));
  }

  /** @param {Item[]} items */
  #takeOut(items) {
    const gone = new Set(items);
    this.items = this.items.filter((item) => !gone.has(item));
    this.#batch = null;
  }

  #changed() {
    this.#shelve();
    this.dispatchEvent(new Event("state"));
  }

  #shelve() {
    this.#shelf.keep({ tab: this.tab, items: this.items, refused: this.refused, batch: this.#batch });
  }
}

/** Sending it again would not help. @param {number} status */
function isFinal(status) {
  return status === 400 || status === 404 || status === 413 || status === 422;
}

/** @param {unknown} error */
function asTrouble(error) {
  return error instanceof Trouble ? error : new Trouble(0, "page", String(error), null);
}

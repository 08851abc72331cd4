// One analysis of one sentence: the server's view, what is still on its way, and the view both make.

import { get } from "./server.js";
import { happeningSentence } from "./describe.js";
import { isPredictable, predict } from "./predict.js";
import { targetKey } from "./outbox.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Target} Target */
/** @typedef {import("./types.js").Happening} Happening */
/** @typedef {(view: View) => Happening[]} Intent */

/** Dispatches `view` whenever the view has changed, and `refused` when the server did not take an edit. */
export class Session extends EventTarget {
  /** What was wanted while an answer was awaited that it depends on. @type {Intent[]} */
  #waiting = [];
  #confirmed;
  #outbox;
  /** @type {Target} */
  target;

  /** @param {import("./outbox.js").Outbox} outbox @param {View} view @param {Target["path"]} [path] */
  constructor(outbox, view, path = "sentences") {
    super();
    this.#outbox = outbox;
    this.#confirmed = view;
    this.target = { path, id: view.id, slot: view.slot, place: view.place };
    outbox.seen(this.target, view.version);
    /** The server's view with what is under way. @type {View} */
    this.view = predict(view, outbox.pending(this.target));
    outbox.addEventListener("answer", this.#onAnswer);
    outbox.addEventListener("state", this.#onState);
    outbox.addEventListener("refused", this.#onRefused);
  }

  close() {
    this.#work(true);
    this.#outbox.removeEventListener("answer", this.#onAnswer);
    this.#outbox.removeEventListener("state", this.#onState);
    this.#outbox.removeEventListener("refused", this.#onRefused);
  }

  /** Whether the picture is behind what was said. */
  get isBehind() {
    return this.#outbox.isFailing && this.#outbox.pending(this.target).length > 0;
  }

  /** Nothing that is asked for here gets lost: it is done now or as soon as its view is known. @param {Intent} intent */
  do(intent) {
    this.#waiting.push(intent);
    this.#work(false);
  }

  /** The page is about to go: what waits is done on the view there is. */
  hurry() {
    this.#work(true);
  }

  /** Another window may have changed this sentence; a new model changes suggestions but no version. @param {boolean} [isSureToDiffer] */
  async refresh(isSureToDiffer = false) {
    // What is on its way, or being typed, was meant for the view there is; the server will say if that is old.
    if (this.#outbox.nUnsaved > 0) return;
    const { path, id, slot } = this.target;
    const answer = await get(path === "sentences" ? `/api/sentences/${id}?slot=${slot}` : `/api/adjudicate/${id}`);
    const view = path === "sentences" ? answer : answer.merged;
    // An edit made in the meantime has an answer of its own.
    // It may even be older than an answer that has come since it was asked for.
    const { version } = this.#confirmed;
    const isNews = view.version > version || (isSureToDiffer && view.version === version);
    if (this.#outbox.nUnsaved === 0 && isNews) this.#take(view);
  }

  /** @param {boolean} atOnce */
  #work(atOnce) {
    while (this.#waiting.length > 0 && (atOnce || !this.#mustWait())) {
      const intent = /** @type {Intent} */ (this.#waiting.shift());
      const happenings = intent(this.view);
      if (happenings.length > 0) this.#hand(happenings);
    }
    this.#outbox.setDraft("waiting", this.#waiting.length);
  }

  #mustWait() {
    return !this.#outbox.isFailing && !isPredictable(this.#outbox.pending(this.target));
  }

  /** @param {Happening[]} happenings */
  #hand(happenings) {
    const last = /** @type {Happening} */ (happenings[happenings.length - 1]);
    this.#outbox.add(this.target, happenings, happeningSentence(this.view, last));
    this.#predict();
  }

  /** @param {Event} event */
  #onAnswer = (event) => {
    const { target, view } = /** @type {CustomEvent} */ (event).detail;
    if (targetKey(target) !== targetKey(this.target)) return;
    this.#take(view);
    this.#work(false);
  };

  /** @param {Event} event */
  #onRefused = (event) => {
    const { target } = /** @type {CustomEvent} */ (event).detail;
    if (targetKey(target) !== targetKey(this.target)) return;
    this.#predict();
    this.dispatchEvent(new Event("refused"));
  };

  #onState = () => {
    if (this.#outbox.isFailing) this.#work(false);
  };

  /** @param {View} view */
  #take(view) {
    this.#confirmed = view;
    this.#outbox.seen(this.target, view.version);
    this.#predict();
  }

  #predict() {
    this.view = predict(this.#confirmed, this.#outbox.pending(this.target));
    this.dispatchEvent(new Event("view"));
  }
}

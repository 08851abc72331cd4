// The page of one sentence: title, ways to other sentences, and the <sentence-view>.

import { button, el, fill, put, setText } from "./dom.js";
import { counted, t } from "./strings.js";
import { get } from "./server.js";
import { Session } from "./session.js";
import { Desk } from "./desk.js";
import { Clock } from "./clock.js";
import { keyFor } from "./keys.js";
import { SentenceView } from "./sentence-view.js";
import { lessonPanel } from "./lessons.js";
import { neighbour, nextSentence } from "./queue.js";
import { showPause } from "./pause.js";

/** @typedef {import("./app.js").App} App */

/** @param {App} app @param {HTMLElement} main @param {string[]} parts id and slot */
export async function show(app, main, [id = "1", slot = "0"]) {
  const view = await get(`/api/sentences/${Number(id)}?slot=${Number(slot)}`);
  const page = new SentencePage(app, view);
  fill(main, page.element);
  page.begin();
  return page;
}

class SentencePage {
  #title = el("h1", { tabindex: "-1" });
  #badges = el("span", { class: "badges" });
  #why = el("p", { class: "why quiet" });
  #switch = [0, 1].map((slot) => button(t(`slot.${slot}`), () => this.#toSlot(slot), { class: "slot" }));
  #submit = button(t("command.submit"), () => void this.#submitAndNext(), { key: keyFor("submit"), class: "primary", "data-command": "submit" });
  #reopen = button(t("command.reopen"), () => this.#desk.happen({ kind: "reopen" }));
  #body = new SentenceView();
  element;
  #app;
  #session;
  #desk;
  /** @type {Clock | null} */
  #clock = null;

  /** @param {App} app @param {import("./types.js").View} view */
  constructor(app, view) {
    this.#app = app;
    this.#session = new Session(app.outbox, view);
    this.#desk = new Desk(this.#session, app.project);
    Object.assign(this.#body, { app, desk: this.#desk, onWish: (/** @type {string} */ wish) => this.#grant(wish) });
    this.#desk.addEventListener("change", () => this.#draw());
    this.element = el("div", { class: "sentence-page" }, this.#head(), this.#why, lessonPanel(app, view.place), this.#body);
  }

  get title() {
    return t("sentence.title", { place: this.#session.view.place, total: this.#app.project.n_sentences });
  }

  begin() {
    const why = this.#app.why;
    setText(this.#why, why && why.id === this.#session.view.id ? t("sentence.why", { why: why.text }) : "");
    this.#draw();
    this.#clock = new Clock(this.#session);
    this.#body.focusBoard();
  }

  /** @param {{sentence: number, version: number, tab: string}} news from the server */
  changedElsewhere({ sentence, version }) {
    const { view } = this.#session;
    if (sentence === view.id && version > view.version) void this.#session.refresh().catch(() => {});
  }

  refresh() {
    return this.#session.refresh();
  }

  /** A new model: its suggestions that differ from the old ones are marked. */
  /** @param {{error?: string}} news */
  async trained({ error }) {
    if (error) return this.#desk.tell(error);
    const before = this.#guesses();
    await this.#session.refresh(true).catch(() => {});
    const after = this.#guesses();
    this.#desk.fresh = new Set([...after.keys()].filter((n) => after.get(n) !== before.get(n)));
    this.#desk.tell(counted("model.changed-here", this.#desk.fresh.size), false);
  }

  /** @returns {Map<number, string>} */
  #guesses() {
    return new Map(this.#session.view.words.map((word) => [word.n, JSON.stringify(word.suggested?.head ?? null)]));
  }

  hurry() {
    this.#body.gfl.flush();
    this.#clock?.close();
    this.#session.hurry();
  }

  close() {
    this.#body.gfl.flush();
    this.#clock?.close();
    this.#session.close();
  }

  #head() {
    const go = (/** @type {string} */ wish) => () => this.#grant(wish);
    return el("div", { class: "sentence-head" },
      button("‹", go("before"), { "aria-label": t("command.before"), title: t("command.before"), class: "step" }),
      this.#title,
      button("›", go("after"), { "aria-label": t("command.after"), title: t("command.after"), class: "step" }),
      this.#badges,
      el("div", { class: "slots", role: "group", "aria-label": t("slot.name") }, ...this.#switch),
      el("span", { class: "stretch" }),
      el("a", { class: "button", href: `#/replay/${this.#session.view.id}` }, t("replay.link")),
      button(t("command.help"), go("help"), { key: "?" }),
      button(t("command.pause"), go("pause"), { key: keyFor("pause") }),
      button(t("command.skip"), go("skip"), { key: keyFor("skip") }),
      this.#reopen, this.#submit);
  }

  #draw() {
    const { view } = this.#session;
    setText(this.#title, this.title);
    const badges = [view.submitted && "submitted", view.skipped && "skipped", view.read_only && "read-only"].filter(Boolean);
    fill(this.#badges, ...badges.map((name) => el("span", { class: `badge ${name}` }, t(`badge.${name}`))));
    this.#switch.forEach((one, slot) => put(one, "aria-pressed", String(slot === view.slot)));
    this.#reopen.hidden = !view.submitted && !view.skipped;
    setText(/** @type {Node} */ (this.#submit.firstChild), t(view.submitted ? "command.next" : "command.submit"));
  }

  /** @param {string} wish */
  #grant(wish) {
    if (wish === "submit") void this.#submitAndNext();
    if (wish === "skip") void this.#skipAndNext();
    if (wish === "before") void this.#go(-1);
    if (wish === "after") void this.#go(1);
    if (wish === "switch") this.#toSlot(1 - this.#session.view.slot);
    if (wish === "help") this.#desk.wish("help");
    if (wish === "pause" && this.#clock) showPause(this.#clock, () => this.#body.focusBoard());
  }

  async #submitAndNext() {
    this.#body.gfl.flush();
    if (!this.#session.view.submitted) this.#desk.happen({ kind: "submit" });
    await this.#next();
  }

  async #skipAndNext() {
    this.#desk.happen({ kind: "skip" });
    await this.#next();
  }

  async #next() {
    await this.#app.attempt(async () => {
      await this.#app.outbox.settled();
      await nextSentence(this.#app, this.#session.view.id);
    });
  }

  /** @param {number} by */
  async #go(by) {
    await this.#app.attempt(async () => {
      const id = await neighbour(this.#session.view.place, by);
      if (id === null) this.#desk.tell(t(by < 0 ? "no.sentence-before" : "no.sentence-after"));
      else location.hash = `#/sentence/${id}`;
    });
  }

  /** @param {number} slot */
  #toSlot(slot) {
    location.hash = `#/sentence/${this.#session.view.id}/${slot}`;
  }
}

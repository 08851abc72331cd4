// How an annotation came about: a slider over its history.

import { button, el, fill, setText } from "./dom.js";
import { t } from "./strings.js";
import { get, Trouble } from "./server.js";
import { Picture } from "./picture.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {{at: number | string, kind: string, what: string, by: string, n: number}} Past */

const STEP = 900;

/** @param {App} app @param {HTMLElement} main @param {string[]} parts */
export async function show(app, main, [id = "1"]) {
  const { events } = await get(`/api/sentences/${Number(id)}/history`);
  const page = new Replay(app, Number(id), events);
  fill(main, page.element);
  await page.to(events.length);
  return page;
}

/** @param {Past} past */
function happened({ kind, what, by }) {
  if (kind === "edit") {
    const changes = what.split(", ").filter(Boolean).map((name) => t(`change.${name}`)).join(", ");
    return t("replay.edit", { changes, by: t(`via.${by}`) });
  }
  const did = t(`did.${kind}`, { stage: what });
  return kind === "idle" || kind === "refused" ? `${did} ${what}` : did;
}

class Replay {
  title = t("replay.title");
  #picture = new Picture(() => {});
  #slider;
  #what = el("p", { class: "what-happened", role: "status" });
  #gfl = el("pre", { class: "gfl-now", lang: "und" });
  #play = button(t("replay.play"), () => this.#toggle());
  #timer = 0;
  #wanted = 0;
  element;

  /** @param {App} _app @param {number} id @param {Past[]} events */
  constructor(_app, id, events) {
    this.id = id;
    this.events = events;
    this.#slider = el("input", { type: "range", min: "0", max: String(events.length), step: "1", id: "moment",
      oninput: () => void this.to(Number(this.#slider.value)) });
    this.element = el("div", { class: "page replay" },
      el("h1", { tabindex: "-1" }, this.title),
      el("p", {}, el("a", { href: `#/sentence/${id}` }, t("replay.back"))),
      events.length === 0 ? el("p", { class: "empty" }, t("replay.empty")) : null,
      el("div", { class: "row" }, this.#play, el("label", { for: "moment" }, t("replay.moment")), this.#slider),
      this.#what, this.#picture.element, this.#gfl);
  }

  close() {
    clearTimeout(this.#timer);
  }

  /** @param {number} k how many events have happened */
  async to(k) {
    this.#wanted = k;
    this.#slider.value = String(k);
    const view = await this.#viewAfter(k);
    // The slider may have moved on while the server answered.
    if (!view || this.#wanted !== k) return;
    this.#picture.draw(view.svg, view.direction, null, false);
    setText(this.#gfl, view.gfl);
    setText(this.#what, this.#story(k));
  }

  /** @param {number} k @returns {Promise<import("./types.js").View | null>} */
  async #viewAfter(k) {
    try {
      return await get(`/api/sentences/${this.id}/history/${k}`);
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      setText(this.#what, error.message);
      return null;
    }
  }

  /** @param {number} k */
  #story(k) {
    const past = this.events[k - 1];
    if (!past) return t("replay.start", { total: this.events.length });
    const at = new Date(past.at).toLocaleString(document.documentElement.lang);
    return t("replay.event", { k, total: this.events.length, at, what: happened(past) });
  }

  #toggle() {
    if (this.#timer) return this.#stop();
    if (this.#wanted >= this.events.length) this.#wanted = -1;
    setText(/** @type {Node} */ (this.#play.firstChild), t("replay.stop"));
    void this.#tick();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    setText(/** @type {Node} */ (this.#play.firstChild), t("replay.play"));
  }

  async #tick() {
    if (this.#wanted >= this.events.length) return this.#stop();
    this.#timer = window.setTimeout(() => void this.#tick(), STEP);
    await this.to(this.#wanted + 1);
  }
}

// The page's beginning: the catalogue, the project, the outbox, and the way from an address to a page.

import { byId, button, el, fill, put } from "./dom.js";
import { get, send, sendParting, Trouble } from "./server.js";
import { loadStrings, t, translate } from "./strings.js";
import { loadPreferences, savePreferences } from "./preferences.js";
import { Outbox } from "./outbox.js";
import { Shelf } from "./shelf.js";
import { answerOthers, newTab } from "./tabs.js";
import { SaveStatus } from "./save-status.js";
import { offerLeftovers } from "./leftovers.js";
import { listen } from "./stream.js";
import { offerAgain } from "./again.js";
import { sayUrgently } from "./spoken.js";

/** @typedef {import("./types.js").Project} Project */
/** @typedef {import("./types.js").Target} Target */
/** @typedef {import("./outbox.js").Body} Body */
/** @typedef {{title: string, close?: () => void, hurry?: () => void, refresh?: () => Promise<void>, changedElsewhere?: (news: any) => void, progress?: (news: any) => void, trained?: (news: any) => void}} Page */
/** @typedef {{show(app: App, main: HTMLElement, parts: string[]): Promise<Page>}} PageModule */

/** Pages are fetched when they are first asked for. @type {Record<string, () => Promise<PageModule>>} */
const PAGES = {
  home: () => import("./home.js"),
  sentence: () => import("./sentence-page.js"),
  sentences: () => import("./sentence-list.js"),
  questions: () => import("./questions.js"),
  agreement: () => import("./agreement.js"),
  adjudicate: () => import("./adjudication.js"),
  replay: () => import("./replay.js"),
  settings: () => import("./settings.js"),
};

export class App {
  tab = newTab();
  preferences = loadPreferences();
  /** Why the next sentence is the next. @type {{id: number, text: string} | null} */
  why = null;
  homeNote = "";
  /** @type {Page | null} */
  #page = null;
  #turn = 0;
  #status = new SaveStatus(byId("save-status"));
  /** @type {Outbox} */
  outbox;

  /** @param {Project} project */
  constructor(project) {
    this.project = project;
    this.owner = `${project.id ?? project.name}:${project.annotator.id}`;
    this.outbox = new Outbox(this.tab, new Shelf(this.owner, this.tab), this.post);
    this.watch(this.outbox);
    answerOthers(this.tab);
  }

  /** @param {Target} target @param {Body} body @returns {Promise<any>} */
  post = async (target, body) => {
    const answer = await send("POST", `/api/${target.path}/${target.id}/events`, body);
    return target.path === "adjudicate" && answer.merged ? answer.merged : answer;
  };

  start() {
    this.#showWhatIsHers();
    window.addEventListener("hashchange", () => void this.route());
    window.addEventListener("online", () => this.outbox.tryNow());
    window.addEventListener("beforeunload", (event) => this.#onLeave(event));
    window.addEventListener("pagehide", () => this.#onGone());
    window.addEventListener("pageshow", (event) => event.persisted && void this.route());
    listen({
      opened: () => void this.#page?.refresh?.().catch(() => {}),
      changed: (news) => news.tab !== this.tab && this.#page?.changedElsewhere?.(news),
      progress: (news) => this.#page?.progress?.(news),
      trained: (news) => this.#page?.trained?.(news),
    });
    void offerLeftovers(this);
    return this.route();
  }

  async route() {
    const turn = ++this.#turn;
    const [name = "", ...parts] = location.hash.replace(/^#\/?/, "").split("/");
    const known = name === "" ? "home" : name;
    const main = byId("main");
    this.#page?.close?.();
    this.#page = null;
    try {
      const module = await fetched(PAGES[known] ?? PAGES.home);
      if (turn !== this.#turn || !module) return;
      const page = await module.show(this, main, parts);
      // Somebody was faster than the server and is on another page already.
      if (turn !== this.#turn) return page.close?.();
      this.#page = page;
      document.title = `${page.title} · Treelet`;
      this.#arrive(known, main);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#showTrouble(main, error);
      document.title = `${t("trouble.title")} · Treelet`;
      this.#arrive(known, main);
    }
  }

  /** @param {string} name @param {HTMLElement} main */
  #arrive(name, main) {
    for (const link of document.querySelectorAll("nav a")) {
      put(link, "aria-current", link.getAttribute("data-page") === name ? "page" : null);
    }
    if (!main.contains(document.activeElement)) main.querySelector("h1")?.focus();
  }

  /** @param {HTMLElement} main @param {unknown} error */
  #showTrouble(main, error) {
    if (!(error instanceof Trouble)) throw error;
    fill(main, el("section", { class: "notice warning", role: "alert" },
      el("h1", { tabindex: "-1" }, t("trouble.title")),
      // An address that leads nowhere was typed, or kept from another project.
      el("p", {}, error.status === 400 || error.status === 404 ? t("trouble.missing") : error.message),
      this.outbox.nUnsaved > 0 ? el("p", {}, t("trouble.kept")) : null,
      el("p", { class: "row" },
        button(t("status.try"), () => void this.route(), { class: "primary" }),
        el("a", { href: "#/", class: "button" }, t("nav.home")))));
  }

  /** Does something that may fail, and says so if it does. @param {() => Promise<unknown>} what */
  async attempt(what) {
    try {
      return await what();
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      this.tellTrouble(error.message);
      return undefined;
    }
  }

  /** @param {string} text */
  tellTrouble(text) {
    sayUrgently(text);
    const notice = el("section", { class: "notice warning passing" }, el("p", { class: "row" }, text, button(t("notice.close"), () => notice.remove(), { class: "small" })));
    for (const old of document.querySelectorAll(".passing")) old.remove();
    this.showNotice(notice);
  }

  /** @param {HTMLElement} notice */
  showNotice(notice) {
    byId("notices").append(notice);
  }

  /** After a change of language. */
  redrawStatus() {
    this.#status.draw();
  }

  /** @param {Outbox} box */
  watch(box) {
    this.#status.watch(box);
    box.addEventListener("refused", (event) => {
      this.offerAgain(box, /** @type {CustomEvent} */ (event).detail.trouble);
    });
  }

  /** @param {Outbox} box @param {Trouble} [trouble] */
  offerAgain(box, trouble) {
    offerAgain(this, box, trouble);
  }

  async refresh() {
    await this.attempt(async () => this.#page?.refresh?.());
  }

  /** @param {Partial<Project["settings"]>} settings */
  async saveSettings(settings) {
    await this.attempt(async () => this.renew(await send("PUT", "/api/settings", settings)));
  }

  /** @param {Project} project */
  renew(project) {
    Object.assign(this.project, project);
    this.#showWhatIsHers();
  }

  /** The menu has nothing that would be refused: who works blind sees no agreement, and one person adjudicates. */
  #showWhatIsHers() {
    const isFirst = this.project.annotator.id === 1;
    const isHers = { agreement: isFirst || !this.project.settings.blind, adjudicate: isFirst };
    for (const link of document.querySelectorAll("nav a")) {
      const name = link.getAttribute("data-page") ?? "";
      if (name in isHers) put(link, "hidden", !isHers[/** @type {keyof typeof isHers} */ (name)]);
    }
  }

  /** @param {Partial<import("./preferences.js").Preferences>} wanted */
  prefer(wanted) {
    Object.assign(this.preferences, wanted);
    savePreferences(this.preferences);
  }

  /** @param {number} place @param {boolean} isHidden */
  hideLesson(place, isHidden) {
    const others = this.preferences.hiddenLessons.filter((one) => one !== place);
    this.prefer({ hiddenLessons: isHidden ? [...others, place] : others });
  }

  /** @param {BeforeUnloadEvent} event */
  #onLeave(event) {
    if (this.#status.nUnsaved > 0) event.preventDefault();
  }

  #onGone() {
    this.#page?.hurry?.();
    for (const { target, body } of this.outbox.parting()) sendParting(`/api/${target.path}/${target.id}/events`, body);
  }
}

/** A page's module; where the program is gone, what it has never sent cannot be shown. @param {(() => Promise<PageModule>) | undefined} load */
async function fetched(load) {
  try {
    return await load?.();
  } catch {
    throw new Trouble(0, "no-connection", t("trouble.no-connection"), null);
  }
}

async function begin() {
  const { language } = loadPreferences();
  try {
    await loadStrings(language || "en");
    const project = await get("/api/project");
    if (!language && project.language !== "en") await loadStrings(project.language);
    translate(document);
    await new App(project).start();
  } catch (error) {
    const text = error instanceof Trouble ? error.message : String(error);
    fill(byId("main"), el("h1", {}, "Treelet"), el("p", { role: "alert" }, text));
  }
}

void begin();

// What one person is doing at one sentence: which word she is at, what she has picked up, what the
// page is waiting for. Everything on the sentence page draws itself from here.

import { blocksAround, exists, headOf, run, same, wordOf } from "./units.js";
import { arcSentence, changesSentence, named } from "./describe.js";
import { belongsTo, mainToggled, sureSuggestions } from "./edits.js";
import { say } from "./spoken.js";
import { t } from "./strings.js";

/** @typedef {import("./types.js").Unit} Unit */
/** @typedef {import("./types.js").Via} Via */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Happening} Happening */
/** @typedef {import("./types.js").Project} Project */
/** @typedef {import("./edits.js").Wanted} Wanted */
/** The second part of a command that is awaited: which codes there are and what has been typed of one.
 * @typedef {{command: string, codes: Map<string, Unit | string>, typed: string}} Awaited */

/** Dispatches `change` when anything has to be drawn again, and `wish` (detail: a command's name) for what is not its business. */
export class Desk extends EventTarget {
  /** @type {Unit} */
  current = 1;
  /** The run of words that is selected. @type {{from: number, to: number} | null} */
  selection = null;
  /** Single words that are selected, for blocks with gaps. @type {Set<number>} */
  gathered = new Set();
  /** What has been picked up and waits for its head. @type {Unit | null} */
  picked = null;
  /** @type {Awaited | null} */
  awaited = null;
  /** Words whose suggestion is another since the model was trained. @type {Set<number>} */
  fresh = new Set();
  /** What was done or could not be done last, in words. */
  news = "";
  isRefusal = false;

  /** @param {import("./session.js").Session} session @param {Project} project */
  constructor(session, project) {
    super();
    this.session = session;
    this.project = project;
    this.threshold = project.settings.threshold;
    this.current = this.view.words[0]?.n ?? 1;
    session.addEventListener("view", () => this.#onView());
    session.addEventListener("refused", () => this.#onRefused());
  }

  get view() {
    return this.session.view;
  }

  get stage() {
    return this.project.settings.stages ? this.view.stage : 4;
  }

  get selectedWords() {
    const inRun = this.selection ? run(this.view, this.selection.from, this.selection.to) : [];
    if (this.gathered.size === 0) return inRun;
    return this.view.words.map((word) => word.n).filter((n) => this.gathered.has(n) || inRun.includes(n));
  }

  get currentWord() {
    return typeof this.current === "number" ? wordOf(this.view, this.current) : undefined;
  }

  /** @param {Unit} unit */
  moveTo(unit) {
    this.current = unit;
    this.selection = null;
    this.redraw();
  }

  /** One more word, or one less; going from word to word keeps them. @param {Unit} unit */
  gather(unit) {
    if (typeof unit !== "number" || unit === 0) return this.tell(t("no.word-only"));
    const words = new Set(this.selectedWords);
    // A run that has just begun with this word is no reason to take it out again.
    const isBeginning = this.selection?.from === unit && this.selection.to === unit;
    if (isBeginning || !words.delete(unit)) words.add(unit);
    this.gathered = words;
    this.moveTo(unit);
    say(t("doing.selected", { words: this.selectedWords.map((n) => wordOf(this.view, n)?.form ?? "").join(" ") }));
  }

  /** @param {number} from @param {number} to */
  select(from, to) {
    this.gathered = new Set();
    this.selection = { from, to };
    this.current = to;
    this.redraw();
  }

  deselect() {
    this.selection = null;
    this.gathered = new Set();
  }

  /** @param {Unit | null} unit */
  pick(unit) {
    this.picked = unit;
    if (unit !== null && unit !== 0) this.current = unit;
    this.redraw();
  }

  /** @param {string} command @param {Map<string, Unit | string>} codes */
  await(command, codes) {
    this.awaited = { command, codes, typed: "" };
    this.redraw();
  }

  /** Leaves whatever was begun. @returns {boolean} whether there was anything */
  leave() {
    const had = this.awaited !== null || this.picked !== null || this.selectedWords.length > 0;
    this.awaited = null;
    this.picked = null;
    this.deselect();
    this.redraw();
    return had;
  }

  /** @param {string} name */
  wish(name) {
    this.dispatchEvent(new CustomEvent("wish", { detail: name }));
  }

  /** @param {string} text @param {boolean} [isRefusal] whether it says why something was not done */
  tell(text, isRefusal = true) {
    this.news = text;
    this.isRefusal = isRefusal;
    say(text);
    this.redraw();
  }

  /** @param {(view: View) => Wanted} make @param {Via} via */
  edit(make, via) {
    if (this.view.read_only) return this.tell(t("no.read-only"));
    this.session.do((view) => {
      const wanted = make(view);
      if (typeof wanted === "string") {
        this.tell(wanted);
        return [];
      }
      if (wanted.length === 0) return [];
      this.news = changesSentence(view, wanted);
      this.isRefusal = false;
      say(this.news);
      return [...this.#shown(view), { kind: "edit", via, changes: wanted }];
    });
  }

  /** @param {Happening} happening */
  happen(happening) {
    if (this.view.read_only) return;
    this.news = "";
    this.session.do(() => [happening]);
  }

  /** @param {Unit} of @param {Unit} to @param {Via} via */
  connect(of, to, via) {
    this.picked = null;
    this.awaited = null;
    if (of !== 0) this.current = of;
    this.edit((view) => belongsTo(view, of, to), via);
  }

  /** What a plain click on a word or block means: it depends on the stage. @param {Unit} unit @param {Via} via @param {boolean} extend */
  click(unit, via, extend) {
    if (this.awaited) return this.#choose(unit, via);
    if (this.picked !== null) return this.#drop(unit, via);
    if (unit === 0) return this.tell(t("no.root-first"));
    if (extend) return this.#extendTo(unit);
    if (this.stage === 1) return this.#clickMain(unit, via);
    if (this.stage === 2) return this.#clickRun(unit);
    if (this.stage === 3) return this.#pickUp(unit);
    this.moveTo(unit);
  }

  /** A click can answer what a key has asked. @param {Unit} unit @param {Via} via */
  #choose(unit, via) {
    this.dispatchEvent(new CustomEvent("chosen", { detail: { unit, via } }));
  }

  /** @param {Unit} unit */
  #pickUp(unit) {
    this.selection = null;
    this.pick(unit);
    say(t("doing.picked", { dependent: named(this.view, unit) }));
  }

  /** @param {Unit} unit @param {Via} via */
  #drop(unit, via) {
    const of = /** @type {Unit} */ (this.picked);
    if (same(of, unit)) return this.pick(null);
    this.connect(of, unit, via);
  }

  /** @param {Unit} unit @param {Via} via */
  #clickMain(unit, via) {
    this.moveTo(unit);
    if (typeof unit === "number") this.edit((view) => mainToggled(view, unit), via);
  }

  /** The first click begins a run, the second ends it, the third begins another; single words are gathered on. @param {Unit} unit */
  #clickRun(unit) {
    if (typeof unit !== "number") return this.moveTo(unit);
    if (this.gathered.size > 0) return this.gather(unit);
    const begun = this.selection !== null && this.selection.from === this.selection.to;
    this.select(begun && this.selection ? this.selection.from : unit, unit);
  }

  /** @param {Unit} unit */
  #extendTo(unit) {
    if (typeof unit !== "number") return this.moveTo(unit);
    const from = this.selection?.from ?? (typeof this.current === "number" ? this.current : unit);
    this.select(from, unit);
  }

  /** Which suggestions were on the screen when this was decided. @param {View} view @returns {Happening[]} */
  #shown(view) {
    if (!this.project.settings.suggestions) return [];
    const p = Object.fromEntries(sureSuggestions(view, 0).map((one) => [String(one.of), one.p]));
    return Object.keys(p).length > 0 ? [{ kind: "shown", p }] : [];
  }

  /** @returns {string} what the current word or block belongs to, in words */
  get sentence() {
    const { view, current } = this;
    return arcSentence(view, current, headOf(view, current), this.currentWord?.relation);
  }

  #onView() {
    if (this.current !== 0 && !exists(this.view, this.current)) this.current = this.view.words[0]?.n ?? 1;
    if (this.picked !== null && this.picked !== 0 && !exists(this.view, this.picked)) this.picked = null;
    this.gathered = new Set([...this.gathered].filter((n) => exists(this.view, n)));
    this.redraw();
  }

  #onRefused() {
    this.news = "";
    this.redraw();
  }

  redraw() {
    this.dispatchEvent(new Event("change"));
  }

  /** The block that commands about blocks mean. */
  get block() {
    const { current, view } = this;
    if (typeof current !== "number") return view.brackets.find((one) => one.id === current.bracket);
    return blocksAround(view, current)[0];
  }
}

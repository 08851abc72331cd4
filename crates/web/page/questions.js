// One arc at a time: "what does this word belong to?", answered by one key.

import { button, el, fill } from "./dom.js";
import { decimal, percent, t } from "./strings.js";
import { get } from "./server.js";
import { Session } from "./session.js";
import { Picture } from "./picture.js";
import { arcSentence } from "./describe.js";
import { belongsTo } from "./edits.js";
import { modelLine } from "./describe-model.js";
import { say } from "./spoken.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {{sentence: number, word: number, form: string, text: string, choices: {head: number, form: string, p: number}[], nats: number}} Question */

const AT_ONCE = 20;

/** @param {App} app @param {HTMLElement} main */
export async function show(app, main) {
  const page = new Questions(app);
  fill(main, page.element);
  document.addEventListener("keydown", page.onKey);
  await page.next();
  return page;
}

class Questions {
  title = t("questions.title");
  #box = el("div", { class: "question" });
  element = el("div", { class: "page questions" }, el("h1", { tabindex: "-1" }, this.title), el("p", {}, t("questions.text")), this.#box);
  /** @type {Question[]} */
  #queue = [];
  /** What has been asked on this page is not asked again, even if it was left open. */
  #asked = new Set();
  /** @type {Question | null} */
  #question = null;
  /** @type {Session | null} */
  #session = null;
  #app;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  close() {
    document.removeEventListener("keydown", this.onKey);
    this.#session?.close();
  }

  async next() {
    this.#session?.close();
    this.#session = null;
    this.#question = await this.#fetchNext();
    if (!this.#question) return fill(this.#box, el("p", { class: "empty" }, t("questions.none")));
    await this.#app.outbox.settled();
    this.#session = new Session(this.#app.outbox, await get(`/api/sentences/${this.#question.sentence}`));
    this.#draw(this.#question, this.#session);
  }

  /** @returns {Promise<Question | null>} */
  async #fetchNext() {
    if (this.#queue.length === 0) {
      const { questions } = await get(`/api/questions?n=${AT_ONCE}`);
      this.#queue = questions.filter((/** @type {Question} */ one) => !this.#asked.has(keyOf(one)));
    }
    const question = this.#queue.shift() ?? null;
    if (question) this.#asked.add(keyOf(question));
    return question;
  }

  /** @param {Question} question @param {Session} session */
  #draw(question, session) {
    const asked = t("questions.ask", { word: question.form });
    const picture = new Picture(() => {});
    picture.draw(session.view.svg, session.view.direction, question.word, false);
    const choices = question.choices.slice(0, 9).map((choice, i) => this.#choice(choice, i + 1));
    fill(this.#box,
      el("p", { class: "context", lang: "und", dir: session.view.direction }, ...marked(session.view.words, question.word)),
      el("h2", { tabindex: "-1" }, asked),
      el("p", { class: "quiet" }, t("questions.why", { nats: decimal(question.nats, 2) })),
      el("div", { class: "choices", role: "group", "aria-label": asked }, ...choices),
      el("p", { class: "quiet model-line" }, modelLine(session.view.model)),
      el("div", { class: "row" },
        button(t("questions.unsure"), () => this.#answer("unsure", "mouse"), { key: "q" }),
        button(t("questions.skip"), () => this.#answer("skip", "mouse"), { key: "k" }),
        el("a", { href: `#/sentence/${question.sentence}`, class: "button" }, t("questions.open"))),
      picture.element);
    this.#box.querySelector("h2")?.focus();
    say(asked);
  }

  /** @param {{head: number, form: string, p: number}} choice @param {number} n */
  #choice(choice, n) {
    const text = choice.head === 0 ? t("questions.root") : choice.form;
    const made = button(text, () => this.#answer(choice.head, "mouse"), { key: String(n), class: "choice" });
    made.insertBefore(el("span", { class: "p" }, this.#app.project.settings.suggestions ? percent(choice.p) : ""), made.lastChild);
    return made;
  }

  /** @param {number | "unsure" | "skip"} answer @param {"mouse" | "key"} _by */
  #answer(answer, _by) {
    const question = this.#question;
    const session = this.#session;
    if (!question || !session) return;
    // Until the next question is there, a second key must not answer this one twice.
    this.#question = null;
    if (answer === "unsure") session.do(() => [{ kind: "edit", via: "question", changes: [{ unsure: { of: question.word, is: true } }] }]);
    else if (answer !== "skip") this.#connect(session, question.word, answer);
    void this.#app.attempt(() => this.next());
  }

  /** @param {Session} session @param {number} word @param {number} head */
  #connect(session, word, head) {
    session.do((view) => {
      const changes = belongsTo(view, word, head);
      if (typeof changes === "string") return [];
      say(arcSentence(view, word, head));
      return [{ kind: "edit", via: "question", changes }];
    });
  }

  /** @param {KeyboardEvent} event */
  onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#question) return;
    const choice = this.#question.choices[Number(event.key) - 1];
    if (/^[1-9]$/.test(event.key) && choice) this.#answer(choice.head, "key");
    else if (event.key === "q") this.#answer("unsure", "key");
    else if (event.key === "k") this.#answer("skip", "key");
  };
}

/** @param {Question} question */
function keyOf({ sentence, word }) {
  return `${sentence}/${word}`;
}

/** @param {import("./types.js").Word[]} words @param {number} asked */
function marked(words, asked) {
  return words.flatMap((word) => [word.n === asked ? el("mark", {}, word.form) : word.form, " "]);
}

// How long somebody has really worked on a sentence: opened, closed, looked away, sat idle.

const IDLE_AFTER = 60_000;
const SIGNS_OF_LIFE = ["keydown", "pointerdown", "pointermove", "wheel", "input"];

export class Clock {
  #session;
  #lastSign = Date.now();
  paused = false;
  #isOpen = true;

  /** @param {import("./session.js").Session} session */
  constructor(session) {
    this.#session = session;
    this.#tell({ kind: "open" });
    document.addEventListener("visibilitychange", this.#onVisibility);
    for (const sign of SIGNS_OF_LIFE) document.addEventListener(sign, this.#onSign, { passive: true, capture: true });
  }

  close() {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    document.removeEventListener("visibilitychange", this.#onVisibility);
    for (const sign of SIGNS_OF_LIFE) document.removeEventListener(sign, this.#onSign, { capture: true });
    this.#tell({ kind: "close" });
  }

  pause() {
    if (this.paused) return;
    this.paused = true;
    this.#tell({ kind: "pause" });
  }

  resume() {
    if (!this.paused) return;
    this.paused = false;
    this.#lastSign = Date.now();
    this.#tell({ kind: "resume" });
  }

  #onVisibility = () => {
    if (document.visibilityState === "hidden") this.pause();
    else this.resume();
  };

  #onSign = () => {
    const silence = Date.now() - this.#lastSign;
    this.#lastSign = Date.now();
    if (silence >= IDLE_AFTER && !this.paused) this.#tell({ kind: "idle", seconds: Math.round(silence / 1000) });
  };

  /** @param {import("./types.js").Happening} happening */
  #tell(happening) {
    this.#session.do(() => [happening]);
  }
}

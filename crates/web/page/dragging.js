// Dragging words and blocks with mouse, pen or finger. What is dragged belongs to what it is dropped on;
// in the stage of blocks, dragging over words selects them.

import { el } from "./dom.js";
import { same, unitOf } from "./units.js";
import { arcSentence, named } from "./describe.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./types.js").Unit} Unit */
/** @typedef {{unit: Unit, x: number, y: number, via: "mouse" | "touch", mode: "waiting" | "arc" | "run"}} Drag */

/** A mouse that moves less has clicked. */
const SLACK = 6;
/** A finger that rests this long wants to drag and not to scroll. */
const HOLD = 350;

export class Dragging {
  /** @type {Drag | null} */
  #drag = null;
  #hold = 0;
  #clickIsOver = false;
  #desk;
  #ghost = el("div", { class: "ghost", "aria-hidden": "true", hidden: true });

  /** @param {Desk} desk @param {HTMLElement} area */
  constructor(desk, area) {
    this.#desk = desk;
    area.append(this.#ghost);
    area.addEventListener("pointerdown", this.#onDown);
    area.addEventListener("click", this.#onClick, true);
    area.addEventListener("touchmove", (event) => this.#keepStill(event), { passive: false });
    area.addEventListener("contextmenu", (event) => this.#keepStill(event));
  }

  /** @param {PointerEvent} event */
  #onDown = (event) => {
    this.#clickIsOver = false;
    const unit = unitAt(event.target);
    if (unit === null || event.button !== 0 || !event.isPrimary) return;
    const via = event.pointerType === "touch" ? "touch" : "mouse";
    this.#drag = { unit, x: event.clientX, y: event.clientY, via, mode: "waiting" };
    if (via === "touch") this.#hold = window.setTimeout(() => this.#begin(), HOLD);
    window.addEventListener("pointermove", this.#onMove);
    window.addEventListener("pointerup", this.#onUp);
    window.addEventListener("pointercancel", this.#onCancel);
  };

  #begin() {
    const drag = this.#drag;
    if (!drag || drag.unit === 0) return;
    const isRun = this.#desk.stage === 2 && typeof drag.unit === "number";
    drag.mode = isRun ? "run" : "arc";
    this.#desk.picked = null;
    if (!isRun) this.#desk.moveTo(drag.unit);
    if (drag.via === "touch") navigator.vibrate?.(15);
  }

  /** @param {PointerEvent} event */
  #onMove = (event) => {
    const drag = this.#drag;
    if (!drag) return;
    const moved = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > SLACK;
    if (drag.mode === "waiting") {
      if (!moved) return;
      if (drag.via === "touch") return this.#end();
      this.#begin();
    }
    this.#follow(drag, event);
  };

  /** @param {Drag} drag @param {PointerEvent} event */
  #follow(drag, event) {
    const over = unitAt(document.elementFromPoint(event.clientX, event.clientY));
    if (drag.mode === "run" && typeof drag.unit === "number" && typeof over === "number" && over > 0) {
      this.#desk.select(drag.unit, over);
    }
    if (drag.mode === "arc") this.#showGhost(drag, over, event);
  }

  /** @param {Drag} drag @param {Unit | null} over @param {PointerEvent} event */
  #showGhost(drag, over, event) {
    const { view } = this.#desk;
    const onto = over !== null && !same(over, drag.unit);
    this.#ghost.hidden = false;
    this.#ghost.textContent = onto ? arcSentence(view, drag.unit, over) : named(view, drag.unit);
    this.#ghost.style.translate = `${event.clientX + 12}px ${event.clientY + 14}px`;
    mark(onto ? event : null);
  }

  /** @param {PointerEvent} event */
  #onUp = (event) => {
    const drag = this.#drag;
    const over = unitAt(document.elementFromPoint(event.clientX, event.clientY));
    this.#end();
    if (!drag || drag.mode === "waiting") return;
    this.#clickIsOver = true;
    if (drag.mode === "arc" && over !== null && !same(over, drag.unit)) {
      this.#desk.connect(drag.unit, over, drag.via);
    }
  };

  #onCancel = () => this.#end();

  #end() {
    clearTimeout(this.#hold);
    this.#drag = null;
    this.#ghost.hidden = true;
    mark(null);
    window.removeEventListener("pointermove", this.#onMove);
    window.removeEventListener("pointerup", this.#onUp);
    window.removeEventListener("pointercancel", this.#onCancel);
  }

  /** @param {MouseEvent} event */
  #onClick = (event) => {
    const unit = unitAt(event.target);
    if (unit === null) return;
    // The click that ends a drag is no click.
    if (this.#clickIsOver) this.#clickIsOver = false;
    else if ((event.ctrlKey || event.metaKey) && !this.#desk.awaited) this.#desk.gather(unit);
    else this.#desk.click(unit, viaOf(event), event.shiftKey);
  };

  /** While a finger drags, the page must not scroll under it. @param {Event} event */
  #keepStill(event) {
    if (this.#drag && this.#drag.mode !== "waiting" && event.cancelable) event.preventDefault();
  }
}

/** @param {EventTarget | null} target @returns {Unit | null} */
function unitAt(target) {
  const element = target instanceof Element ? target.closest("[data-unit]") : null;
  return element ? unitOf(element.getAttribute("data-unit") ?? "") : null;
}

/** @param {MouseEvent} event @returns {"mouse" | "touch" | "key"} */
function viaOf(event) {
  // Chromium, Firefox and Safari send clicks as pointer events; a click by key has no kind.
  const kind = event instanceof PointerEvent ? event.pointerType : "mouse";
  if (kind === "touch") return "touch";
  return kind === "" ? "key" : "mouse";
}

/** Marks what is under the pointer. @param {PointerEvent | null} event */
function mark(event) {
  for (const old of document.querySelectorAll(".drop-here")) old.classList.remove("drop-here");
  if (!event) return;
  document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-unit]")?.classList.add("drop-here");
}

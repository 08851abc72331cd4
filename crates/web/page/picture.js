// The server's drawing of the tree. It is read as SVG, never as HTML, and put in place of the old one
// without moving what the reader has scrolled to.

import { el, put } from "./dom.js";
import { same } from "./units.js";
import { t } from "./strings.js";

/** @typedef {import("./types.js").Unit} Unit */

/** @param {string} source @returns {Element | null} */
export function svgOf(source) {
  const parsed = new DOMParser().parseFromString(source, "image/svg+xml");
  const root = parsed.documentElement;
  if (root.namespaceURI !== "http://www.w3.org/2000/svg" || root.localName !== "svg") return null;
  for (const unwanted of root.querySelectorAll("script, foreignObject, style")) unwanted.remove();
  return document.importNode(root, true);
}

export class Picture {
  element = el("div", { class: "picture scroll", tabindex: "0", role: "region" });
  #source = "";

  /** @param {(unit: Unit) => void} onSelect */
  constructor(onSelect) {
    put(this.element, "aria-label", t("picture.name"));
    this.element.addEventListener("click", (event) => {
      const unit = clicked(event.target);
      if (unit !== null) onSelect(unit);
    });
  }

  /** @param {string} source @param {"ltr" | "rtl"} direction @param {Unit | null} current @param {boolean} isBehind */
  draw(source, direction, current, isBehind) {
    if (source !== this.#source) this.#replace(source, direction);
    this.element.classList.toggle("behind", isBehind);
    for (const group of this.element.querySelectorAll("[data-word], [data-dependent], [data-bracket]")) {
      group.classList.toggle("current", current !== null && same(unitIn(group), current));
    }
  }

  /** @param {string} source @param {"ltr" | "rtl"} direction */
  #replace(source, direction) {
    const isFirst = this.#source === "";
    const { scrollLeft } = this.element;
    this.#source = source;
    const svg = svgOf(source);
    this.element.replaceChildren(...(svg ? [svg] : []));
    // A right-to-left sentence begins at the right edge of its picture.
    this.element.scrollLeft = isFirst && direction === "rtl" ? this.element.scrollWidth : scrollLeft;
  }
}

/** @param {EventTarget | null} target */
function clicked(target) {
  const group = target instanceof Element ? target.closest("[data-word], [data-dependent], [data-bracket]") : null;
  return group ? unitIn(group) : null;
}

/** @param {Element} group @returns {Unit | null} */
function unitIn(group) {
  const bracket = group.getAttribute("data-bracket");
  if (bracket !== null) return { bracket: Number(bracket) };
  const word = group.getAttribute("data-word") ?? group.getAttribute("data-dependent");
  return word === null ? null : Number(word);
}

// Making elements. Texts always become text nodes, so no word of the data is ever read as markup.

/** @typedef {Record<string, unknown>} Attributes */
/** @typedef {Node | string | null | undefined | false} Child */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes] a function under `onclick` is a listener; true, false and null set or remove
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) put(element, name, value);
  element.append(...present(children));
  return element;
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {unknown} value
 */
export function put(element, name, value) {
  if (typeof value === "function") {
    element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
  } else if (value === null || value === undefined || value === false) {
    element.removeAttribute(name);
  } else {
    const text = value === true ? "" : String(value);
    // Writing what is there already would make screen readers speak again.
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/** @param {Node} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @param {Element} parent @param {...Child} children */
export function fill(parent, ...children) {
  parent.replaceChildren(...present(children));
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function present(children) {
  return /** @type {(Node | string)[]} */ (children.filter((child) => child || child === ""));
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/**
 * @param {string} text
 * @param {(event: MouseEvent) => void} onclick
 * @param {Attributes & {key?: string}} [attributes] `key` is the keyboard command shown beside the text
 */
export function button(text, onclick, { key, ...attributes } = {}) {
  const shown = key ? el("kbd", { "aria-hidden": "true" }, key) : null;
  return el("button", { type: "button", onclick, ...attributes }, el("span", { class: "what" }, text), shown);
}

// The catalogue: every text a person sees or hears comes from strings/LANGUAGE.json by its key.

export const LANGUAGES = { en: "English", de: "Deutsch" };

/** @type {Record<string, string>} */
let texts = {};
let language = "en";

/** @param {string} wanted */
export async function loadStrings(wanted) {
  language = wanted in LANGUAGES ? wanted : "en";
  const english = await catalogue("en");
  // A text that a translator has not reached yet stays English.
  texts = language === "en" ? english : { ...english, ...(await catalogue(language)) };
  document.documentElement.lang = language;
}

/** @param {string} name @returns {Promise<Record<string, string>>} */
async function catalogue(name) {
  const answer = await fetch(`/assets/strings/${name}.json`);
  return answer.json();
}

/** @param {string} key @param {Record<string, string | number>} [values] */
export function t(key, values = {}) {
  const text = texts[key];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/**
 * A text that depends on a number: `key.one`, `key.other` and what else the language tells apart.
 * @param {string} key @param {number} n @param {Record<string, string | number>} [values]
 */
export function counted(key, n, values = {}) {
  const form = `${key}.${new Intl.PluralRules(language).select(n)}`;
  return t(form in texts ? form : `${key}.other`, { n, ...values });
}

/** @param {string} key */
export function hasText(key) {
  return key in texts;
}

/** @param {number} share */
export function percent(share) {
  return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 }).format(share);
}

/** @param {number} value @param {number} [digits] */
export function decimal(value, digits = 2) {
  return new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
}

/** @param {number} seconds */
export function duration(seconds) {
  const minutes = Math.floor(seconds / 60);
  const rest = Math.round(seconds % 60);
  return minutes > 0 ? t("time.minutes", { minutes, seconds: rest }) : t("time.seconds", { seconds: rest });
}

/** Texts of elements that are in the page from the start. @param {ParentNode} root */
export function translate(root) {
  for (const element of root.querySelectorAll("[data-text]")) {
    element.textContent = t(element.getAttribute("data-text") ?? "");
  }
  for (const element of root.querySelectorAll("[data-name]")) {
    element.setAttribute("aria-label", t(element.getAttribute("data-name") ?? ""));
  }
}

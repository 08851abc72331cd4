// What this browser remembers about how somebody likes to work.

/** @typedef {{language: string, order: string, keys: boolean, hiddenLessons: number[]}} Preferences */

const NAME = "treelet-preferences";

/** @param {Partial<Preferences>} [defaults] @returns {Preferences} */
export function loadPreferences(defaults = {}) {
  const plain = { language: "", order: "order", keys: true, hiddenLessons: [], ...defaults };
  try {
    return { ...plain, ...JSON.parse(localStorage.getItem(NAME) ?? "{}") };
  } catch {
    return plain;
  }
}

/** @param {Preferences} preferences */
export function savePreferences(preferences) {
  try {
    localStorage.setItem(NAME, JSON.stringify(preferences));
  } catch {
    // Then they hold until the page is closed.
  }
}

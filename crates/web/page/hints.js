// Short codes for words and names. No code is the beginning of another, so none needs a pause or Enter.

/** The row under the fingers first. */
const LETTERS = [..."asdfjklghqweruiopzxcvbnmty"];

/**
 * Codes of one letter as long as they last; what is left over gets two. The first things get the short
 * codes, so put the likeliest first.
 * @param {number} n @returns {string[]}
 */
export function codes(n) {
  const nPrefixes = prefixesFor(n);
  const short = LETTERS.slice(0, LETTERS.length - nPrefixes);
  const prefixes = LETTERS.slice(LETTERS.length - nPrefixes);
  const long = prefixes.flatMap((first) => LETTERS.map((second) => first + second));
  return [...short, ...long].slice(0, n);
}

/** @param {number} n */
function prefixesFor(n) {
  const beyond = n - LETTERS.length;
  return beyond <= 0 ? 0 : Math.min(LETTERS.length, Math.ceil(beyond / (LETTERS.length - 1)));
}

/**
 * Two letters per name that one can remember: the first letter and another of the name (nsubj: ns).
 * @param {string[]} names @returns {Map<string, string>} code to name
 */
export function mnemonics(names) {
  /** @type {Map<string, string>} */
  const byCode = new Map();
  for (const name of names) {
    const code = candidates(name).find((one) => !byCode.has(one));
    if (code) byCode.set(code, name);
  }
  return byCode;
}

/** @param {string} name */
function candidates(name) {
  const own = [...name.toLowerCase()].filter((letter) => LETTERS.includes(letter));
  const first = own[0] ?? "a";
  const rest = own.slice(1);
  const initials = name.toLowerCase().split(/[:_-]/).slice(1).map((part) => part[0] ?? "");
  const second = [...initials.filter((letter) => LETTERS.includes(letter)), ...rest, ...LETTERS];
  return [...second.map((letter) => first + letter), ...LETTERS.flatMap((a) => LETTERS.map((b) => a + b))];
}

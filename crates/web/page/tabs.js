// Which pages of this program are open in this browser. A box in the storage belongs to a page that
// is gone if no page answers to its name.

const CHANNEL = "treelet-tabs";
/** Pages answer at once; a page in the background may need a moment. */
const WAIT = 400;

/** A name for this page load. */
export function newTab() {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return [...bytes].map((byte) => byte.toString(36).padStart(2, "0")).join("");
}

/** Answers other pages that ask who is there. @param {string} tab */
export function answerOthers(tab) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = (message) => {
    if (message.data === "who") channel.postMessage(tab);
  };
}

/** @returns {Promise<Set<string>>} the names of the pages that are open */
export function openTabs() {
  const channel = new BroadcastChannel(CHANNEL);
  /** @type {Set<string>} */
  const names = new Set();
  channel.onmessage = (message) => names.add(String(message.data));
  channel.postMessage("who");
  return new Promise((done) => {
    setTimeout(() => {
      channel.close();
      done(names);
    }, WAIT);
  });
}

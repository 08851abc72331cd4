// Edits the server did not take, because the sentence has changed elsewhere or because they do not fit:
// each is named, and can be done again on the sentence as it is now.

import { button, el } from "./dom.js";
import { counted, t } from "./strings.js";
import { get } from "./server.js";
import { targetKey } from "./outbox.js";
import { sayUrgently } from "./spoken.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./outbox.js").Outbox} Outbox */
/** @typedef {import("./outbox.js").Item} Item */

/** @param {App} app @param {Outbox} box @param {import("./server.js").Trouble} [trouble] */
export function offerAgain(app, box, trouble) {
  if (box.refused.length === 0) return;
  for (const old of document.querySelectorAll(`.again[data-tab="${box.tab}"]`)) old.remove();
  const items = box.refused;
  const reason = trouble?.code === "changed-elsewhere" || !trouble ? t("again.elsewhere") : trouble.message;
  const notice = el("section", { class: "notice warning again", "data-tab": box.tab, "aria-label": t("again.name") },
    el("p", {}, counted("again.offer", items.length, { place: items[0]?.target.place ?? 0 }), " ", reason),
    el("ul", {}, ...items.slice(0, 8).map((item) => el("li", {}, item.what))),
    el("p", { class: "row" },
      button(t("again.do"), () => void app.attempt(() => doAgain(app, box, notice)), { class: "primary" }),
      button(t("again.drop"), () => { box.takeRefused(); notice.remove(); })));
  app.showNotice(notice);
  sayUrgently(`${counted("again.offer", items.length, { place: items[0]?.target.place ?? 0 })} ${reason}`);
}

/** The same edits as new events on the newest version. @param {App} app @param {Outbox} box @param {HTMLElement} notice */
async function doAgain(app, box, notice) {
  const items = [...box.refused];
  if (box !== app.outbox) await learnVersions(app, items);
  notice.remove();
  // They are in this page's box before they leave the other, so there is no moment without them.
  for (const { target, event, what } of items) {
    const { n: _n, at: _at, ...happening } = event;
    app.outbox.add(target, [happening], what);
  }
  box.takeRefused(items);
}

/** @param {App} app @param {Item[]} items */
async function learnVersions(app, items) {
  const targets = new Map(items.map(({ target }) => [targetKey(target), target]));
  for (const target of targets.values()) {
    const answer = await get(`/api/${target.path}/${target.id}?slot=${target.slot}`);
    app.outbox.seen(target, (answer.merged ?? answer).version);
  }
}

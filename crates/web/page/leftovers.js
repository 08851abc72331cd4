// Work of pages that were closed before the server had it: offered on the next visit.

import { button, el } from "./dom.js";
import { counted, t } from "./strings.js";
import { isWork, Outbox } from "./outbox.js";
import { leftBehind, Shelf } from "./shelf.js";
import { openTabs } from "./tabs.js";

/** @typedef {import("./app.js").App} App */

/** @param {App} app */
export async function offerLeftovers(app) {
  const open = await openTabs();
  const boxes = leftBehind(app.owner)
    .filter((kept) => kept.tab !== app.tab && !open.has(kept.tab))
    .map((kept) => Outbox.restored(kept, new Shelf(app.owner, kept.tab), app.post));
  for (const box of boxes) {
    if (box.nUnsaved > 0) offer(app, box);
    else sendQuietly(box);
  }
}

/** Only times: nothing to ask about. @param {Outbox} box */
function sendQuietly(box) {
  box.addEventListener("refused", () => box.drop());
  box.tryNow();
}

/** @param {App} app @param {Outbox} box */
function offer(app, box) {
  const work = [...box.refused, ...box.items.filter(isWork)];
  const places = [...new Set(work.map((item) => item.target.place))].join(", ");
  const notice = el("section", { class: "notice warning", "aria-label": t("left.name") },
    el("p", {}, counted("left.offer", work.length, { places })),
    el("ul", {}, ...work.slice(0, 8).map((item) => el("li", {}, item.what))),
    el("p", { class: "row" },
      button(t("left.send"), () => void sendNow(app, box, notice), { class: "primary" }),
      button(t("left.drop"), () => dropAll(box, notice))));
  app.showNotice(notice);
}

/** @param {Outbox} box @param {Element} notice */
function dropAll(box, notice) {
  box.drop();
  notice.remove();
}

/** @param {App} app @param {Outbox} box @param {Element} notice */
function sendNow(app, box, notice) {
  notice.remove();
  app.watch(box);
  box.addEventListener("answer", () => app.refresh());
  if (box.items.length > 0) box.tryNow();
  else app.offerAgain(box);
}

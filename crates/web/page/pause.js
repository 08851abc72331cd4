// A break: the clock stands still and the sentence is covered until she comes back.

import { button, el } from "./dom.js";
import { t } from "./strings.js";

/** @param {import("./clock.js").Clock} clock @param {() => void} then */
export function showPause(clock, then) {
  clock.pause();
  const dialog = el("dialog", { class: "pause", "aria-labelledby": "pause-title" },
    el("h2", { id: "pause-title" }, t("pause.title")),
    el("p", {}, t("pause.text")),
    el("p", {}, button(t("pause.resume"), () => dialog.close(), { class: "primary", autofocus: true })));
  dialog.addEventListener("close", () => {
    dialog.remove();
    clock.resume();
    then();
  });
  document.body.append(dialog);
  dialog.showModal();
}

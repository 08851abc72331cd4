// The keyboard table, as an overlay.

import { button, el } from "./dom.js";
import { t } from "./strings.js";
import { KEYS, signOf } from "./keys.js";

const GROUPS = ["move", "arcs", "marks", "machine", "sentence"];

export function showHelp() {
  const before = document.activeElement;
  const dialog = el("dialog", { class: "help", "aria-labelledby": "help-title" },
    el("div", { class: "row" },
      el("h2", { id: "help-title" }, t("help.title")),
      el("p", { class: "quiet stretch" }, t("help.text")),
      button(t("help.close"), () => dialog.close(), { class: "primary", key: "Esc", autofocus: true })),
    el("div", { class: "columns" }, ...GROUPS.map(group)));
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before instanceof HTMLElement) before.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {string} name */
function group(name) {
  const rows = KEYS.filter((binding) => binding.group === name).map((binding) => {
    const keys = binding.press.flatMap((press) => [el("kbd", {}, signOf(press)), " "]);
    const then = binding.then ? [el("span", { class: "quiet" }, t(`help.then.${binding.then}`))] : [];
    return el("tr", {}, el("th", { scope: "row" }, ...keys, ...then), el("td", {}, t(`key.${binding.command}`)));
  });
  return el("table", {}, el("caption", {}, t(`help.group.${name}`)), el("tbody", {}, ...rows));
}

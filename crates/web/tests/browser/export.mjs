// Settings: what is written out is chosen, and what a format has no place for is said.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { goTo, openSentence, openWindow, saved, screenshot } from "./browser.mjs";
import { startProgram } from "./program.mjs";

async function taken(page, name) {
  const waiting = page.waitForEvent("download");
  await page.getByRole("link", { name, exact: true }).click();
  return readFileSync(await (await waiting).path(), "utf8");
}

test("one annotator, comments and what a machine fills in are chosen before a file is taken", async (t) => {
  const program = await startProgram(t, "--demo", "--annotator", "Ana");
  const { page } = await openWindow(t, program);
  await openSentence(page, 1);
  for (const key of ["Home", ">", "ArrowRight", "r"]) await page.keyboard.press(key);
  await saved(page);
  await goTo(page, "settings");
  const all = await taken(page, "CoNLL-U");
  assert.match(all, /# annotator = annotator-1|# annotator = \w+/);
  assert.doesNotMatch(all, /HeadBy=/);
  await page.locator("#export-who").selectOption("Ana");
  assert.doesNotMatch(await taken(page, "CoNLL-U"), /# annotator/);
  await page.locator("#export-who").selectOption("");
  await page.locator("#export-remarks").selectOption("misc");
  await page.locator("#export-suggestions").check();
  await page.waitForFunction(() => fetch("/api/project").then((answer) => answer.json()).then((project) => project.model !== null));
  assert.match(await taken(page, "CoNLL-U"), /HeadBy=convexmst:/);
  const address = await page.getByRole("link", { name: "CoNLL-U", exact: true }).getAttribute("href");
  assert.equal(address, "/api/export?format=conllu&comments=misc&suggestions=true");
  await taken(page, "Brackets");
  await page.waitForFunction(() => /no place in Brackets for: .*heads \(\d+\)/.test(document.querySelector("#export-left-out")?.textContent ?? ""));
  await screenshot(page, "export");
});

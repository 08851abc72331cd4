// Single questions, answered by one key each.

import assert from "node:assert/strict";
import { test } from "node:test";
import { goTo, openSentence, openWindow, saved } from "./browser.mjs";
import { startProgram } from "./program.mjs";

test("a question is answered by a number key, and the arc is there", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  // There are questions as soon as there is a model.
  await page.waitForFunction(async () => (await (await fetch("/api/questions?n=1")).json()).questions.length > 0, null, { polling: 200 });
  const asked = page.waitForResponse(/\/api\/questions/);
  await goTo(page, "questions");
  const { questions } = await (await asked).json();
  await page.waitForSelector(".question .choice");
  await page.keyboard.press("1");
  await saved(page);
  const [{ sentence, word, choices }] = questions;
  const view = await page.evaluate(async (path) => (await fetch(path)).json(), `/api/sentences/${sentence}`);
  assert.equal(view.words.find((one) => one.n === word).head, choices[0].head);
});

test("an arc made on the board can be replayed", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  await openSentence(page, 4);
  for (const key of ["Home", ">", "ArrowRight", ">", "u"]) await page.keyboard.press(key);
  await saved(page);
  await goTo(page, "replay/4");
  await page.waitForSelector(".replay .picture svg");
  const last = Number(await page.locator("#moment").getAttribute("max"));
  assert.ok(last >= 3);
  await page.locator("#moment").fill("0");
  await page.waitForFunction((total) => document.querySelector(".what-happened")?.textContent?.includes(String(total)), last);
});

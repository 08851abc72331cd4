// Training in the background: it is seen, it is never in the way, and what it changed is shown.

import assert from "node:assert/strict";
import { test } from "node:test";
import { goTo, openSentence, openWindow, saved, screenshot, serverView } from "./browser.mjs";
import { startProgram } from "./program.mjs";

const type = async (page, ...keys) => { for (const key of keys) await page.keyboard.press(key); };

async function annotateSome(page) {
  for (const id of [1, 2, 3, 4]) {
    await openSentence(page, id);
    await type(page, "Home", ">", "ArrowRight", ">", "ArrowRight", "r");
    await saved(page);
    await type(page, "Enter");
    await page.waitForFunction((old) => document.querySelector("sentence-view")?.desk?.view.id !== old, id);
  }
}

test("training shows its progress and its end", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  await annotateSome(page);
  await goTo(page, "settings");
  await page.getByRole("button", { name: "Train now" }).click();
  await page.waitForFunction(() => /Trained in/.test(document.querySelector(".model-news")?.textContent ?? ""), null, { timeout: 60_000 });
  await screenshot(page, "trained");
});

test("one can annotate while the model is trained, and sees when its suggestions change", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  await annotateSome(page);
  await openSentence(page, 6);
  await saved(page);
  await page.evaluate(() => fetch("/api/train", { method: "POST", headers: { "X-Treelet": "1", "Content-Type": "application/json" }, body: "{}" }));
  await type(page, "Home", ">");
  await saved(page);
  await page.waitForFunction(() => /trained anew/.test(document.querySelector(".news")?.textContent ?? ""), null, { timeout: 60_000 });
  assert.equal((await serverView(page, 6)).words[0].head, 2);
});

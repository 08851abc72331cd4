// One annotator, two windows on one sentence.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openSentence, openWindow, saved, screenshot, serverView } from "./browser.mjs";
import { startProgram } from "./program.mjs";

const type = async (page, ...keys) => { for (const key of keys) await page.keyboard.press(key); };

async function secondPage(context, program, id) {
  const page = await context.newPage();
  await page.goto(program.origin);
  await page.waitForSelector("main h1");
  await openSentence(page, id);
  await saved(page);
  return page;
}

test("what one window says, the other shows", async (t) => {
  const program = await startProgram(t, "--demo");
  const { context, page } = await openWindow(t, program);
  await openSentence(page, 4);
  const other = await secondPage(context, program, 4);
  await page.bringToFront();
  await type(page, "Home", ">");
  await saved(page);
  await other.bringToFront();
  await other.waitForSelector('.board [data-unit="w1"].said', { timeout: 10_000 });
});

test("an edit on an old view is not lost: it is put up to be done again", async (t) => {
  const program = await startProgram(t, "--demo");
  const { context, page } = await openWindow(t, program);
  // This window hears no news, so its view grows old.
  await context.route("**/api/stream", (route) => route.abort());
  await page.reload();
  await openSentence(page, 4);
  const other = await secondPage(context, program, 4);
  await saved(page);
  await type(other, "Home", ">");
  await saved(other);
  await page.bringToFront();
  await type(page, "Home", "ArrowRight", ">");
  const notice = page.locator(".notice.again");
  await notice.waitFor();
  await screenshot(page, "changed-elsewhere");
  assert.ok(await page.locator('.board [data-unit="w1"].said').isVisible(), "the newest state is shown");
  assert.equal(await page.locator('.board [data-unit="w2"].said').count(), 0, "the refused edit is not shown as done");
  assert.match(await page.locator("#save-status").textContent(), /not saved yet: 1 change/);
  await notice.locator("button.primary").click();
  await saved(page);
  const { words } = await serverView(page, 4);
  assert.deepEqual([words[0].head, words[1].head], [2, 3]);
});

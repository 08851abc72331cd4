// Fingers: tapping, holding and dragging, and targets that are large enough.

import assert from "node:assert/strict";
import { test } from "node:test";
import { chip, middle, openSentence, openWindow, saved, screenshot, serverView, wordAt } from "./browser.mjs";
import { startProgram } from "./program.mjs";

const TABLET = { viewport: { width: 800, height: 1100 }, hasTouch: true, isMobile: true };

/** A finger rests on one thing until it can be dragged, and goes to another. */
async function holdAndDrag(context, page, from, to) {
  const session = await context.newCDPSession(page);
  const [start, end] = [await middle(from), await middle(to)];
  const touch = (type, point) => session.send("Input.dispatchTouchEvent", { type, touchPoints: point ? [point] : [] });
  await touch("touchStart", start);
  await page.waitForTimeout(500);
  for (let step = 1; step <= 6; step++) {
    await touch("touchMove", { x: start.x + ((end.x - start.x) * step) / 6, y: start.y + ((end.y - start.y) * step) / 6 });
  }
  await touch("touchEnd", null);
}

test("by touch: tap and tap, hold and drag", async (t) => {
  const program = await startProgram(t, "--demo");
  const { context, page } = await openWindow(t, program, TABLET);
  await openSentence(page, 4);
  await page.locator(".stages li:nth-child(3) button").tap();
  await chip(page, 1).tap();
  await chip(page, 2).tap();
  await saved(page);
  assert.equal((await wordAt(page, 4, 1)).head, 2);
  await holdAndDrag(context, page, chip(page, 2), chip(page, 4));
  await saved(page);
  assert.equal((await wordAt(page, 4, 2)).head, 4);
  await page.locator(".stages li:nth-child(2) button").tap();
  await chip(page, 1).tap();
  await chip(page, 2).tap();
  await page.locator('[data-command="block"]').tap();
  await saved(page);
  assert.deepEqual((await serverView(page, 4)).brackets.map((one) => one.words), [[1, 2]]);
  await screenshot(page, "touch");
});

test("what is touched is at least 40 pixels high", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program, TABLET);
  await openSentence(page, 1);
  assert.ok(await page.evaluate(() => matchMedia("(pointer: coarse)").matches), "the browser must take itself for a tablet");
  const small = await page.evaluate(() => [...document.querySelectorAll("main button, nav a, main select, main input")]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 40)
    .map((one) => `${one.tagName} ${one.textContent}`));
  assert.deepEqual(small, []);
});

// Blocks with gaps: single words are gathered by key, by mouse and by finger.

import assert from "node:assert/strict";
import { test } from "node:test";
import { chip, openSentence, openWindow, saved, screenshot, serverView } from "./browser.mjs";
import { startProgram } from "./program.mjs";

const SENTENCE = 4;
const blocks = async (page) => (await serverView(page, SENTENCE)).brackets.map((one) => one.words);

test("by keys: j gathers words, b makes a block of them, and u takes it back", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  await openSentence(page, SENTENCE);
  for (const key of ["Home", "j", "ArrowRight", "ArrowRight", "j"]) await page.keyboard.press(key);
  assert.equal(await page.locator(".board .selected").count(), 2);
  await page.keyboard.press("b");
  await saved(page);
  assert.deepEqual(await blocks(page), [[1, 3]]);
  assert.equal(await page.locator(".board .selected").count(), 0);
  await screenshot(page, "gaps");
  await page.keyboard.press("u");
  await saved(page);
  assert.deepEqual(await blocks(page), []);
});

test("by keys: j a second time takes the word out, Esc all of them", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  await openSentence(page, SENTENCE);
  for (const key of ["Home", "j", "ArrowRight", "j", "j"]) await page.keyboard.press(key);
  assert.equal(await page.locator(".board .selected").count(), 1);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".board .selected").count(), 0);
});

test("by mouse: Ctrl and a click adds a word to what was dragged over", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  await openSentence(page, SENTENCE);
  await page.locator(".stages li:nth-child(2) button").click();
  await chip(page, 1).click();
  await chip(page, 2).click();
  await chip(page, 4).click({ modifiers: ["Control"] });
  await page.locator('[data-command="block"]').click();
  await saved(page);
  assert.deepEqual(await blocks(page), [[1, 2, 4]]);
});

test("by finger: a button adds the next word", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program, { viewport: { width: 800, height: 1100 }, hasTouch: true, isMobile: true });
  await openSentence(page, SENTENCE);
  await page.locator(".stages li:nth-child(2) button").tap();
  await chip(page, 1).tap();
  await page.locator('[data-command="gather"]').tap();
  await chip(page, 3).tap();
  await page.locator('[data-command="block"]').tap();
  await saved(page);
  assert.deepEqual(await blocks(page), [[1, 3]]);
  await screenshot(page, "gaps-touch");
});

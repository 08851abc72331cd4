// The same lessons by somebody who has no mouse.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openWindow, saved, screenshot, serverView, wordAt } from "./browser.mjs";
import { startProgram } from "./program.mjs";

/** Types keys one after the other, as fast as the page takes them. */
async function type(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

/** Goes on by Tab until the focus is on what is wanted. */
async function tabTo(page, selector) {
  for (let i = 0; i < 80; i++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not reach ${selector}`);
}

/** Says by its code on the screen what the current word belongs to. */
async function belongsTo(page, n) {
  await type(page, "a");
  const code = await page.locator(`.board [data-unit="w${n}"] .hint`).textContent();
  await type(page, ...code);
}

async function focusedWord(page) {
  return page.evaluate(() => document.activeElement?.getAttribute("data-unit"));
}

const LESSONS = [
  async function mainWord(page, id) {
    await type(page, "1", "ArrowRight", "m");
    await saved(page);
    assert.ok((await wordAt(page, id, 2)).main);
    assert.equal(await focusedWord(page), "w2", "the focus stays on the word");
  },
  async function block(page, id) {
    await type(page, "2", "Home", "Shift+ArrowRight", "Shift+ArrowRight", "b");
    await saved(page);
    assert.deepEqual((await serverView(page, id)).brackets.map((one) => one.words), [[1, 2, 3]]);
  },
  async function blockInBlock(page, id) {
    await type(page, "2", "Home", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "b");
    await type(page, "Home", "ArrowRight", "Shift+ArrowRight", "b");
    await type(page, "h");
    const code = await page.locator('.board [data-unit="w3"] .hint').textContent();
    await type(page, ...code);
    await saved(page);
    const { brackets } = await serverView(page, id);
    assert.equal(brackets.length, 2);
    assert.equal(brackets.find((one) => one.words.length === 2).head, 3);
  },
  async function byCode(page, id) {
    await type(page, "3", "Home");
    await belongsTo(page, 2);
    await saved(page);
    assert.equal((await wordAt(page, id, 1)).head, 2);
  },
  async function blockBelongs(page, id) {
    await type(page, "Home", "Shift+ArrowRight", "b", "e");
    await belongsTo(page, 3);
    await saved(page);
    assert.equal((await serverView(page, id)).brackets[0].depends_on, 3);
  },
  async function turnRound(page, id) {
    await type(page, "Home", "ArrowRight", "<", "f", "ArrowUp", "r");
    await saved(page);
    const { words } = await serverView(page, id);
    assert.deepEqual([words[0].head, words[1].head], [2, 0]);
  },
  async function openAgain(page, id) {
    await type(page, "Home", ">", "Delete", "q");
    await saved(page);
    const word = await wordAt(page, id, 1);
    assert.deepEqual([word.head, word.unsure], [null, true]);
  },
  async function undoAndRedo(page, id) {
    await type(page, "Home", ">", "ArrowRight", ">", "u", "u", "U");
    await saved(page);
    const { words } = await serverView(page, id);
    assert.deepEqual([words[0].head, words[1].head], [2, null], "keys typed in a burst are done in order");
  },
  async function relation(page, id) {
    await type(page, "4", "Home", ">", "l");
    const option = page.locator("dialog.picker .option").first();
    const [code, name] = [await option.getAttribute("data-code"), await option.locator(".what").textContent()];
    await type(page, ...code);
    await saved(page);
    assert.equal((await wordAt(page, id, 1)).relation, name);
    assert.equal(await focusedWord(page), "w1", "the focus comes back from the dialog");
  },
  async function asText(page, id) {
    const { words } = await serverView(page, id);
    await type(page, "g", "Control+a");
    await page.keyboard.type(`${words[0].form} > ${words[1].form}`);
    await page.waitForTimeout(400);
    await type(page, "Escape");
    await saved(page);
    assert.equal((await wordAt(page, id, 1)).head, 2);
    assert.equal(await focusedWord(page), "w1", "Escape leads back to the board");
  },
];

test("the tutorial by keyboard only", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  await tabTo(page, "#annotator-name");
  await page.keyboard.type("Anna");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".first-use", { state: "detached" });
  await tabTo(page, ".home button.big");
  await page.keyboard.press("Enter");
  for (const [i, lesson] of LESSONS.entries()) {
    await page.waitForFunction((place) => document.querySelector("sentence-view")?.desk?.view.place === place, i + 1);
    const id = await page.evaluate(() => document.querySelector("sentence-view").desk.view.id);
    await t.test(`lesson ${i + 1}: ${lesson.name}`, () => lesson(page, id));
    await page.keyboard.press("Enter");
  }
  await page.waitForSelector(".home");
  const project = await page.evaluate(async () => (await fetch("/api/project")).json());
  assert.deepEqual([project.n_submitted, project.annotator.name], [10, "Anna"]);
});

test("the keyboard help lists the table and gives the focus back", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  await page.evaluate(() => { location.hash = "#/sentence/1"; });
  await page.waitForSelector(".chip");
  await page.keyboard.press("?");
  await page.waitForSelector("dialog.help[open]");
  await screenshot(page, "help");
  await page.keyboard.press("Escape");
  assert.equal(await focusedWord(page), "w1");
});

test("the focus is never lost", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  await page.evaluate(() => { location.hash = "#/sentence/4"; });
  await page.waitForSelector(".chip");
  await type(page, "Home", ">");
  await saved(page);
  await page.locator('.toolbar [data-command="undo"]').click();
  await saved(page);
  assert.equal(await focusedWord(page), "w1", "a button that becomes useless gives the focus back");
  await type(page, "2", "Shift+ArrowRight", "b", "x", "u");
  await saved(page);
  assert.match(await focusedWord(page), /^w\d+$/, "blocks that come and go leave the focus on the board");
});

test("without single-key commands letters do nothing, and arrows still move", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  await page.evaluate(() => { location.hash = "#/settings"; });
  await page.locator("#set-keys").uncheck();
  await page.evaluate(() => { location.hash = "#/sentence/4"; });
  await page.waitForSelector(".chip");
  await type(page, "m", "ArrowRight", "m");
  await saved(page);
  assert.equal(await focusedWord(page), "w2");
  assert.ok((await serverView(page, 4)).words.every((word) => !word.main));
});

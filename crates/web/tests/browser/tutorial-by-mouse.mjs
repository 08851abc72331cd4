// A beginner goes through the ten lessons and touches no key.

import assert from "node:assert/strict";
import { test } from "node:test";
import { chip, drag, openWindow, saved, screenshot, serverView, wordAt } from "./browser.mjs";
import { startProgram } from "./program.mjs";

const toStage = (page, n) => page.locator(`.stages li:nth-child(${n}) button`).click();
const press = (page, command) => page.locator(`[data-command="${command}"]`).first().click();

/** What the lesson of each sentence asks for. */
const LESSONS = [
  async function mainWord(page, id) {
    await toStage(page, 1);
    await chip(page, 2).click();
    await saved(page);
    assert.ok((await wordAt(page, id, 2)).main);
  },
  async function block(page, id) {
    await toStage(page, 2);
    await drag(page, chip(page, 1), chip(page, 3));
    await press(page, "block");
    await saved(page);
    assert.deepEqual((await serverView(page, id)).brackets.map((one) => one.words), [[1, 2, 3]]);
  },
  async function blockInBlock(page, id) {
    await toStage(page, 2);
    await clickRun(page, 1, 4);
    await clickRun(page, 2, 3);
    await saved(page);
    assert.equal((await serverView(page, id)).brackets.length, 2);
    await chip(page, 3).click();
    await chip(page, 5).click();
    await press(page, "block");
    await page.waitForFunction(() => document.querySelector(".news")?.textContent?.includes("cut through"));
    assert.equal((await serverView(page, id)).brackets.length, 2, "a crossing block is refused");
  },
  async function clickAndClick(page, id) {
    await toStage(page, 3);
    await chip(page, 1).click();
    await chip(page, 2).click();
    await saved(page);
    assert.equal((await wordAt(page, id, 1)).head, 2);
    await page.waitForFunction(() => /belongs to/.test(document.querySelector("#polite")?.textContent ?? ""));
  },
  async function blockIsDragged(page, id) {
    await toStage(page, 2);
    await clickRun(page, 1, 2);
    await toStage(page, 3);
    await drag(page, page.locator(".tray .card").first(), chip(page, 3));
    await saved(page);
    const [made] = (await serverView(page, id)).brackets;
    assert.equal(made.depends_on, 3);
  },
  async function turnRound(page, id) {
    await toStage(page, 3);
    await drag(page, chip(page, 2), chip(page, 1));
    await saved(page);
    assert.equal((await wordAt(page, id, 2)).head, 1);
    await press(page, "flip");
    await saved(page);
    assert.equal((await wordAt(page, id, 1)).head, 2);
    await drag(page, chip(page, 2), page.locator('.board [data-unit="w0"]'));
    await saved(page);
    assert.equal((await wordAt(page, id, 2)).head, 0);
  },
  async function openAgain(page, id) {
    await toStage(page, 3);
    await drag(page, chip(page, 1), chip(page, 2));
    await press(page, "open");
    await press(page, "unsure");
    await saved(page);
    const word = await wordAt(page, id, 1);
    assert.deepEqual([word.head, word.unsure], [null, true]);
  },
  async function suggestions(page, id) {
    await toStage(page, 4);
    await drag(page, chip(page, 1), chip(page, 2));
    await saved(page);
    const before = (await serverView(page, id)).words.filter((word) => word.head !== null).length;
    const all = page.locator('[data-command="acceptAll"]');
    await page.locator("#threshold").fill("0.5");
    if (await all.isDisabled()) return;
    await all.click();
    await saved(page);
    const after = (await serverView(page, id)).words.filter((word) => word.head !== null).length;
    assert.ok(after > before);
    await press(page, "undo");
    await saved(page);
    const undone = (await serverView(page, id)).words.filter((word) => word.head !== null).length;
    assert.equal(undone, before, "all accepted together are one step");
  },
  async function relation(page, id) {
    await toStage(page, 4);
    await drag(page, chip(page, 1), chip(page, 2));
    await chip(page, 1).click();
    await press(page, "relation");
    await page.locator("dialog.picker .option").first().click();
    await saved(page);
    assert.ok((await wordAt(page, id, 1)).relation);
  },
  async function onYourOwn(page, id) {
    await toStage(page, 3);
    await drag(page, chip(page, 1), chip(page, 2));
    await drag(page, chip(page, 3), chip(page, 2));
    await saved(page);
    assert.equal((await wordAt(page, id, 3)).head, 2);
  },
];

async function clickRun(page, first, last) {
  await chip(page, first).click();
  await chip(page, last).click();
  await page.locator('[data-command="block"]').first().click();
}

test("the tutorial by mouse only", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  await screenshot(page, "home-first-use");
  await page.locator(".first-use button.primary").click();
  await page.locator(".home button.big").click();
  for (const [i, lesson] of LESSONS.entries()) {
    await page.waitForFunction((place) => document.querySelector("sentence-view")?.desk?.view.place === place, i + 1);
    const id = await page.evaluate(() => document.querySelector("sentence-view").desk.view.id);
    assert.ok((await serverView(page, id)).words.length >= (i === 2 ? 5 : 4), "a lesson needs some words to work with");
    assert.ok(await page.locator("details.lesson[open]").isVisible());
    await t.test(`lesson ${i + 1}: ${lesson.name}`, () => lesson(page, id));
    await screenshot(page, `lesson-${i + 1}`);
    await page.locator('.sentence-head [data-command="submit"]').click();
  }
  await page.waitForSelector(".home");
  const project = await page.evaluate(async () => (await fetch("/api/project")).json());
  assert.equal(project.n_submitted, 10);
});

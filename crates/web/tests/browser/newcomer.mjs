// What somebody meets who does not know the page yet: addresses that lead nowhere, a program that is gone, odd sentences.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assertNoSidewaysScroll, chip, goTo, openSentence, openWindow, saved, screenshot, wordAt } from "./browser.mjs";
import { startProgram } from "./program.mjs";

const row = (n, form) => `${n}\t${form}\t_\tNOUN\t_\t_\t_\t_\t_\t_\n`;
const shown = (page) => page.locator("main").innerText();

test("an address that leads nowhere is told so, in the language of the page", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  for (const place of ["sentence/99", "sentence/abc", "sentence/-1", "sentence/1/x", "adjudicate/99"]) {
    await page.evaluate((hash) => { location.hash = hash; }, `#/${place}`);
    await page.waitForSelector("main .notice.warning h1:focus", { timeout: 5_000 });
    assert.match(await shown(page), /nothing at this address/, place);
    assert.match(await page.title(), /That did not work/, place);
  }
  await page.locator("main a", { hasText: "Home" }).click();
  await page.waitForSelector("main .home");
});

test("the program is gone: no page pretends that it can be worked on", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  await openSentence(page, 4);
  await saved(page);
  await program.kill();
  // None of these has been fetched before.
  for (const place of ["settings", "sentences", "questions"]) {
    await page.evaluate((hash) => { location.hash = hash; }, `#/${place}`);
    await page.waitForSelector("main .notice.warning h1:focus", { timeout: 5_000 });
    assert.match(await shown(page), /no connection to the program/, place);
    assert.equal(await page.locator("main .board").count(), 0, place);
  }
  await screenshot(page, "program-gone");
  await program.restart();
  await page.locator("main button.primary").click();
  await page.waitForSelector("main .questions :focus");
});

test("words that are wider than the window, and sentences of one word, stay inside", async (t) => {
  const program = await startProgram(t);
  await program.kill();
  const long = "Donaudampfschifffahrtsgesellschaftskapitänsmütze".repeat(3);
  writeFileSync(join(program.folder, "odd.conllu"), `${row(1, long)}${row(2, "b")}\n${row(1, "Hi")}\n`);
  program.options = ["--import", join(program.folder, "odd.conllu")];
  program.port = 0;
  await program.start(0);
  const { page } = await openWindow(t, program, { viewport: { width: 800, height: 800 } });
  for (const place of ["sentence/1", "sentence/2", "sentences", "questions", "replay/1"]) {
    await goTo(page, place);
    await assertNoSidewaysScroll(page, place);
    await screenshot(page, `odd-${place.replace("/", "-")}`);
  }
  await openSentence(page, 2);
  for (const key of [">", "<", "f", "h", "x", "b", "y", "n", "r", "m", "ArrowUp", "ArrowDown"]) await page.keyboard.press(key);
  await saved(page);
  assert.match(await page.locator(".arc-sentence").textContent(), /is the root/);
});

test("a replay tells what happened in words", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  await openSentence(page, 4);
  for (const key of ["2", "Home", ">", "u", "U"]) await page.keyboard.press(key);
  await saved(page);
  await goTo(page, "replay/4");
  const told = new Set();
  // Leaving the sentence is an event, too, which may come after the page has asked for them.
  const nEvents = Number(await page.locator("#moment").getAttribute("max"));
  for (let n = 1; n <= nEvents; n++) {
    await page.locator("#moment").evaluate((slider, value) => { slider.value = String(value); slider.dispatchEvent(new Event("input")); }, n);
    await page.waitForFunction((begin) => document.querySelector(".what-happened")?.textContent?.startsWith(begin), `${n} of `);
    told.add((await page.locator(".what-happened").textContent()).split(" · ").at(-1));
  }
  for (const what of ["Opened.", "Stage 2.", "what belongs to what (key)", "Undo.", "Redo."]) assert.ok(told.has(what), `${what}: ${[...told].join(" | ")}`);
});

test("after every dialog the word is there again", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  await openSentence(page, 4);
  await page.keyboard.press("Home");
  const unit = () => page.evaluate(() => document.activeElement?.getAttribute("data-unit") ?? document.activeElement?.tagName);
  for (const key of ["?", "t", "p"]) {
    await page.keyboard.press(key);
    await page.waitForSelector("dialog[open]");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    assert.equal(await unit(), "w1", key);
  }
  await page.locator('[data-command="unsure"]').first().click();
  await saved(page);
  await page.keyboard.press("ArrowRight");
  assert.ok(await page.locator('.board [data-unit="w2"].current').isVisible(), "a click on a command does not take the keys away");
});

test("what was accepted stays when another word is clicked, and no relation of roots outlives the root", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  await openSentence(page, 8);
  await page.keyboard.press("3");
  await page.waitForFunction(() => document.querySelector("sentence-view").desk.view.words[1].suggested !== null);
  // A click begins an arc; what is accepted in its place ends it.
  await chip(page, 2).click();
  await page.keyboard.press("y");
  await saved(page);
  const accepted = (await wordAt(page, 8, 2)).head;
  assert.notEqual(accepted, null);
  await chip(page, 5).click();
  await saved(page);
  assert.deepEqual((await wordAt(page, 8, 2)).head, accepted);

  await openSentence(page, 4);
  await page.keyboard.press("Home");
  await page.keyboard.press("r");
  await saved(page);
  await page.evaluate(() => {
    const { desk } = document.querySelector("sentence-view");
    desk.edit(() => [{ relation: { of: 1, is: "root" } }], "key");
  });
  await saved(page);
  assert.equal((await wordAt(page, 4, 1)).relation, "root");
  await page.keyboard.press(">");
  await saved(page);
  const { head, relation } = await wordAt(page, 4, 1);
  assert.deepEqual([head, relation], [2, null]);
});

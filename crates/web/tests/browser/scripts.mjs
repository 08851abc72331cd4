// Scripts of all kinds: right to left, Indic, combining marks, emoji, and very long sentences.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertNoSidewaysScroll, goTo, chip, drag, openSentence, openWindow, saved, screenshot, serverView, wordAt } from "./browser.mjs";
import { startProgram } from "./program.mjs";

const DATA = fileURLToPath(new URL("data/", import.meta.url));
const NAMES = ["arabic", "uyghur", "hindi", "combining", "emoji", "long"];
const RTL = ["arabic", "uyghur"];

async function sentences(page) {
  const { sentences: all } = await page.evaluate(async () => (await fetch("/api/sentences?from=0&n=100&show=all")).json());
  return all;
}

test("sentences in many scripts", async (t) => {
  const program = await startProgram(t, "--import", `${DATA}scripts.conllu`);
  const { page } = await openWindow(t, program);
  const all = await sentences(page);
  assert.equal(all.length, NAMES.length);
  for (const [i, name] of NAMES.entries()) {
    await t.test(name, async () => {
      await openSentence(page, all[i].id);
      const view = await serverView(page, all[i].id);
      assert.equal(view.direction, RTL.includes(name) ? "rtl" : "ltr");
      const shown = await page.locator(".board .chip:not(.root) .form").allTextContents();
      assert.deepEqual(shown, view.words.map((word) => word.form), "every word stands on the board as it is");
      await arrowsFollowTheEye(page, RTL.includes(name));
      await firstBelongsToSecond(page, all[i].id);
      await assertNoSidewaysScroll(page, name);
      await screenshot(page, `script-${name}`);
    });
  }
});

async function arrowsFollowTheEye(page, isRtl) {
  await page.keyboard.press("Home");
  const before = await chip(page, 1).boundingBox();
  await page.keyboard.press(isRtl ? "ArrowLeft" : "ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-unit")), "w2");
  const after = await chip(page, 2).boundingBox();
  assert.equal(after.x < before.x, isRtl, "the second word stands where the arrow points");
}

async function firstBelongsToSecond(page, id) {
  await page.keyboard.press("3");
  await drag(page, chip(page, 1), chip(page, 2));
  await saved(page);
  assert.equal((await wordAt(page, id, 1)).head, 2);
}

test("a sentence of 120 words can be annotated by codes to its end", async (t) => {
  const program = await startProgram(t, "--import", `${DATA}scripts.conllu`);
  const { page } = await openWindow(t, program);
  const { id } = (await sentences(page)).at(-1);
  await openSentence(page, id);
  assert.equal(await page.locator(".board .chip:not(.root)").count(), 120);
  await page.keyboard.press("End");
  await page.keyboard.press("a");
  const code = await page.locator('.board [data-unit="w1"] .hint').textContent();
  assert.equal(code.length, 2, "far words have two letters");
  for (const letter of code) await page.keyboard.press(letter);
  await saved(page);
  assert.equal((await wordAt(page, id, 120)).head, 1);
});

test("nothing jumps when an arc is made", async (t) => {
  const program = await startProgram(t, "--import", `${DATA}scripts.conllu`);
  const { page } = await openWindow(t, program);
  const { id } = (await sentences(page)).at(-1);
  await openSentence(page, id);
  const places = () => page.evaluate(() => [...document.querySelectorAll(".chip")].map((one) => JSON.stringify(one.getBoundingClientRect())));
  // The first model is learned in the background, and its suggestions take room.
  await page.waitForFunction(() => document.querySelector("sentence-view").desk.view.words.every((word) => word.suggested !== null));
  await page.keyboard.press("Home");
  const before = await places();
  for (const key of [">", "ArrowRight", ">", "m", "q"]) await page.keyboard.press(key);
  await saved(page);
  assert.deepEqual(await places(), before);
});

test("running text is imported, and markup in it stays text", async (t) => {
  const program = await startProgram(t, "--import", `${DATA}plain.txt`, `${DATA}markup.conllu`);
  const { page } = await openWindow(t, program);
  const all = await sentences(page);
  assert.ok(all.length >= 2);
  const hostile = all.at(-1);
  await openSentence(page, hostile.id);
  const view = await serverView(page, hostile.id);
  assert.deepEqual(await page.locator(".board .chip:not(.root) .form").allTextContents(), view.words.map((word) => word.form));
  assert.equal(await page.evaluate(() => document.querySelectorAll("main img, main script, main iframe").length), 0);
});

/** Runs if anything makes markup of it. */
const BAD = `"'><img src=x onerror=globalThis.wasRun=1><script>globalThis.wasRun=1</script>`;

test("names and remarks that look like markup stay text on every page", async (t) => {
  const program = await startProgram(t, { name: "a'b<img src=x onerror=globalThis.wasRun=1>" }, "--import", `${DATA}markup.conllu`, "--annotator", BAD);
  const edit = (n, ...changes) => ({ n, at: n, kind: "edit", via: "key", changes });
  const events = [
    edit(1, { comment: { n: 1, on: { what: "sentence" }, text: BAD } }, { comment: { n: 2, on: { what: "word", word: 1 }, text: BAD } }),
    edit(2, { head: { of: 1, to: 2, relation: "<b>x</b>" } }, { tag: { of: 1, is: "<i>y</i>" } }, { unsure: { of: 1, is: true } }),
    edit(3, { bracket: { id: 1, kind: "bracket", words: [1, 2], head: null, label: "<u>z</u>" } }),
    edit(4, { gfl: { text: `${BAD} > x` } }),
  ];
  await program.sayAs(await program.addressOf(BAD), 1, events);
  await program.sayAs(program.url, 1, events);
  const { page } = await openWindow(t, program);
  await page.evaluate(async (bad) => {
    const headers = { "X-Treelet": "1", "Content-Type": "application/json" };
    const name = { name: bad, level: bad, experience: bad };
    await fetch("/api/annotator", { method: "PUT", headers, body: JSON.stringify(name) });
    const lists = { relations: [bad.replaceAll(" ", "/"), "nsubj"], tags: [bad.replaceAll(" ", "/"), "NOUN"] };
    await fetch("/api/settings", { method: "PUT", headers, body: JSON.stringify(lists) });
  }, BAD);
  await page.reload();
  for (const place of ["", "sentences", "sentences/commented", "sentence/1", "replay/1", "questions", "agreement", "adjudicate", "adjudicate/1", "settings"]) {
    await goTo(page, place);
    await page.waitForTimeout(100);
    const made = await page.evaluate(() => [globalThis.wasRun, document.querySelectorAll("body img, body script:not([src]), body b, body i, body u").length]);
    assert.deepEqual(made, [undefined, 0], place);
  }
  await openSentence(page, 1);
  for (const key of ["Home", "t"]) await page.keyboard.press(key);
  await page.waitForSelector("dialog[open]");
  assert.equal(await page.evaluate(() => document.querySelectorAll("dialog img, dialog script").length), 0);
});

// What is said beside arcs: kinds and relations of blocks, tags, remarks, the second analysis, sentences that are skipped.

import assert from "node:assert/strict";
import { test } from "node:test";
import { goTo, openSentence, openWindow, saved, serverView, wordAt } from "./browser.mjs";
import { startProgram } from "./program.mjs";

const SENTENCE = 4;

/** @param {import("node:test").TestContext} t */
async function begun(t) {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  await openSentence(page, SENTENCE);
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const choose = async (name) => {
    const option = page.locator("dialog.picker .option", { has: page.locator(".what", { hasText: new RegExp(`^${name}$`) }) });
    await press(...(await option.getAttribute("data-code")));
    await saved(page);
  };
  const block = async () => (await serverView(page, SENTENCE)).brackets[0];
  return { page, press, choose, block };
}

test("a block has a kind, and a relation when it belongs to something", async (t) => {
  const { page, press, choose, block } = await begun(t);
  await press("Home", "Shift+ArrowRight", "b");
  await saved(page);
  // On the block itself; it belongs to nothing, so that only its kind can be said.
  await press("e", "l");
  await choose("NP");
  assert.deepEqual([(await block()).label, (await block()).relation], ["NP", null]);
  await press(">");
  await saved(page);
  assert.notEqual((await block()).depends_on, null);
  await press("l");
  const name = await page.locator("dialog.picker .option .what").first().textContent();
  await choose(name);
  assert.deepEqual([(await block()).label, (await block()).relation], ["NP", name]);
  assert.match(await page.locator(".arc-sentence").textContent(), new RegExp(name));
  await press("L");
  await choose("VP");
  assert.deepEqual([(await block()).label, (await block()).relation], ["VP", name]);
  await press("u", "u");
  await saved(page);
  assert.deepEqual([(await block()).label, (await block()).relation], ["NP", null]);
});

test("a tag is chosen by two letters and taken away again", async (t) => {
  const { page, press, choose } = await begun(t);
  const before = (await wordAt(page, SENTENCE, 1)).tag;
  const other = before === "VERB" ? "NOUN" : "VERB";
  await press("Home", "t");
  await choose(other);
  assert.equal((await wordAt(page, SENTENCE, 1)).tag, other);
  await press("u");
  await saved(page);
  assert.equal((await wordAt(page, SENTENCE, 1)).tag, before);
});

test("remarks on a sentence and on a word are kept, and change no arc", async (t) => {
  const { page, press } = await begun(t);
  for (const which of ["s", "w"]) {
    await press("Home", "c", which);
    await page.keyboard.type(`about <b>${which}</b>`);
    await press("Control+Enter");
    await saved(page);
  }
  const { comments, words } = await serverView(page, SENTENCE);
  assert.deepEqual(comments.map(({ on, text }) => [on.what, text]), [["sentence", "about <b>s</b>"], ["word", "about <b>w</b>"]]);
  assert.ok(words.every((word) => word.head === null));
  assert.equal(await page.locator("sentence-view b", { hasText: /^[sw]$/ }).count(), 0);
});

test("the second analysis is apart from the first, and a skipped sentence can be taken up again", async (t) => {
  const { page, press } = await begun(t);
  await press("Home", ">");
  await saved(page);
  await press("s");
  await page.waitForFunction(() => document.querySelector("sentence-view")?.desk?.view.slot === 1);
  assert.equal((await serverView(page, SENTENCE, 1)).words[0].head, null);
  await press("Home", "r");
  await saved(page);
  const [first, second] = [await serverView(page, SENTENCE, 0), await serverView(page, SENTENCE, 1)];
  assert.deepEqual([first.words[0].head, second.words[0].head], [2, 0]);
  await press("k");
  await page.waitForFunction((id) => document.querySelector("sentence-view")?.desk?.view.id !== id, SENTENCE);
  await openSentence(page, SENTENCE);
  await saved(page);
  const skipped = [await serverView(page, SENTENCE, 0), await serverView(page, SENTENCE, 1)].map((view) => view.skipped);
  assert.ok(skipped.includes(true), "it says that it was skipped");
});

test("whoever opened the project says which relations and tags are offered", async (t) => {
  const { page, press } = await begun(t);
  await goTo(page, "settings");
  await page.locator("#set-relations").fill("agent patient\nagent  place");
  await page.locator("#set-tags").fill("N V");
  await page.getByRole("button", { name: "Save names" }).click();
  await page.waitForFunction(() => document.querySelector("#names-told")?.textContent === "Saved.");
  await openSentence(page, SENTENCE);
  await press("Home", ">", "l");
  assert.deepEqual(await page.locator("dialog.picker .option .what").allTextContents(), ["agent", "patient", "place"]);
  await press("Escape", "t");
  assert.deepEqual(await page.locator("dialog.picker .option .what").allTextContents(), ["N", "V"]);
});

test("why a sentence comes next is told in the language of the page", async (t) => {
  const { page } = await begun(t);
  await goTo(page, "settings");
  await page.locator("#set-language").selectOption("de");
  await page.waitForFunction(() => document.documentElement.lang === "de");
  await openSentence(page, SENTENCE);
  await page.keyboard.press("Enter");
  await page.waitForFunction((id) => document.querySelector("sentence-view")?.desk?.view.id !== id, SENTENCE);
  assert.match(await page.locator(".why").textContent(), /der nächste der Datei/);
});

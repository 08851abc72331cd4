// The keys, clicks and characters that `bench annotate keys` counts give the tree, when they are really typed.
//
// The trees are those of data/demo/village.conllu; TREELET_KEYS names another file that `bench annotate keys --script` wrote.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chip, openSentence, openWindow, saved, serverView } from "./browser.mjs";
import { startProgram } from "./program.mjs";

const SCRIPTS = JSON.parse(readFileSync(process.env.TREELET_KEYS ?? fileURLToPath(new URL("data/keys.json", import.meta.url)), "utf8"));

/** The words and tags of all sentences, without trees. */
function conllu() {
  const sentence = ({ forms, tags }) => forms.map((form, i) => [i + 1, form, "_", tags[i], ...Array(6).fill("_")].join("\t")).join("\n");
  return `${SCRIPTS.map(sentence).join("\n\n")}\n\n`;
}

async function heads(page, id, slot = 0) {
  return (await serverView(page, id, slot)).words.map((word) => word.head);
}

async function openProject(t) {
  const folder = mkdtempSync(join(tmpdir(), "treelet-keys-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "sentences.conllu");
  writeFileSync(file, conllu());
  const program = await startProgram(t, "--import", file);
  const { page } = await openWindow(t, program);
  const { sentences } = await page.evaluate(async () => (await fetch("/api/sentences?from=0&n=500&show=all")).json());
  assert.equal(sentences.length, SCRIPTS.length);
  return { page, ids: sentences.map((one) => one.id) };
}

test("the counted keys give the tree and hand it in", async (t) => {
  const { page, ids } = await openProject(t);
  for (const [i, script] of SCRIPTS.entries()) {
    await openSentence(page, ids[i]);
    for (const key of script.keys) await page.keyboard.press(key);
    await page.waitForFunction((id) => document.querySelector("sentence-view")?.desk?.view.id !== id, ids[i]);
    await saved(page);
    assert.deepEqual(await heads(page, ids[i]), script.heads, script.forms.join(" "));
    assert.equal((await serverView(page, ids[i])).submitted, true);
  }
});

test("the counted clicks give the tree", async (t) => {
  const { page, ids } = await openProject(t);
  for (const [i, script] of SCRIPTS.entries()) {
    await openSentence(page, ids[i]);
    await page.locator(".stages button").nth(2).click();
    for (const word of script.clicks) await chip(page, word).click();
    await saved(page);
    assert.deepEqual(await heads(page, ids[i]), script.heads, script.forms.join(" "));
  }
});

test("the counted text gives the tree", async (t) => {
  const { page, ids } = await openProject(t);
  for (const [i, script] of SCRIPTS.entries()) {
    await openSentence(page, ids[i]);
    await page.keyboard.press("g");
    await page.keyboard.type(script.text);
    await page.keyboard.press("Escape");
    await saved(page);
    assert.deepEqual(await heads(page, ids[i]), script.heads, script.forms.join(" "));
  }
});

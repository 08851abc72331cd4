// The pictures of docs/annotate.md, made anew:
//
//   TREELET_PICTURES=../../../../docs/pictures TREELET_BIN=… node --test --test-concurrency=1 pictures.mjs

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { goTo, openSentence, openWindow, saved } from "./browser.mjs";
import { startProgram } from "./program.mjs";

const FOLDER = process.env.TREELET_PICTURES;
const WINDOW = { viewport: { width: 1100, height: 760 } };
const take = (page, name) => page.screenshot({ path: join(FOLDER ?? "", `annotate-${name}.png`) });
const type = async (page, ...keys) => { for (const key of keys) await page.keyboard.press(key); };

test("the first lesson", { skip: !FOLDER }, async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program, WINDOW);
  await openSentence(page, 1);
  await type(page, "1", "End", "ArrowLeft", "m");
  await saved(page);
  await take(page, "lesson");

});

test("a sentence, a question", { skip: !FOLDER }, async (t) => {
  const tagged = [["Three", "DET"], ["hens", "NOUN"], ["run", "VERB"], ["to", "ADP"], ["the", "DET"], ["river", "NOUN"], [".", "PUNCT"]];
  const rows = tagged.map(([form, tag], i) => `${i + 1}\t${form}\t_\t${tag}\t_\t_\t_\t_\t_\t_\n`).join("");
  const file = join(mkdtempSync(join(tmpdir(), "pictures-")), "hens.conllu");
  writeFileSync(file, `${rows}\n`);
  const village = fileURLToPath(new URL("../../../../data/demo/village.conllu", import.meta.url));
  const program = await startProgram(t, "--import", file, "--import", village);
  const { page } = await openWindow(t, program, WINDOW);
  const [{ id }] = (await page.evaluate(async () => (await fetch("/api/sentences?n=50")).json())).sentences;
  await openSentence(page, id);
  await type(page, "Home", "ArrowRight", "ArrowRight", "m", "r", "ArrowLeft", ">");
  await type(page, "Home", "ArrowRight", "ArrowRight", "ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "b");
  await type(page, "Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "Shift+ArrowRight", "b");
  await type(page, "3", "Home");
  await page.waitForFunction(() => document.querySelector("sentence-view")?.desk?.view.words[0].suggested);
  await saved(page);
  await page.evaluate(() => window.scrollTo(0, 180));
  await take(page, "sentence");

  await goTo(page, "questions");
  await page.waitForSelector(".question .choice");
  await page.waitForSelector(".question svg");
  await take(page, "questions");
});

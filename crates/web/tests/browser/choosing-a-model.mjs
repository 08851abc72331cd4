// Another model is chosen in Settings; it is named beside what it suggests, and relations come with it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { chip, goTo, openSentence, openWindow, saved, screenshot, wordAt } from "./browser.mjs";
import { startProgram } from "./program.mjs";

const VILLAGE = fileURLToPath(new URL("../../../../data/demo/village.conllu", import.meta.url));

test("GPC is chosen, named, and a suggestion with its relation is accepted and taken back", async (t) => {
  // The village has heads and relations to learn from, the tutorial has open words.
  const program = await startProgram(t, "--demo", "--import", VILLAGE);
  const { page } = await openWindow(t, program);
  await goTo(page, "settings");
  await page.getByLabel("Suggestions come from").selectOption("gpc");
  await page.waitForFunction(() => /^GPC, learned from \d+ sentences/.test(document.querySelector(".model-box p")?.textContent ?? ""), null, { timeout: 60_000 });
  assert.match(await page.locator(".model-box p").first().textContent(), /not calibrated.*Relations are learned from \d+ arcs/);
  assert.equal(await page.locator("#set-model option").count(), 2, "no file is known");
  await screenshot(page, "model-chosen");

  await openSentence(page, 2);
  assert.equal(await page.locator(".toolbar .model-line").textContent(), "GPC: not calibrated yet");
  const { suggested } = await wordAt(page, 2, 1);
  assert.equal(suggested.relation, "det");
  assert.ok(suggested.relation_p > 0.5 && suggested.relation_p <= 1);
  await chip(page, 1).focus();
  await page.keyboard.press("Home");
  assert.match(await chip(page, 1).textContent(), /as det/, "as screen readers hear it");
  assert.match(await page.locator(".picture svg").textContent(), /det 0\.\d\d|det 1\.00/);
  assert.match(await page.locator(".panel .guess").textContent(), /as det.*det \d+/s);
  await screenshot(page, "relation-suggested");
  await page.keyboard.press("y");
  await saved(page);
  const accepted = await wordAt(page, 2, 1);
  assert.deepEqual([accepted.head, accepted.relation, accepted.suggested], [suggested.head, "det", null]);
  assert.match(await page.locator(".panel .arc-sentence").textContent(), /as det/);
  await page.keyboard.press("u");
  await saved(page);
  const back = await wordAt(page, 2, 1);
  assert.deepEqual([back.head, back.relation, back.suggested], [null, null, suggested]);
});

test("accepting all takes relations along where they are sure enough, too", async (t) => {
  const program = await startProgram(t, "--demo", "--import", VILLAGE);
  const { page } = await openWindow(t, program);
  await page.waitForFunction(async () => (await (await fetch("/api/project")).json()).model !== null, null, { timeout: 60_000, polling: 200 });
  await openSentence(page, 2);
  await saved(page);
  await page.waitForFunction(() => document.querySelector("sentence-view").desk.view.words.every((word) => word.suggested !== null));
  await page.locator("#threshold").fill("0.5");
  const before = await page.evaluate(() => document.querySelector("sentence-view").desk.view.words);
  await chip(page, 1).focus();
  await page.keyboard.press("Shift+Y");
  await saved(page);
  for (const { n, suggested } of before) {
    const word = await wordAt(page, 2, n);
    const isTaken = suggested.p >= 0.5;
    const withRelation = isTaken && suggested.relation !== null && suggested.p * suggested.relation_p >= 0.5;
    assert.deepEqual([word.head, word.relation], [isTaken ? suggested.head : null, withRelation ? suggested.relation : null], String(n));
  }
});

test("without relations nothing is said of them", async (t) => {
  const program = await startProgram(t, "--demo", "--import", VILLAGE);
  const { page } = await openWindow(t, program);
  await goTo(page, "settings");
  const answered = page.waitForResponse((response) => response.url().endsWith("/api/settings"));
  await page.locator("#set-labels").uncheck();
  await answered;
  await openSentence(page, 2);
  assert.equal((await wordAt(page, 2, 1)).suggested?.relation ?? null, null);
  assert.doesNotMatch(await page.locator(".picture svg").textContent(), /det/);
});

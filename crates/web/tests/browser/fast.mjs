// How long it takes from opening the address to the first paint, and from a key to the new picture.

import assert from "node:assert/strict";
import { test } from "node:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSentence, openWindow, saved } from "./browser.mjs";
import { startProgram } from "./program.mjs";

const VILLAGE = new URL("../../../../data/demo/village.conllu", import.meta.url);

test("first paint under 300 ms", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  const times = [];
  for (let i = 0; i < 5; i++) {
    await page.reload();
    await page.waitForSelector("main h1");
    times.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity));
  }
  times.sort((a, b) => a - b);
  t.diagnostic(`first contentful paint, ms: ${times.map(Math.round).join(" ")}`);
  assert.ok(times[2] < 300, `median ${times[2]} ms`);
});

for (const nWords of [40, 100]) {
  test(`from a key to the picture and the suggestions of a sentence of ${nWords} words`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "treelet-fast-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, "long.conllu"), longSentence(nWords));
    const program = await startProgram(t, "--import", join(folder, "long.conllu"), fileURLToPath(VILLAGE));
    const { page } = await openWindow(t, program);
    const { sentences } = await page.evaluate(async () => (await fetch("/api/sentences?from=0&n=100&show=all")).json());
    await page.waitForFunction(async () => (await (await fetch("/api/project")).json()).model !== null);
    await openSentence(page, sentences[0].id);
    await saved(page);
    const times = await page.evaluate(measure, Math.min(60, nWords - 1));
    times.sort((a, b) => a - b);
    const at = (share) => Math.round(times[Math.ceil(share * (times.length - 1))]);
    t.diagnostic(`key to picture at ${nWords} words, ms: median ${at(0.5)}, p95 ${at(0.95)}, of ${times.length}`);
    assert.ok(times.length > 30 && times.every(Number.isFinite));
  });
}

/** Words and tags of the demonstration's sentences in a row, as one sentence. @param {number} nWords */
function longSentence(nWords) {
  const rows = readFileSync(VILLAGE, "utf8").split("\n").map((line) => line.split("\t")).filter((row) => /^\d+$/.test(row[0]));
  const word = (/** @type {number} */ i) => [i + 1, rows[i % rows.length][1], "_", rows[i % rows.length][3], ...Array(6).fill("_")].join("\t");
  return `${Array.from({ length: nWords }, (_, i) => word(i)).join("\n")}\n\n`;
}

/** Runs in the page: marks words as belonging to the next one, and waits for each new picture. */
async function measure(n) {
  const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const times = [];
  for (let i = 0; i < n; i++) {
    const picture = document.querySelector(".picture");
    const redrawn = new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        observer.disconnect();
        requestAnimationFrame(() => resolve(performance.now()));
      });
      observer.observe(picture, { childList: true });
    });
    const begin = performance.now();
    press(">");
    times.push((await redrawn) - begin);
    press("ArrowRight");
  }
  return times;
}

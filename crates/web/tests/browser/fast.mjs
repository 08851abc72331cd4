// How long it takes from opening the address to the first paint, and from a key to the new picture.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openSentence, openWindow, saved } from "./browser.mjs";
import { startProgram } from "./program.mjs";

const DATA = fileURLToPath(new URL("data/", import.meta.url));

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

test("from a key to the picture of a sentence of 120 words", async (t) => {
  const program = await startProgram(t, "--import", `${DATA}scripts.conllu`);
  const { page } = await openWindow(t, program);
  const { sentences } = await page.evaluate(async () => (await fetch("/api/sentences?from=0&n=100&show=all")).json());
  await openSentence(page, sentences.at(-1).id);
  await saved(page);
  const times = await page.evaluate(measure);
  times.sort((a, b) => a - b);
  const p95 = times[Math.floor(times.length * 0.95)];
  t.diagnostic(`key to picture at 120 words, ms: median ${Math.round(times[times.length >> 1])}, p95 ${Math.round(p95)}`);
  assert.ok(times.length === 40 && Number.isFinite(p95));
});

/** Runs in the page: marks words as belonging to the next one, and waits for each new picture. */
async function measure() {
  const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const times = [];
  for (let i = 0; i < 40; i++) {
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

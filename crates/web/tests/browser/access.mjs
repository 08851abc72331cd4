// Everybody can use it: names for screen readers, contrast in light and dark, wide and narrow windows.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { assertNoSidewaysScroll, goTo, openSentence, openWindow, saved, screenshot } from "./browser.mjs";
import { startProgram } from "./program.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PAGES = ["", "sentences", "sentences/skipped", "questions", "agreement", "adjudicate", "adjudicate/1", "replay/1", "settings"];
/** What another annotator says of the first sentence. */
const DIFFERENTLY = [
  { n: 1, at: 1_000, kind: "open" },
  { n: 2, at: 5_000, kind: "edit", via: "key", changes: [{ head: { of: 1, to: 3 } }] },
  { n: 3, at: 9_000, kind: "edit", via: "key", changes: [{ head: { of: 2, to: 3, relation: "nsubj" } }] },
  { n: 4, at: 12_000, kind: "submit" },
];

async function assertAccessible(page, what) {
  // Evaluated by the debugger, so the page's strict policy stays as it is.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const grave = violations.filter((one) => one.impact === "serious" || one.impact === "critical");
  const told = grave.map((one) => `${one.id}: ${one.nodes.map((node) => `${node.target} ${node.failureSummary}`).slice(0, 3).join("; ")}`);
  assert.deepEqual(told, [], what);
}

async function eachState(page, check) {
  await openSentence(page, 1);
  for (const stage of ["1", "2", "3", "4"]) {
    await page.keyboard.press(stage);
    await saved(page);
    await check(`sentence-stage-${stage}`);
  }
  for (const key of ["2", "Home", "Shift+ArrowRight", "b", "3", "Home", ">", "m", "q"]) await page.keyboard.press(key);
  await saved(page);
  await check("sentence-annotated");
  await page.keyboard.press("a");
  await check("sentence-codes");
  await page.keyboard.press("Escape");
  await page.keyboard.press("t");
  await page.waitForSelector("dialog.picker[open]");
  await check("tag-picker");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.waitForSelector("dialog.help[open]");
  await check("help");
  await page.keyboard.press("Escape");
  for (const place of PAGES) {
    await goTo(page, place);
    await page.waitForTimeout(300);
    await check(place.replace("/", "-") || "home");
  }
}

for (const colorScheme of ["light", "dark"]) {
  for (const width of [1280, 800]) {
    test(`axe finds nothing serious: ${colorScheme}, ${width} pixels`, async (t) => {
      const program = await startProgram(t, "--demo", "--annotator", "Bo");
      await program.sayAs(await program.addressOf("Bo"), 1, DIFFERENTLY);
      const { page } = await openWindow(t, program, { colorScheme, reducedMotion: "reduce", viewport: { width, height: 800 } });
      await eachState(page, async (name) => {
        await screenshot(page, `${colorScheme}-${width}-${name}`);
        await assertNoSidewaysScroll(page, name);
        await assertAccessible(page, name);
      });
    });
  }
}

test("twice as large, nothing is cut off and nothing scrolls sideways", async (t) => {
  const program = await startProgram(t, "--demo", "--annotator", "Bo");
  await program.sayAs(await program.addressOf("Bo"), 1, DIFFERENTLY);
  // A window of 1280 by 800 pixels in which everything is twice as large.
  const { page } = await openWindow(t, program, { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 });
  for (const place of [...PAGES, "sentence/4"]) {
    await goTo(page, place);
    await page.waitForTimeout(200);
    const name = `zoom-${place.replace("/", "-") || "home"}`;
    await screenshot(page, name);
    await assertNoSidewaysScroll(page, name);
    const outside = await page.evaluate(() => [...document.querySelectorAll("button, a, select, input, textarea, h1, h2")]
      .filter((one) => one.checkVisibility() && !one.closest(".scroll, .picture, .skip-link") && one.getBoundingClientRect().right > innerWidth + 1)
      .map((one) => `${one.tagName} ${one.textContent}`));
    assert.deepEqual(outside, [], name);
  }
});

test("the page speaks German when asked, without a reload", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  await goTo(page, "settings");
  await page.locator("#set-language").selectOption("de");
  await page.waitForFunction(() => document.documentElement.lang === "de" && document.querySelector("h1")?.textContent === "Einstellungen");
  await openSentence(page, 1);
  assert.match(await page.locator("h1").textContent(), /^Satz 1 von/);
  const keys = await page.evaluate(() => /\b[a-z]+\.[a-z0-9.-]+\b/.exec(document.querySelector(".guide")?.textContent ?? "")?.[0] ?? null);
  assert.equal(keys, null, "no key of the catalogue is shown instead of a text");
  await screenshot(page, "german");
});

test("an arc is read out as a sentence", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  await openSentence(page, 1);
  await page.keyboard.press("Home");
  await page.keyboard.press(">");
  await saved(page);
  const forms = await page.locator(".board .chip:not(.root) .form").allTextContents();
  assert.equal((await page.locator("#polite").textContent()).trim(), `“${forms[0]}” belongs to “${forms[1]}”.`);
  assert.equal(await page.locator("#polite").getAttribute("aria-live"), "polite");
});

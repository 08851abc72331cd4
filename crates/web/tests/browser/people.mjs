// Several annotators: how far they agree, and one analysis made of theirs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { assertNoSidewaysScroll, goTo, openWindow, saved, screenshot } from "./browser.mjs";
import { startProgram } from "./program.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const NAMES = ["Ana", "Bo", "Cy"];
const MINUTE = 60_000;
/** How well they know the language, and whether they have annotated before. */
const THEY = { Ana: ["native", "much"], Bo: ["native", "none"], Cy: ["learning", "none"] };

/** All that somebody says of all sentences, sent to the server as the page would send it. */
async function annotate(page, name) {
  await page.evaluate(async ({ name, they, minute }) => {
    const send = async (method, path, body) => {
      const answer = await fetch(path, { method, headers: { "X-Treelet": "1", "Content-Type": "application/json" }, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      return answer.json();
    };
    await send("PUT", "/api/annotator", { name, level: they[0], experience: they[1] });
    const { sentences } = await (await fetch("/api/sentences?n=500")).json();
    let at = 1_700_000_000_000;
    let n = 0;
    // Chains of words that belong to the next, or to the word before.
    const toTheRight = (n) => Array.from({ length: n }, (_, at) => (at + 2 > n ? 0 : at + 2));
    const toTheLeft = (n) => Array.from({ length: n }, (_, at) => at);
    for (const { id, place, n_words: words } of sentences) {
      // They get slower, and rest for a night after the sixth sentence.
      at += place === 7 ? 600 * minute : 0;
      const events = [];
      for (let left = 0; left <= 10 + place; left++, at += minute) events.push({ n: ++n, at, kind: "stage", stage: 1 });
      const heads = name === "Cy" && place % 2 === 1 ? toTheLeft(words) : toTheRight(words);
      const open = (word) => (name === "Bo" ? word === 2 : word === 1 && place % 3 === 0 && name === "Ana");
      const changes = heads.flatMap((to, i) => (open(i + 1) ? [] : [{ head: { of: i + 1, to } }]));
      if (name !== "Cy") changes.push({ tag: { of: 1, is: place % 4 === 0 && name === "Bo" ? "X" : place % 2 === 0 ? "DET" : "NOUN" } });
      events.push({ n: ++n, at, kind: "edit", via: "key", changes }, { n: ++n, at, kind: "submit" });
      await send("POST", `/api/sentences/${id}/events`, { slot: 0, base: 0, tab: `script-${name}`, events });
    }
  }, { name, they: THEY[name], minute: MINUTE });
}

async function three(t) {
  const program = await startProgram(t, "--demo", ...NAMES.flatMap((name) => ["--annotator", name]));
  for (const name of NAMES) {
    const { page, context } = await openWindow(t, { url: await program.addressOf(name) });
    await annotate(page, name);
    await context.close();
  }
  return program;
}

async function assertAccessible(page, what) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const grave = violations.filter((one) => one.impact === "serious" || one.impact === "critical");
  assert.deepEqual(grave.map((one) => `${one.id}: ${one.nodes.map((node) => node.target)}`), [], what);
}

const row = (page, table, name) => page.locator(`.agreement table:has(caption:text-is("${table}")) tr:has(th:text-is("${name}")) td`).allTextContents();

test("the agreement of three annotators, over time and by groups", async (t) => {
  const program = await three(t);
  for (const colorScheme of ["light", "dark"]) {
    const { page, context } = await openWindow(t, program, { colorScheme });
    await goTo(page, "agreement");
    await page.waitForSelector(".agreement figure svg");
    const served = await page.evaluate(async () => (await fetch("/api/agreement")).json());
    const measures = "Measures, and in brackets over how many they were taken";
    const all = served.rows.find((one) => one.of.kind === "all");
    const agreed = all.measures.find((one) => one.name === "gflAgree");
    const cells = await row(page, measures, "all");
    assert.equal(cells[0], "30");
    assert.equal(cells[6], `${Math.round(100 * agreed.value)}% (${agreed.n})`);
    // Ana and Bo always draw to the right, so that they agree wherever both said anything.
    const natives = await row(page, measures, "native speakers");
    assert.match(natives[6], /^100% \(\d+\)$/);
    const titles = await page.locator(".agreement figcaption").allTextContents();
    for (const title of ["Agreement over time (gflAgree)", "Commitment over time (com)", "Speed in words", "Fatigue: speed in the course of a session", "Construction: determiner–noun"]) {
      assert.ok(titles.includes(title), `${title} in ${titles}`);
    }
    const tired = await row(page, "Does work get slower in the course of a session? Change of speed from one half hour to the next", "Ana");
    assert.match(tired[1], /^[+−]\d+%$/, String(tired));
    await assertNoSidewaysScroll(page, "agreement");
    await screenshot(page, `agreement-${colorScheme}`);
    await page.locator("details").evaluateAll((all) => all.forEach((one) => { one.open = true; }));
    await assertAccessible(page, `agreement, ${colorScheme}`);
    await assertNoSidewaysScroll(page, "agreement with all figures");
    await page.locator("#agreement-by").selectOption("level");
    await page.waitForSelector('.agreement table:has(caption:text-is("Constructions")) th:text-is("determiner–noun")');
    assert.match((await page.locator(".agreement figure svg").first().textContent()), /native speakers/);
    await screenshot(page, `agreement-levels-${colorScheme}`);
    await context.close();
  }
});

test("the majority is taken for one sentence, and then for all that are disputed", async (t) => {
  const program = await three(t);
  const { page } = await openWindow(t, program);
  await goTo(page, "adjudicate");
  const open = page.locator('table:has(caption:text-is("To be settled")) tr');
  await open.first().waitFor();
  assert.equal(await open.count(), 7, "five in which heads differ, and behind them two in which only tags do");
  await screenshot(page, "adjudicate-list");
  await open.first().locator("a").click();
  await page.waitForSelector(".adjudication .differences");
  const id = Number((await page.evaluate(() => location.hash)).split("/").pop());
  // One word by hand, against the majority.
  await page.locator('.differences [data-take$="-2"]').first().click();
  await saved(page);
  const decided = await page.evaluate(async (id) => (await (await fetch(`/api/adjudicate/${id}`)).json()).merged, id);
  await page.locator('.adjudication [data-merge="majority"]').click();
  await page.waitForFunction(() => /Taken/.test(document.querySelector("#polite")?.textContent ?? ""));
  const merged = await page.evaluate(async (id) => (await fetch(`/api/adjudicate/${id}`)).json(), id);
  const [taken] = merged.differences;
  const headOf = (view, n) => view.words.find((word) => word.n === n).head;
  assert.equal(headOf(merged.merged, taken), headOf(decided, taken), "what was decided by hand stays");
  const ana = merged.views.find((one) => one.annotator === "Ana").view;
  const others = merged.differences.slice(1).filter((n) => headOf(ana, n) !== null && n !== 2);
  assert.ok(others.length > 0);
  for (const n of others) assert.equal(headOf(merged.merged, n), headOf(ana, n), `word ${n}`);
  await assertAccessible(page, "adjudication");
  await screenshot(page, "adjudicate-one");
  await goTo(page, "adjudicate");
  await page.waitForSelector('text="begun: majority, by hand"');
  await page.locator('[data-merge="dawid-skene"]').click();
  await page.waitForFunction(() => /made one/.test(document.querySelector("#polite")?.textContent ?? ""));
  const done = page.locator('table:has(caption:text-is("Made one")) tr');
  assert.ok((await done.count()) > 0);
  await screenshot(page, "adjudicate-done");
  // What was merged can be taken up again, and handed in.
  const n = await done.count();
  await done.first().locator("a").click();
  await page.locator('.adjudication [data-command="reopen"]').click();
  await saved(page);
  await goTo(page, "adjudicate");
  await open.first().waitFor();
  assert.equal(await done.count(), n - 1);
  await open.first().locator("a").click();
  await page.locator('.adjudication [data-command="submit"]').click();
  await page.waitForFunction(() => location.hash === "#/adjudicate");
  await page.waitForFunction((n) => document.querySelectorAll("table.list tr").length === n, n + 2);
  assert.equal(await done.count(), n);
  // What is left differs in tags alone, which are a tie, and is settled by a click.
  await open.first().locator("a").click();
  const first = page.locator('.differences [data-take="0-other-0"]');
  await first.click();
  await saved(page);
  assert.equal(await first.getAttribute("aria-pressed"), "true");
  await assertAccessible(page, "other differences");
  await screenshot(page, "adjudicate-tags");
  await page.locator('.adjudication [data-command="submit"]').click();
  await page.waitForFunction((n) => document.querySelectorAll('table.list [href^="#/adjudicate/"]').length === n, n + 2);
  assert.equal(await done.count(), n + 1);
  await goTo(page, "settings");
  await page.locator("#set-constructions").fill("determiner: DET > NOUN\nsubject NOUN > VERB");
  await page.getByRole("button", { name: "Save constructions" }).click();
  await page.waitForFunction(() => /line 2, column 1/.test(document.querySelector("#constructions-told")?.textContent ?? ""));
  await screenshot(page, "constructions");
  await page.locator("#set-constructions").fill("old: * > NOUN, dependent first");
  await page.getByRole("button", { name: "Save constructions" }).click();
  await page.waitForFunction(() => document.querySelector("#constructions-told")?.textContent === "Saved.");
  await goTo(page, "agreement");
  await page.waitForSelector('figcaption:text-is("Construction: old")');
});

test("who works blind has no agreement in the menu", async (t) => {
  const program = await startProgram(t, "--demo", "--annotator", "Ana");
  const { page } = await openWindow(t, { url: await program.addressOf("Ana") });
  for (const name of ["agreement", "adjudicate"]) assert.equal(await page.locator(`nav [data-page="${name}"]`).isVisible(), false, name);
  assert.equal(await page.locator('nav [data-page="questions"]').isVisible(), true);
  const { page: first } = await openWindow(t, program);
  for (const name of ["agreement", "adjudicate"]) assert.equal(await first.locator(`nav [data-page="${name}"]`).isVisible(), true, name);
});

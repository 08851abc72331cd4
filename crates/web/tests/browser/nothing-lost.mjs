// Networks fail, programs are killed, windows are closed: what was shown as saved is there, and what was
// not is said to be missing and sent later.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openSentence, openWindow, saved, screenshot, serverView, wordAt } from "./browser.mjs";
import { startProgram } from "./program.mjs";

const DATA = fileURLToPath(new URL("data/", import.meta.url));
const KILLS = Number(process.env.TREELET_KILLS ?? 20);

const heads = async (page, id) => (await serverView(page, id)).words.map((word) => word.head);
const type = async (page, ...keys) => { for (const key of keys) await page.keyboard.press(key); };

test("the network is cut: it is said, and all is sent when it is back", async (t) => {
  const program = await startProgram(t, "--demo");
  const { context, page } = await openWindow(t, program);
  await openSentence(page, 4);
  await type(page, "Home", ">");
  await saved(page);
  await context.setOffline(true);
  await type(page, "ArrowRight", ">", "ArrowRight", "m");
  await page.waitForSelector("#save-status.failing");
  assert.match(await page.locator("#save-status").textContent(), /not saved yet: 2 changes/);
  assert.ok(await page.locator('.board [data-unit="w3"].main').isVisible(), "one can go on meanwhile");
  await screenshot(page, "no-connection");
  await context.setOffline(false);
  await saved(page);
  const { words } = await serverView(page, 4);
  assert.deepEqual([words[0].head, words[1].head, words[2].main], [2, 3, true]);
});

test("a window closed without connection: the next visit offers what was not saved", async (t) => {
  const program = await startProgram(t, "--demo");
  const { context, page } = await openWindow(t, program);
  await openSentence(page, 4);
  await saved(page);
  await context.setOffline(true);
  await type(page, "Home", ">", "ArrowRight", ">");
  await page.waitForSelector("#save-status.failing");
  await page.close();
  await context.setOffline(false);
  const next = await context.newPage();
  await next.goto(program.origin);
  const notice = next.locator(".notice.warning");
  await notice.waitFor();
  assert.match(await notice.textContent(), /2 changes of sentence 4/);
  await screenshot(next, "left-over");
  await notice.locator("button.primary").click();
  await saved(next);
  const { words } = await serverView(next, 4);
  assert.deepEqual([words[0].head, words[1].head], [2, 3]);
  await next.reload();
  await next.waitForSelector("main h1");
  await next.waitForTimeout(700);
  assert.equal(await next.locator(".notice.warning").count(), 0, "it is offered once");
});

test("a window is closed in the same moment as the last key", async (t) => {
  const program = await startProgram(t, "--demo");
  const { context, page } = await openWindow(t, program);
  await openSentence(page, 4);
  await saved(page);
  await page.evaluate(() => {
    for (const key of [">", "ArrowRight", ">"]) document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  });
  await page.close();
  const next = await context.newPage();
  await next.goto(program.origin);
  await next.waitForSelector("main h1");
  await next.waitForTimeout(700);
  const notice = next.locator(".notice.warning button.primary");
  if (await notice.count()) await notice.click();
  await saved(next);
  assert.equal((await wordAt(next, 4, 2)).head, 3);
});

test(`the program is killed ${KILLS} times in the middle of edits`, async (t) => {
  const program = await startProgram(t, "--import", `${DATA}scripts.conllu`);
  const { context, page } = await openWindow(t, program);
  const id = await longSentence(page);
  await openSentence(page, id);
  await page.keyboard.press("Home");
  await watchSaved(page);
  let nTyped = 0;
  for (let round = 0; round < KILLS; round++) {
    const killed = later(Math.random() * 60, () => program.kill());
    const n = Math.min(5, 119 - nTyped);
    for (let i = 0; i < n; i++) await type(page, ">", "ArrowRight");
    nTyped += n;
    await killed;
    const nShown = await page.evaluate(() => globalThis.nShownAsSaved);
    await program.restart();
    await signInAgain(context, program);
    const kept = await heads(page, id);
    const nKept = kept.filter((head) => head !== null).length;
    assert.ok(nShown <= nKept && nKept <= nTyped, `round ${round}: ${nShown} were shown as saved, ${nKept} of ${nTyped} are there`);
    assert.deepEqual(kept, firstArcs(nKept), `round ${round}: what is there is a beginning of what was typed, without holes`);
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await saved(page);
    assert.deepEqual(await heads(page, id), firstArcs(nTyped), `round ${round}: all that was typed is there in the end`);
    if (nTyped >= 119) nTyped = await beginAnew(page, id);
  }
});

/** What stands there when so many words belong to the next one. */
function firstArcs(n) {
  return Array.from({ length: 120 }, (_, i) => (i < n ? i + 2 : null));
}

async function longSentence(page) {
  const { sentences } = await page.evaluate(async () => (await fetch("/api/sentences?from=0&n=100&show=all")).json());
  return sentences.at(-1).id;
}

/** Keeps count of the arcs that were on the screen when it said "saved". */
function watchSaved(page) {
  return page.evaluate(() => {
    globalThis.nShownAsSaved = 0;
    const status = document.getElementById("save-status");
    new MutationObserver(() => {
      if (!status.classList.contains("saved")) return;
      globalThis.nShownAsSaved = document.querySelectorAll(".board .chip.said").length;
    }).observe(status, { attributes: true, childList: true, subtree: true });
  });
}

/** A program that was started anew has a new token; one window that opens it signs in all of this browser. */
async function signInAgain(context, program) {
  const other = await context.newPage();
  await other.goto(program.url);
  await other.waitForSelector("main h1");
  await other.close();
}

async function beginAnew(page, id) {
  for (let i = 1; i <= 119; i++) {
    await type(page, "u");
    // Each waits for the answer to the one before.
    if (i % 20 === 0) await saved(page);
  }
  await saved(page);
  assert.deepEqual(await heads(page, id), firstArcs(0), "undo goes back to the beginning");
  await type(page, "Home");
  await page.evaluate(() => { globalThis.nShownAsSaved = 0; });
  return 0;
}

function later(milliseconds, what) {
  return new Promise((resolve) => setTimeout(() => resolve(what()), milliseconds));
}

test("an answer that gets lost does not store anything twice", async (t) => {
  const program = await startProgram(t, "--demo");
  const { page } = await openWindow(t, program);
  await openSentence(page, 4);
  await saved(page);
  let nLost = 0;
  await page.route("**/events", async (route) => {
    await route.fetch();
    nLost += 1;
    await route.abort();
  }, { times: 2 });
  await type(page, "Home", "m");
  await page.waitForSelector("#save-status.failing");
  await saved(page);
  assert.equal(nLost, 2);
  assert.ok((await wordAt(page, 4, 1)).main, "a mark that is set twice would be gone again");
  await type(page, "u");
  await saved(page);
  assert.equal((await wordAt(page, 4, 1)).main, false, "one undo takes it back");
});

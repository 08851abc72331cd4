// One Chromium for all tests, and what tests ask of its pages.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import { chromium } from "playwright-core";

const OPTIONS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

let shared = null;

after(closeBrowser);

export async function browser() {
  shared ??= await chromium.launch({ executablePath: process.env.TREELET_CHROMIUM ?? "/usr/bin/chromium", args: OPTIONS });
  return shared;
}

async function closeBrowser() {
  await shared?.close();
  shared = null;
}

/**
 * A window that is signed in. It is closed after the test, which then fails if a request has left the
 * machine, if the page had an error, or if its policy was broken.
 */
export async function openWindow(t, program, options = {}) {
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const complaints = [];
  context.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "127.0.0.1") complaints.push(`request to ${request.url()}`);
  });
  context.on("weberror", (error) => complaints.push(`error in the page: ${error.error().message}`));
  context.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) complaints.push(message.text());
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });
  const page = await context.newPage();
  await page.goto(program.url);
  await page.waitForSelector("main h1");
  return { context, page };
}

/** Another page of the program by its address in it, such as `sentence/3`. */
export async function goTo(page, place) {
  await page.evaluate((hash) => { location.hash = hash; }, `#/${place}`);
  await page.waitForFunction((hash) => location.hash === hash, `#/${place}`);
  await page.waitForTimeout(50);
  await page.waitForSelector("main h1");
}

export async function openSentence(page, id) {
  await goTo(page, `sentence/${id}`);
  await page.waitForFunction((n) => document.querySelector("sentence-view")?.desk?.view.id === n, id);
}

/** Waits until the page says that all is saved. */
export async function saved(page) {
  await page.waitForSelector("#save-status.saved", { timeout: 20_000 });
}

/** What the server has, asked past the page. */
export function serverView(page, id, slot = 0) {
  return page.evaluate(async (path) => (await fetch(path)).json(), `/api/sentences/${id}?slot=${slot}`);
}

export async function wordAt(page, id, n) {
  return (await serverView(page, id)).words.find((word) => word.n === n);
}

/** A word on the board. */
export function chip(page, n) {
  return page.locator(`.board [data-unit="w${n}"]`);
}

export async function drag(page, from, to) {
  const [start, end] = [await middle(from), await middle(to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 });
  await page.mouse.move(end.x, end.y, { steps: 4 });
  await page.mouse.up();
}

export async function middle(locator) {
  await locator.scrollIntoViewIfNeeded();
  const box = await locator.boundingBox();
  assert.ok(box, "the element must be visible");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

export async function screenshot(page, name) {
  const folder = process.env.TREELET_SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

export async function assertNoSidewaysScroll(page, what) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= window, `${what}: the page is ${content} wide in a window of ${window}`);
}

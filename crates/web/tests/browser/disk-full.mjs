// The disk is full, really: the page says what it could not save, nothing is half written, and with room it goes on.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { openSentence, openWindow, saved, screenshot, serverView } from "./browser.mjs";
import { binary, startProgram } from "./program.mjs";
import { smallDisk } from "./small-disk.mjs";

const type = async (page, ...keys) => { for (const key of keys) await page.keyboard.press(key); };
const heads = async (page) => (await serverView(page, 4)).words.map((word) => word.head);
const saysFull = (page, n) => page.waitForFunction((text) =>
  document.getElementById("save-status")?.textContent?.includes(text), `not saved yet: ${n}. The disk is full`);

/** Runs the program to its end. */
function run(disk, ...options) {
  const { status, stderr } = spawnSync(...disk.enter(binary(), ["annotate", ...options]), { encoding: "utf8" });
  return { status, stderr };
}

test("the disk is full: it is said, nothing is half written, and the changes wait for room", async (t) => {
  const disk = await smallDisk(t, "1m");
  if (!disk) return;
  const program = await startProgram(t, { disk }, "--demo");
  const { page } = await openWindow(t, program);
  const answers = [];
  page.on("response", (response) => { if (response.url().endsWith("/events")) answers.push(response.status()); });
  await openSentence(page, 4);
  await type(page, "Home", ">");
  await saved(page);
  const before = await heads(page);
  assert.equal(before[0], 2);

  disk.fill();
  await type(page, "ArrowRight", ">", "m");
  await saysFull(page, "2 changes");
  assert.equal(answers.at(-1), 507);
  assert.ok(await page.locator('.board [data-unit="w2"].said').isVisible(), "one can go on meanwhile");
  await screenshot(page, "disk-full");
  assert.deepEqual(await heads(page), before, "the server has what was saved, and no more");

  const out = `${disk.folder}/out.conllu`;
  const exported = run(disk, "export", program.project, "-o", out);
  assert.deepEqual([exported.status, /cannot write .*out\.conllu.*No space left/.test(exported.stderr)], [3, true], exported.stderr);
  const begun = run(disk, `${disk.folder}/new.treelet-project`, "--demo", "--no-open", "--port", "0");
  assert.deepEqual([begun.status, /cannot write .*new\.treelet-project/.test(begun.stderr)], [3, true], begun.stderr);
  assert.deepEqual(readdirSync(disk.outside("")).filter((name) => /^\.|out/.test(name)), [], "no piece of a file is left");

  await program.kill();
  answers.length = 0;
  await program.restart();
  while (!answers.includes(507)) await page.waitForResponse("**/events");
  await saysFull(page, "2 changes");
  assert.deepEqual(await heads(page), before, "what was saved is there after a program that was killed on a full disk");

  disk.makeRoom();
  await saved(page);
  const { words } = await serverView(page, 4);
  assert.deepEqual([words[0].head, words[1].head, words[1].main], [2, 3, true]);
  const { events } = await page.evaluate(async () => (await fetch("/api/sentences/4/history")).json());
  assert.equal(events.filter((one) => one.kind === "edit").length, 3, "each change is stored once");

  const { status, stderr } = run(disk, "export", program.project, "-o", out);
  assert.equal(status, 0, stderr);
  assert.match(readFileSync(disk.outside("out.conllu"), "utf8"), /^1\t.*\t2\t/m);
  const again = await startProgram(t, { disk, name: "new" }, "--demo");
  const { page: other } = await openWindow(t, again);
  const { n_sentences } = await other.evaluate(async () => (await fetch("/api/project")).json());
  assert.equal(n_sentences, 10, "a project for which there was no room is begun anew");
});

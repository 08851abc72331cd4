// The catalogue of texts is complete in every language, and the page is small.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const PAGE = fileURLToPath(new URL("../../page/", import.meta.url));
const strings = (language) => JSON.parse(readFileSync(`${PAGE}strings/${language}.json`, "utf8"));
const holes = (text) => [...text.matchAll(/\{\w+\}/g)].map(([hole]) => hole).sort();

test("the German catalogue has every text with the same holes", () => {
  const [english, german] = [strings("en"), strings("de")];
  assert.deepEqual(Object.keys(german).sort(), Object.keys(english).sort());
  for (const key of Object.keys(english)) {
    assert.deepEqual([...new Set(holes(german[key]))], [...new Set(holes(english[key]))], key);
  }
});

test("every text the page asks for is in the catalogue", () => {
  const english = strings("en");
  const sources = readdirSync(PAGE).filter((name) => /\.(js|html)$/.test(name)).map((name) => readFileSync(PAGE + name, "utf8")).join("\n");
  const asked = [...sources.matchAll(/(?:\bt|counted)\(\s*"([^"]+)"|data-(?:text|name)="([^"]+)"/g)].map(([, a, b]) => a ?? b);
  const missing = asked.filter((key) => !(key in english) && !(`${key}.other` in english));
  assert.deepEqual([...new Set(missing)], []);
});

test("every means by which something was said has a name", () => {
  const source = readFileSync(fileURLToPath(new URL("../../../annotation/src/event.rs", import.meta.url)), "utf8");
  const [, body] = /pub enum Via \{([^}]*)\}/.exec(source);
  const names = [...body.matchAll(/^ {4}([A-Z]\w+),$/gm)].map(([, name]) => name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase());
  assert.ok(names.length > 8 && names.includes("dawid-skene"), names.join(" "));
  const english = strings("en");
  assert.deepEqual(names.filter((name) => !(`via.${name}` in english)), []);
});

test("every key has a line in the help", async () => {
  const { KEYS } = await import(`${PAGE}keys.js`);
  const english = strings("en");
  assert.deepEqual(KEYS.filter(({ command }) => !(`key.${command}` in english)), []);
});

test("no key sequence is the beginning of another", async () => {
  const { KEYS } = await import(`${PAGE}keys.js`);
  const { codes, mnemonics } = await import(`${PAGE}hints.js`);
  const presses = KEYS.flatMap(({ press }) => press);
  assert.equal(new Set(presses).size, presses.length, "a key has two meanings");
  for (const n of [1, 2, 10, 26, 27, 60, 121, 250]) assertPrefixFree(codes(n), n);
  const names = ["nsubj", "nsubj:pass", "obj", "obl", "nmod", "nummod", "advcl", "advmod", "acl", "acl:relcl", "amod", "aux", "aux:pass"];
  assertPrefixFree([...mnemonics(names).keys()], names.length);
});

function assertPrefixFree(made, n) {
  assert.equal(new Set(made).size, n);
  for (const one of made) assert.ok(!made.some((other) => other !== one && other.startsWith(one)), `${one} of ${n}`);
}

test("the page is under 400 kB when compressed", () => {
  const files = readdirSync(PAGE, { recursive: true }).map(String).filter((name) => statSync(PAGE + name).isFile());
  const total = files.reduce((sum, name) => sum + gzipSync(readFileSync(PAGE + name)).length, 0);
  assert.ok(total < 400_000, `${total} bytes`);
});

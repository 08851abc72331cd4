// What is taken of another analysis is said of the same words, however either numbers its blocks. No browser is needed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const { saidOf, taken, translated } = await import(fileURLToPath(new URL("../../page/differing.js", import.meta.url)));

const word = (n, more = {}) => ({ n, form: "abcde"[n - 1], tag: "N", tag_by: "file", head: null, relation: null, ...more });
const block = (id, words, more = {}) => ({ id, kind: "bracket", words, head: null, label: null, depends_on: null, relation: null, ...more });
const view = (brackets, words = {}) => ({ words: [1, 2, 3, 4, 5].map((n) => word(n, words[n])), brackets });

test("tags that stood in the file are nobody's, and those that were set are taken", () => {
  const [now, theirs] = [view([]), view([], { 2: { tag: "V", tag_by: "person" } })];
  const difference = { what: "tag", words: [2] };
  assert.deepEqual([saidOf(now, difference), saidOf(theirs, difference)], ["", "V"]);
  assert.deepEqual(taken(now, theirs, difference), [{ tag: { of: 2, is: "V" } }]);
  assert.deepEqual(taken(theirs, now, difference), [{ tag: { of: 2, is: null } }]);
});

test("a block is made with a number of its own, and taken apart by that", () => {
  const [now, theirs] = [view([block(1, [4, 5])]), view([block(1, [1, 2], { head: 2, label: "NP" })])];
  const difference = { what: "block", words: [1, 2] };
  const made = { id: 2, kind: "bracket", words: [1, 2], head: 2, label: "NP" };
  assert.deepEqual(taken(now, theirs, difference), [{ bracket: made }]);
  assert.deepEqual(taken(view([made]), now, difference), [{ unbracket: { id: 2 } }]);
  assert.deepEqual(taken(now, now, difference), []);
  assert.equal(typeof taken(view([block(1, [2, 3])]), theirs, difference), "string", "blocks do not cross");
});

test("heads, labels, relations and what blocks belong to go by words", () => {
  const theirs = view([block(3, [1, 2], { head: 1, label: "X", depends_on: { bracket: 4 }, relation: "obj" }), block(4, [3, 4])]);
  const now = view([block(7, [1, 2], { head: 2, label: "Y" }), block(9, [3, 4])]);
  const of = (what) => taken(now, theirs, { what, words: [1, 2] });
  assert.deepEqual(of("block-head"), [{ bracket: { id: 7, kind: "bracket", words: [1, 2], head: 1, label: "Y" } }]);
  assert.deepEqual(of("label"), [{ bracket: { id: 7, kind: "bracket", words: [1, 2], head: 2, label: "X" } }]);
  assert.deepEqual(of("attachment"), [{ head: { of: { bracket: 7 }, to: { bracket: 9 }, relation: "obj" } }]);
  assert.deepEqual(of("relation"), [{ relation: { of: { bracket: 7 }, is: "obj" } }]);
  assert.deepEqual(translated(now, theirs, { bracket: 4 }), { bracket: 9 });
  assert.deepEqual(translated(now, theirs, 0), 0);
  // Where the merged analysis has no such block, that is said and nothing is changed.
  assert.equal(typeof taken(view([block(7, [1, 2])]), theirs, { what: "attachment", words: [1, 2] }), "string");
  assert.equal(typeof taken(view([]), theirs, { what: "label", words: [1, 2] }), "string");
});

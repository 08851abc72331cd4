// Which sentence comes next.

import { get } from "./server.js";
import { decimal, t } from "./strings.js";

/** @typedef {import("./app.js").App} App */

export const ORDERS = ["order", "gain", "disagreement", "random"];

/** @param {App} app @param {number} [after] */
export async function nextSentence(app, after) {
  const order = app.preferences.order;
  const answer = await get(`/api/next?order=${order}${after === undefined ? "" : `&after=${after}`}`);
  if (answer.id === null || answer.id === after) {
    app.homeNote = t("next.all-done");
    location.hash = "#/";
    return;
  }
  app.why = { id: answer.id, text: whyNext(answer.because) };
  location.hash = `#/sentence/${answer.id}`;
}

/** @param {{kind: string, nats?: number, words?: number, rate?: number}} because */
export function whyNext({ kind, nats = 0, words = 0, rate = 0 }) {
  return t(`next.${kind}`, { nats: decimal(nats, 1), words, rate: decimal(rate, 3) });
}

/** The sentence before or after in the order of the file. @param {number} place counted from 1 @param {number} by @returns {Promise<number | null>} */
export async function neighbour(place, by) {
  const from = place - 1 + by;
  if (from < 0) return null;
  const { sentences } = await get(`/api/sentences?from=${from}&n=1&show=all`);
  return sentences[0]?.id ?? null;
}

// Requests to the server this page came from; there is no other.

import { t } from "./strings.js";

/** Longer than any answer takes; after it the request is sent again, which is safe. */
const PATIENCE = 8000;
/** For what goes through a whole project: it is done once, whether anybody waits for it or not. */
export const LONG_PATIENCE = 600_000;

/** Why a request did not get what it asked for. */
export class Trouble extends Error {
  /**
   * @param {number} status 0 if there was no answer at all
   * @param {string} code
   * @param {string} text a sentence for people
   * @param {any} body
   */
  constructor(status, code, text, body) {
    super(text);
    this.status = status;
    this.code = code;
    this.body = body;
  }
}

/** @param {string} path @param {number} [patience] @returns {Promise<any>} */
export function get(path, patience = PATIENCE) {
  return ask(path, { method: "GET" }, patience);
}

/** What a file has no place for, and how often; nothing if that cannot be found out. @param {string} path @returns {Promise<Record<string, number>>} */
export async function leftOut(path) {
  const answer = await reach(path, { method: "HEAD" }, LONG_PATIENCE).catch(() => null);
  return JSON.parse(answer?.headers.get("X-Treelet-Left-Out") ?? "{}");
}

/**
 * @param {"POST" | "PUT"} method @param {string} path @param {unknown} body @param {number} [patience]
 * @returns {Promise<any>}
 */
export function send(method, path, body, patience = PATIENCE) {
  return ask(path, written(method, body), patience);
}

/** For the last moment of a page: goes out even if the page is gone. @param {string} path @param {unknown} body */
export function sendParting(path, body) {
  fetch(path, { ...written("POST", body), keepalive: true }).catch(() => {
    // The outbox in this browser still has it.
  });
}

/** @param {string} method @param {unknown} body @returns {RequestInit} */
function written(method, body) {
  return { method, headers: { "X-Treelet": "1", "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

/** @param {string} path @param {RequestInit} options @param {number} patience */
async function ask(path, options, patience) {
  const answer = await reach(path, options, patience);
  const body = await answer.json().catch(() => null);
  if (!answer.ok) throw troubleOf(answer.status, body);
  if (body === null) throw new Trouble(0, "no-connection", t("trouble.no-connection"), null);
  return body;
}

/** @param {string} path @param {RequestInit} options @param {number} patience */
async function reach(path, options, patience) {
  try {
    return await fetch(path, { ...options, credentials: "same-origin", signal: AbortSignal.timeout(patience) });
  } catch {
    throw new Trouble(0, "no-connection", t("trouble.no-connection"), null);
  }
}

/** @param {number} status @param {any} body */
function troubleOf(status, body) {
  if (status === 401 || (status === 403 && body?.code === "not-signed-in")) {
    return new Trouble(status, "sign-in-lost", t("trouble.sign-in-lost"), body);
  }
  if (status === 507) return new Trouble(status, "disk-full", t("trouble.disk-full"), body);
  const text = typeof body?.error === "string" ? body.error : t("trouble.other", { status });
  return new Trouble(status, body?.code ?? "other", text, body);
}

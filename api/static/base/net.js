/**
 * Requests to this server. The browser adds the session's cookie by itself, so no token is ever in a script.
 *
 * A refusal is a `Problem` with the server's own sentence; no answer at all is `Unreached`. What changes something is sent
 * by `send`, with a key that makes it safe to repeat: it's sent again until the server has answered, and counts once.
 */

import { addressOf } from "./address.js";
import { define, t, translationOf } from "./messages.js";

const API = "/api/v1";
const PATIENCE_MS = 15_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
/** Answers after which the same request may succeed: nothing was done, or the key makes sure that it's done once. */
const TRY_AGAIN = new Set([408, 429, 502, 503, 504]);

/** Return the sentence for a type of problem: the server's own one is English. */
export const refusalText = (type, says) => translationOf(`refusal.${type}`) ?? says;

/**
 * The server's refusal: `type` such as "name-taken", `status`, a sentence as `message`, the server's own one as `detail`, and
 * `errors` by field.
 */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {Api.ProblemBody | null} body
   * @param {number | null} retryAfterS
   */
  constructor(status, body, retryAfterS) {
    const type = String(body?.type ?? "").replace("/problems/", "") || "unknown";
    super(refusalText(type, body?.detail) ?? t("net.failed", { status }));
    this.status = status;
    this.type = type;
    this.detail = body?.detail ?? this.message;
    this.errors = body?.errors ?? {};
    this.legal = body?.legal ?? null;
    this.retryAfterS = retryAfterS;
  }
}

/** No answer came: the server or the network is away. The request may have arrived. */
export class Unreached extends Error {
  constructor() {
    super(t("net.unreached"));
  }
}

/**
 * Send GET and return the body. Paths are below /api/v1, except /session.
 *
 * @template {string} Path
 * @param {Path} path
 * @returns {Promise<Api.Answer<"GET", Path>>}
 */
export const get = async (path) => (await ask("GET", path)).body;

/**
 * Send a request and return { body, status, headers }; throw Problem or Unreached.
 *
 * @template {Api.Method} Method
 * @template {string} Path
 * @param {Method} method
 * @param {Path} path
 * @param {{ body?: Api.Sent<Method, Path>, headers?: Record<string, string>, signal?: AbortSignal | null }} [options]
 * @returns {Promise<Page.Answered<Method, Path>>}
 */
export async function ask(method, path, { body, headers = {}, signal } = {}) {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const response = await answered(path, {
    method,
    headers: { Accept: "application/json", ...headers, ...(body !== undefined && { "Content-Type": "application/json" }) },
    signal: signal ? AbortSignal.any([patience, signal]) : patience,
    body: JSON.stringify(body),
  });
  const found = await bodyOf(response);
  if (response.ok) return { body: found, status: response.status, headers: response.headers };
  if (response.status === 401 && found?.type === "/problems/unauthorized") window.dispatchEvent(new Event("signed-out"));
  throw new Problem(response.status, found, Number(response.headers.get("Retry-After")) || null);
}

/**
 * Send a request that changes something, and return its answer as `ask` does. Without an answer it's sent again, with the
 * same key, until there is one; `onWait(text)` says so meanwhile, and with null when it's over. `signal` gives up.
 *
 * @template {Api.Method} Method
 * @template {string} Path
 * @param {Method} method
 * @param {Path} path
 * @param {Api.Sent<Method, Path>} [body]
 * @param {{ onWait?: (text: string | null) => void, signal?: AbortSignal, headers?: Record<string, string>, key?: string }} [options]
 * @returns {Promise<Page.Answered<Method, Path>>}
 */
export async function send(method, path, body, { onWait = () => {}, signal, headers = {}, key = newKey() } = {}) {
  let wait = FIRST_WAIT_MS;
  try {
    for (;;) {
      try {
        return await ask(method, path, { body, signal, headers: { ...headers, "Idempotency-Key": key } });
      } catch (error) {
        if (signal?.aborted || !mayRepeat(error)) throw error;
        onWait(t("net.not-sent"));
        await paused(error.retryAfterS ? error.retryAfterS * 1000 : wait);
        wait = Math.min(wait * 2, LONGEST_WAIT_MS);
      }
    }
  } finally {
    onWait(null);
  }
}

/** Return a key for one request, however often it's sent. */
export const newKey = () => hex(crypto.getRandomValues(new Uint8Array(16)));

/** Return the session: { player, address, guests, registration, mail }; `player` is null for a stranger. */
export function session() {
  known ??= get("/session").catch((error) => {
    known = null;
    throw error;
  });
  return known;
}

/** Read the session anew, and tell the page. */
export async function renewSession() {
  known = null;
  const found = await session();
  window.dispatchEvent(new CustomEvent("session", { detail: found }));
  return found;
}

let known = null;
window.addEventListener("signed-out", () => void renewSession().catch(() => {}));

const mayRepeat = (error) => error instanceof Unreached || (error instanceof Problem && TRY_AGAIN.has(error.status));

/**
 * Send a request, with the session's cookie, and return the response; throw Unreached.
 *
 * @param {string} path
 * @param {RequestInit} request
 */
export async function answered(path, request) {
  try {
    return await fetch(addressOf(path === "/session" || path.startsWith("/session/") ? path : API + path), request);
  } catch {
    throw new Unreached();
  }
}

async function bodyOf(response) {
  const isJson = /json/.test(response.headers.get("Content-Type") ?? "");
  try {
    return isJson ? await response.json() : null;
  } catch {
    throw new Unreached();
  }
}

/** Wait, or less if the network comes back. */
const paused = (ms) =>
  new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer);
      window.removeEventListener("online", stop);
      resolve();
    };
    const timer = setTimeout(stop, ms);
    window.addEventListener("online", stop);
  });

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

define({
  "net.failed": "The server answered with an error ({status}). Try again.",
  "net.not-sent": "Not sent yet. It is sent again until the server answers.",
  "net.unreached": "The server can't be reached. Check your network; it may also be restarting.",
});

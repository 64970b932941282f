// The player's own cuts. Each is 32 random bytes that only this browser knows until the deal that it's for; the server gets
// its seal first (docs/fairness.md).

import { newKey } from "../base/net.js";
import { forgetTexts, loadText, saveText } from "../base/storage.js";

const PREFIX = "trickbook:cut:";
const SENT = "trickbook:sent-cut:";
const [FAIRDEAL, CARDLOG] = ["../verify/fairdeal.js", "../verify/cardlog.js"]; // not loaded in advance

// How a table with cuts begins: with sealed ones, and enough seconds for a browser that loads its page over a slow line.
export const SEALED = Object.freeze({ cuts: "sealed", window_s: 5 });

/**
 * Return the move that cuts for the deal that waits, or { failed } with the reason why there is none.
 *
 * @returns {Promise<{ move?: Api.MoveCut, failed: string | null }>}
 */
export async function cutFor({ game, seat, ceremony, isSealed }) {
  const promised = ceremony.seals[String(seat)] ?? null;
  const cut = promised === null ? randomHex() : secretOf(game, promised);
  if (cut === null) return { failed: "lost" };
  const next = isSealed ? await nextSeal(game, seat) : { seal: null, failed: null };
  return { move: { type: "cut", n: ceremony.n, commit: ceremony.commit, cut, next_seal: next.seal }, failed: next.failed };
}

// Draw the next cut, keep it, and return its seal. It's sealed only if this browser really keeps it.
async function nextSeal(game, seat) {
  if (!globalThis.crypto?.subtle) return { seal: null, failed: "insecure" };
  const { seal } = await import(FAIRDEAL);
  const { hex, unhex } = await import(CARDLOG);
  const secret = randomHex();
  const sealed = hex(await seal(game, String(seat), unhex(secret)));
  return keepSecret(game, sealed, secret) ? { seal: sealed, failed: null } : { seal: null, failed: "unkept" };
}

// Return 32 random bytes in hex. A key has 16.
function randomHex() {
  return newKey() + newKey();
}

function keepSecret(game, sealed, secret) {
  return saveText(`${PREFIX}${game}:${sealed}`, secret);
}

function secretOf(game, sealed) {
  return loadText(`${PREFIX}${game}:${sealed}`);
}

// Forget the cuts of a game whose seals aren't needed any more. `needed` are those that are still to be opened.
export function forgetCuts(game, needed) {
  forgetTexts(`${PREFIX}${game}:`, (sealed) => needed.includes(sealed));
}

// Keep the cut that is being sent until the server has answered it: it's all that a player can show of one that isn't counted.
export function noteSent(game, { n, commit, cut }) {
  saveText(SENT + game, JSON.stringify({ n, commit, cut, at: new Date().toISOString() }));
}

export function forgetSent(game) {
  forgetTexts(SENT + game, () => false);
}

// Return the cut that was sent for ceremony `n` and never answered, or null.
export function unheardCut(game, n) {
  const sent = JSON.parse(loadText(SENT + game) ?? "null");
  return sent?.n === n ? sent : null;
}

// Return whether a deal was made without the cut of a seat that could have made one.
export function cutMissing(event, seat) {
  return event.fact === "HandDealt" && seat !== null && !event.data.cuts.some(([source]) => source === String(seat));
}

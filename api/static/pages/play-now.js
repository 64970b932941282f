/** Play now: a guest if need be, a table that only waits for this player, or else a new one with bots. */

import { visit } from "../base/address.js";
import { ask, get, renewSession, send } from "../base/net.js";
import { setting } from "../base/settings.js";
import { cutFor, SEALED } from "../live/cuts.js";

const USUAL_SEATS = 4;
const BOT = "bot:simple";

/**
 * Begin a session as a guest unless there is one, and return its player.
 *
 * @param {Api.Session} session
 */
export async function somebody(session) {
  if (session.player) return session.player;
  const { body } = await ask("POST", "/session/guest", { body: {} });
  await renewSession();
  return body.player;
}

/**
 * Sit down and open the table's page. `onWait` gets what is going on.
 *
 * @param {Api.OfferedVariant} variant
 * @param {Api.Session} session
 */
export async function playNow(variant, session, onWait) {
  const [player, tables] = await Promise.all([somebody(session), waitingTables(variant.name)]);
  for (const table of tables.filter((each) => each.opener !== player.id)) {
    const game = await claimed(table);
    if (game) return go(game);
  }
  const seats = variant.seats.includes(USUAL_SEATS) ? USUAL_SEATS : Math.max(...variant.seats);
  const body = { variant: variant.name, seats: [player.name, ...Array(seats - 1).fill(BOT)], undo: "practice", fairness: SEALED };
  const { body: game } = await send("POST", "/games", body, { onWait });
  if ("view" in game) await cutFirst(game);
  go(game);
}

/**
 * Cut for the first deal here, so that the table's page opens with cards. If that fails, the page does it.
 *
 * @param {Api.OpenedGame} game
 */
async function cutFirst({ id, view }) {
  const { ceremony, you } = view;
  if (!setting("cut") || !ceremony || !you?.may.includes("cut")) return;
  const { move, failed } = await cutFor({ game: id, seat: you.seat, ceremony, isSealed: true });
  if (!failed) await ask("POST", `/games/${id}/moves`, { body: move }).catch(() => {});
}

/** Open the page of a game or table. */
export const go = (game, hash = "") => visit(`/games/${game.board}${hash}`);

/** Return the tables that begin as soon as one more person sits down, the oldest first. */
async function waitingTables(variant) {
  try {
    const found = await get(`/games?status=forming&variant=${encodeURIComponent(variant)}&limit=50`);
    const { items } = /** @type {Api.TablePage} */ (found);
    return items.filter(needsOne).reverse();
  } catch {
    return []; // bots never say no
  }
}

/** @param {Api.ListedTable} table */
const needsOne = (table) =>
  table.seats.filter((seat) => seat.state === "open").length === 1 &&
  table.seats.every((seat) => seat.state === "open" || seat.state === "claimed");

/**
 * Take the free seat, and return the game; null if somebody was quicker.
 *
 * @param {Api.ListedTable} table
 */
async function claimed(table) {
  try {
    return (await ask("POST", `/games/${table.id}/seats`, { body: {} })).body;
  } catch {
    return null;
  }
}

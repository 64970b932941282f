/** Names of players, bots and variants, and what a game's line in a list says. */

import { botKind, botName, botOf, personName } from "../base/bots.js";
import { define, list, t, translationOf } from "../base/messages.js";
import { get } from "../base/net.js";

/** Return the variants and bots of this server, asked once. */
export function variants() {
  known ??= get("/variants").then((found) => ({ ...found, items: found.items.map(inLanguage) }));
  return known;
}

let known = null;

const inLanguage = (item) => ({ ...item, title: translationOf(`variant.${item.name}`) ?? item.title, says: translationOf(`variant.${item.name}.says`) ?? item.says });

/**
 * Return a variant's title.
 *
 * @param {Api.OfferedVariant[]} items
 */
export const titleOf = (items, name) => items.find((each) => each.name === name)?.title ?? (name === HOUSE ? t("variant.house") : name);

/** What the server calls the variant of games that are played by a rulebook. */
export const HOUSE = "house";

/**
 * Return the title of what a game or a table plays: of house rules their name, if `books` has it.
 *
 * @param {Api.OfferedVariant[]} items
 * @param {{ variant: string, rulebook?: string, options?: Record<string, any> }} game
 * @param {Record<string, string>} books
 */
export const gameTitle = (items, game, books) => books[game.rulebook ?? game.options?.rulebook] ?? titleOf(items, game.variant);

/** Return the name to show for a player's id. */
export const nameOf = (id, names) => botName(id) ?? personName(names[id] ?? t("player.unknown"));

/**
 * Return whether a board has no game: nothing is dealt yet, or the table was given up before.
 *
 * @param {Api.NamedView | Api.NamedTable} board
 * @returns {board is Api.NamedTable}
 */
export const isForming = (board) => FORMING.has(board.status);

const FORMING = new Set(["forming", "closing", "cancelled", "lapsed"]);

/** Return the players of a game or table, without `self`. */
export const others = (seats, names, self) =>
  list(summed(seats.filter((seat) => seat.player && seat.player !== self).map((seat) => seat.player), names));

/** Return names, with bots of a kind as one: "3 simple bots". */
function summed(ids, names) {
  const bots = new Map();
  for (const id of ids) {
    const bot = botOf(id);
    if (bot) bots.set(bot.strategy, (bots.get(bot.strategy) ?? 0) + 1);
  }
  const people = ids.filter((id) => !id.startsWith("bot:")).map((id) => nameOf(id, names));
  return [...people, ...[...bots].map(([kind, count]) => t("player.bots", { count, kind: botKind(kind) }))];
}

/** Return a code of the server in words: "bid_first" as "bid first". */
export function valueWords(value) {
  if (value === true) return t("value.yes");
  if (value === false) return t("value.no");
  if (value === null) return t("value.none");
  return String(value).replaceAll("_", " ");
}

define({
  "player.bots": { one: "a {kind} bot", other: "{count} {kind} bots" },
  "player.unknown": "somebody",
  "value.no": "no",
  "value.none": "none",
  "value.yes": "yes",
  "variant.house": "House rules",
});

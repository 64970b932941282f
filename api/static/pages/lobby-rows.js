/** The lines of the lobby's lists: a game, a table that forms, a question to sit down. */

import { h } from "../base/dom.js";
import { ago, define, list, t } from "../base/messages.js";
import { ask } from "../base/net.js";
import { actionButton } from "./forms.js";
import { go } from "./play-now.js";
import { gameTitle, nameOf, others } from "./words.js";

/**
 * A running game: own games say whose turn it is, others what a watcher sees; `self` isn't named among the players.
 *
 * @param {Api.LobbyGame} game
 */
export function gameRow(game, names, { items, player, books, self = null }) {
  const waits = player !== null && game.waiting.includes(player.id);
  const href = `/games/${game.board}`;
  const turn = player === null ? watching(game) : waits ? h("span", { class: "tag waits" }, t("row.your-turn")) : waitingFor(game, names);
  return row(
    h("a", { href }, heading(game, items, books)),
    [t("row.with", { names: others(game.seats, names, player?.id ?? self) }), " · ", turn, " · ", ago(game.updated)],
    h("a", { class: waits ? "button primary small" : "button small", href }, t(player === null ? "row.watch" : waits ? "row.play" : "row.look")));
}

/**
 * A game that is over.
 *
 * @param {Api.LobbyGame} game
 */
export function finishedRow(game, names, { items, player, books }) {
  const seat = game.seats.find((each) => each.player === player.id)?.seat;
  const winners = game.result?.ruled?.winners ?? game.result?.winners ?? [];
  const how = winners.includes(seat) ? t("row.won") : winners.length ? t("row.won-by", { names: list(winners.map((each) => nameOf(game.seats[each]?.player, names))) }) : t("row.no-winner");
  return row(
    h("a", { href: `/games/${game.board}` }, heading(game, items, books)),
    [t("row.with", { names: others(game.seats, names, player.id) }), " · ", how, " · ", ago(game.updated)],
    h("span", { class: "buttons" }, ["replay", "score"].map((page) => h("a", { class: "button small", href: `/games/${game.board}/${page}` }, t(`row.${page}`), h("span", { class: "hidden-text" }, ` ${t("row.of", { board: String(game.board) })}`)))));
}

/**
 * An own table that waits for players.
 *
 * @param {Api.ListedTable} table
 */
export const tableRow = (table, names, { items, player, books }) =>
  row(h("a", { href: `/games/${table.board}` }, heading(table, items, books)), [seatsLeft(table), company(table, names, player.id)], h("a", { class: "button small", href: `/games/${table.board}` }, t("row.look")));

/**
 * Somebody's table with a free seat.
 *
 * @param {Api.ListedTable} table
 */
export const openTableRow = (table, names, { items, books }) =>
  row(h("a", { href: `/games/${table.board}` }, heading(table, items, books)), [seatsLeft(table), company(table, names, null)], h("a", { class: "button small", href: `/games/${table.board}` }, t("row.open")));

/**
 * A table that asks the player to sit down.
 *
 * @param {Api.ListedTable} table
 */
export function questionRow(table, names, { items, books }) {
  const yes = async () => go((await ask("POST", `/games/${table.id}/seats`, { body: {} })).body);
  const no = async () => {
    await ask("DELETE", `/games/${table.id}/seats/current`);
    window.dispatchEvent(new Event("online")); // the lists are read again
  };
  return row(
    h("a", { href: `/games/${table.board}` }, t("row.asks", { name: nameOf(table.opener, names), game: gameTitle(items, table, books) })),
    [h("span", { class: "tag waits" }, t("row.asked")), " · ", t("row.expires", { when: ago(table.expires) })],
    h("span", { class: "buttons" }, actionButton(t("row.accept"), yes, { kind: "primary small" }), actionButton(t("row.decline"), no, { kind: "small" })));
}

const row = (title, facts, action) => h("li", { class: "row" }, h("span", { class: "title" }, title), h("span", { class: "facts" }, facts), h("span", { class: "action" }, action));

const heading = (game, items, books) => t("row.heading", { title: gameTitle(items, game, books), board: String(game.board) });

/** @param {Api.ListedTable} table */
const seatsLeft = (table) => t("row.free", { count: table.seats.filter((seat) => seat.state !== "claimed").length });

/** @param {Api.ListedTable} table */
const company = (table, names, self) => {
  const text = others(table.seats.filter((seat) => seat.state === "claimed"), names, self);
  return text ? [" · ", t("row.with", { names: text })] : [];
};

/** @param {Api.LobbyGame} game */
const waitingFor = (game, names) => (game.waiting.length ? t("row.waits-for", { names: list(game.waiting.map((id) => nameOf(id, names))) }) : t("row.dealing"));

/** @param {Api.LobbyGame} game */
const watching = (game) => (game.watch.delay ? t("row.delayed", { count: game.watch.delay }) : t("row.live"));

define({
  "row.accept": "Sit down",
  "row.asked": "Asks you",
  "row.asks": "{name} asks you to play {game}",
  "row.dealing": "being dealt",
  "row.decline": "Decline",
  "row.delayed": { one: "shown {count} step late", other: "shown {count} steps late" },
  "row.expires": "expires {when}",
  "row.free": { one: "{count} seat free", other: "{count} seats free" },
  "row.heading": "{title}, board\u00a0{board}",
  "row.live": "shown live",
  "row.look": "Look",
  "row.no-winner": "nobody won",
  "row.of": "of board {board}",
  "row.open": "Sit down",
  "row.play": "Play",
  "row.replay": "Replay",
  "row.score": "Scores",
  "row.waits-for": "waits for {names}",
  "row.watch": "Watch",
  "row.with": "with {names}",
  "row.won": "you won",
  "row.won-by": "won by {names}",
  "row.your-turn": "Your turn",
});

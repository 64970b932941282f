/** A player's finished games, figures by variant, and games against the visitor. */

import { h, replace } from "../base/dom.js";
import { day, define, list, t } from "../base/messages.js";
import { get } from "../base/net.js";
import { actionButton } from "../pages/forms.js";
import { finishedRow } from "../pages/lobby-rows.js";
import { nameOf, others, titleOf } from "../pages/words.js";
import { minus } from "../table/texts.js";
import { figuresTable } from "./figures.js";
import { playerRatings } from "./ratings.js";
import "./reasons.js";

const PAGE = 25;
const FORM = 10;

/** Return the sections about what a player did. `me` is the visitor, or null. */
export async function playerSections(name, me, items) {
  const path = `/players/${encodeURIComponent(name)}`;
  const isOther = me && me.name !== name;
  const together = isOther ? get(`/games?status=finished&player=${encodeURIComponent(name)}&player=${encodeURIComponent(me.name)}&limit=${FORM}`) : null;
  const against = isOther && !me.guest ? get(`${path}/against/${encodeURIComponent(me.name)}`) : null;
  const [figures, history, ratings, met, both] = await Promise.all([get(`${path}/standings`), get(`${path}/history?limit=${PAGE}`), playerRatings(path, items), against, together]);
  return [
    history.items.length > 0 && section(t("history.form"), form(history.items.slice(0, FORM)), favorite(figures.items, items)),
    section(t("history.figures"), figures.items.length
      ? figuresTable(t("history.figures"), [t("history.game"), t("history.rank")], figures.items, (item) => [h("th", { scope: "row" }, titleOf(items, item.variant)), h("td", { class: "number" }, item.rank ?? "")])
      : h("p", { class: "empty" }, t("history.no-figures"))),
    section(t("ratings.title"), ratings),
    isOther && section(t("history.against"), met && meetings(met, name, items), both.items.length > 0 && h("ul", { class: "rows" }, both.items.map((game) => finishedRow(game, both.names, { items, player: me, books: both.rulebooks })))),
    section(t("history.finished"), history.items.length ? games(history, path, items) : h("p", { class: "empty" }, t("history.none"))),
  ];
}

/** The last results, the newest first, each a link to its game. */
const form = (games) =>
  h("p", { class: "form" }, games.map((game) => h("a", { class: game.won ? "result won" : "result", href: `/games/${game.board}/score`, title: t(game.won ? "history.form-won" : "history.form-not", { board: String(game.board) }) },
    h("span", { "aria-hidden": "true" }, t(game.won ? "history.w" : "history.l")), h("span", { class: "hidden-text" }, t(game.won ? "history.form-won" : "history.form-not", { board: String(game.board) })))));

/** @param {{ variant: string, games: number }[]} figures */
function favorite(figures, items) {
  const [most] = figures.toSorted((a, b) => b.games - a.games);
  return most ? h("p", { class: "soft" }, t("history.favorite", { title: titleOf(items, most.variant), count: most.games })) : null;
}

const section = (title, ...content) => h("section", { class: "panel" }, h("h2", null, title), content);

/** @param {Api.HeadToHead} met */
function meetings({ items: met }, name, items) {
  if (!met.length) return h("p", { class: "empty" }, t("history.never"));
  const line = ({ variant, games: count, won, lost }) =>
    h("li", null, t("history.met", { title: titleOf(items, variant), count, name, own: t("history.wins", { count: lost }), theirs: t("history.wins", { count: won }) }));
  return h("ul", { class: "meetings" }, met.map(line));
}

/** Draw the games, and a button for older ones. */
function games(first, path, items) {
  const rows = h("ul", { class: "rows" });
  const more = h("p", { class: "buttons" });
  const read = (cursor) => get(`${path}/history?limit=${PAGE}&cursor=${encodeURIComponent(cursor)}`);
  const add = (page) => {
    rows.append(...page.items.map((game) => gameRow(game, page, items)));
    replace(more, null, page.next ? actionButton(t("history.more"), async () => add(await read(page.next))) : null);
  };
  add(first);
  return [rows, more];
}

/** @param {Api.HistoryGame} game */
function gameRow(game, { player, names }, items) {
  return h("li", { class: "row" },
    h("div", { class: "title" }, h("a", { href: `/games/${game.board}` }, t("history.board", { title: titleOf(items, game.variant), board: game.board }))),
    h("div", { class: "facts" },
      t("history.with", { names: others(game.seats, names, player) }), " · ", resultText(game, names), " · ", t("history.points", { points: minus(game.points), count: Math.abs(game.points) }), " · ", day(game.ended),
      game.counts ? null : [" ", h("span", { class: "tag" }, t(`unrated.${game.reason}`))]),
    h("div", { class: "action" }, h("a", { class: "button small", href: `/games/${game.board}/score` }, t("history.scores"))));
}

/** @param {Api.HistoryGame} game */
function resultText(game, names) {
  if (game.won) return h("strong", null, t("history.won"));
  const { winners } = game.result.ruled ?? game.result;
  return winners.length ? t("history.won-by", { names: list(winners.map((seat) => nameOf(game.seats[seat].player, names))) }) : t("history.no-winner");
}

define({
  "history.against": "Against you",
  "history.board": "{title}, board\u00a0{board}",
  "history.figures": "Games that count",
  "history.finished": "Finished games",
  "history.favorite": { one: "Plays {title} most: {count} game that counts.", other: "Plays {title} most: {count} games that count." },
  "history.form": "Form",
  "history.form-not": "Board {board}: not won",
  "history.form-won": "Board {board}: won",
  "history.l": "L",
  "history.w": "W",
  "history.game": "Game",
  "history.met": { one: "{title}: {count} game. You have {own}, {name} {theirs}.", other: "{title}: {count} games. You have {own}, {name} {theirs}." },
  "history.more": "More",
  "history.never": "You have played no game against each other that counts.",
  "history.no-figures": "None yet. Public games between people with accounts count.",
  "history.no-winner": "without a winner",
  "history.none": "None that you may see.",
  "history.points": { one: "{points} point", other: "{points} points" },
  "history.rank": "Rank",
  "history.scores": "Scores",
  "history.wins": { one: "{count} win", other: "{count} wins" },
  "history.with": "with {names}",
  "history.won": "won",
  "history.won-by": "won by {names}",
});

// Names of cards and seats in words, and the order in which a player holds their cards.

import { botName, botOf } from "../base/bots.js";
import { RANKS, rankOf, suitOf } from "../base/cards.js";
import { t } from "./texts.js";

// Return a card in words: "king of hearts".
export function cardWords(card) {
  if (suitOf(card) === "X") return t("joker", { number: card[1] });
  return t("card", { rank: t(`rank.${rankOf(card)}`), suit: t(`suit.${suitOf(card)}`) });
}

// Return the name to show for a seat.
/** @param {Page.Model} model */
export function seatName(model, seat) {
  const { player } = model.view.seats[seat];
  return playerName(model, player);
}

// Return what a game by house rules is called, or null of a game of the catalogue.
/** @param {Page.Model} model */
export function gameName({ view, book }) {
  return view.rules.rulebook ? (book ?? t("menu.rules.house")) : null;
}

// Return the address of the rules: of a rule sheet, or of a rulebook.
/** @param {Page.Model} model */
export function rulesAddress({ view }) {
  return view.rules.rulebook ? `/house-rules#${view.rules.rulebook}` : `/rules/${view.variant}`;
}

// Return whether a seat is that of the person at this page. Who looks at a seat in a replay need not be its player.
/** @param {Page.Model} model */
export function isOwn(model, seat) {
  return Boolean(model.me) && model.seat !== null && seat === model.seat;
}

// Return what to call a seat in a place that's too small for a long name: "You" for the own one.
/** @param {Page.Model} model */
export function shortName(model, seat) {
  return isOwn(model, seat) ? t("you.short") : seatName(model, seat);
}

// Return what to call a seat where there is room for a name. A guest doesn't know the name that the server gave them.
/** @param {Page.Model} model */
export function ownOrName(model, seat) {
  return isOwn(model, seat) && model.me.guest ? t("you.short") : seatName(model, seat);
}

// Return a text about a seat, in the words for the own one if it is that.
/** @param {Page.Model} model */
export function seatText(model, key, seat, values = {}) {
  return t(isOwn(model, seat) ? `${key}.you` : key, { ...values, name: seatName(model, seat) });
}

// Return the name to show for a player's id.
/** @param {Pick<Page.Model, "names">} model */
export function playerName(model, player) {
  return botName(player) ?? model.names[player] ?? player;
}

// Return the strategy of a bot, or "" for a person.
export function strategyOf(player) {
  return botOf(player)?.strategy ?? "";
}

// Return the names of seats, in order, as "you" for the own one.
/** @param {Page.Model} model */
export function seatNames(model, seats) {
  return seats.map((seat) => (seat === model.seat ? t("you") : seatName(model, seat)));
}

// Return a setting of the menu of changes, such as "points:7", in words.
export function changeWords(change) {
  const [what, to] = change.split(":");
  return what === "points" ? t("change.points", { version: to }) : t(`change.${what}.${to}`);
}

// Return what differs between two settings of the rules, each in words.
export function settingChanges(before, after) {
  const changed = ["points", "dirty", "reverse", "partners"].filter((what) => before[what] !== after[what]);
  return changed.map((what) => {
    const to = after[what];
    return changeWords(`${what}:${to === true ? "on" : to === false ? "off" : to}`);
  });
}

// Return the number of seats from a to b, to the left.
export function leftOf(from, to, seats) {
  return (to - from + seats) % seats;
}

const ALTERNATE = ["S", "H", "C", "D"]; // black and red in turn, so that neighbors differ

// Return cards in the order that the player chose: "suits", "trump", "ranks" or "dealt".
export function sorted(cards, order, trump, reverse = false) {
  if (order === "dealt") return [...cards];
  const suits = suitOrder(order, trump);
  const sign = reverse ? 1 : -1;
  const rank = (card) => (suitOf(card) === "X" ? RANKS.length - 3.5 - card[1] / 10 : RANKS.indexOf(rankOf(card))) * sign;
  const suit = (card) => suits.indexOf(suitOf(card));
  const first = order === "ranks" ? rank : suit;
  const second = order === "ranks" ? suit : rank;
  return [...cards].sort((a, b) => first(a) - first(b) || second(a) - second(b));
}

function suitOrder(order, trump) {
  if (order !== "trump" || !trump) return [...ALTERNATE, "X"];
  const rest = ALTERNATE.filter((suit) => suit !== trump);
  const others = [rest.find((suit) => isRed(suit) !== isRed(trump)), ...rest.filter((suit) => isRed(suit) === isRed(trump))];
  return [trump, "X", ...others, ...rest.filter((suit) => !others.includes(suit))];
}

function isRed(suit) {
  return suit === "D" || suit === "H";
}

// Return a bid as people say it: a number, or "the moon".
/** @param {Page.View} view */
export function bidWords(view, bid) {
  return bid !== null && bid === view.rules.moon ? t("moon") : bid;
}

// Return all the points of a hand: a side can win both jokers.
export function totalOf(rules) {
  return rules.points.reduce((sum, { worth, award }) => sum + worth * (award === "jokers" ? 2 : 1), 0);
}

// Return a move in words: "play the king of hearts".
/** @param {Page.View} view */
export function moveText(move, view) {
  const values = { bid: bidWords(view, move.bid), suit: move.suit && t(`suit.${move.suit}`), card: move.card && cardWords(move.card), n: move.cards?.length };
  return t(`move.${move.type}`, values);
}

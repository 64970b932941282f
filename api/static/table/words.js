// Names of cards and seats in words, and the order in which a player holds their cards.

import { botName, botOf, personName } from "../base/bots.js";
import { RANKS, rankOf, suitOf } from "../base/cards.js";
import { knows, t } from "./texts.js";

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

// Return whether the person at this page sits in a seat, whoever looks at it in a replay.
/** @param {{ me: { id: string } | null, view: { seats: { player: string }[] } }} model */
export function isOwn({ me, view }, seat) {
  return me !== null && view.seats[seat].player === me.id;
}

// Return what to call a seat where its name stands alone: "You" for the own one, on every page.
/** @param {Page.Model} model */
export function shortName(model, seat) {
  return isOwn(model, seat) ? t("you.short") : seatName(model, seat);
}

export const ownOrName = shortName;

// Return a text about a seat, in the words for the own one if it is that.
/** @param {Page.Model} model */
export function seatText(model, key, seat, values = {}) {
  const own = isOwn(model, seat) && knows(`${key}.you`);
  return t(own ? `${key}.you` : key, { ...values, name: seatName(model, seat) });
}

// Return the name to show for a player's id.
/** @param {Pick<Page.Model, "names">} model */
export function playerName(model, player) {
  return botName(player) ?? personName(model.names[player] ?? player);
}

// Return the strategy of a bot, or "" for a person.
export function strategyOf(player) {
  return botOf(player)?.strategy ?? "";
}

// Return the names of seats, in order, as "you" for the own one.
/** @param {Page.Model} model */
export function seatNames(model, seats) {
  return seats.map((seat) => (isOwn(model, seat) ? t("you") : seatName(model, seat)));
}

// Return a setting of the menu of changes, such as "points:7", in words. `rules` tell the points of each version.
/** @param {Api.Rules | null} [rules] */
export function changeWords(change, rules = null) {
  const [what, to] = change.split(":");
  if (what !== "points") return t(`change.${what}.${to}`);
  const version = rules?.changes.versions.find(({ name }) => name === to);
  return version ? t("change.points.of", { total: totalOf(version), names: version.points.map(pointWords) }) : t("change.points");
}

// Return what differs between two settings of the rules, each in words.
/** @param {Api.Rules | null} [rules] */
export function settingChanges(before, after, rules = null) {
  const changed = ["points", "dirty", "reverse", "partners"].filter((what) => before[what] !== after[what]);
  return changed.map((what) => {
    const to = after[what];
    return changeWords(`${what}:${to === true ? "on" : to === false ? "off" : to}`, rules);
  });
}

// Return the name of a point in words; of one by house rules, its code with spaces.
export function pointName(code) {
  return knows(`point.${code}`) ? t(`point.${code}`) : code.replaceAll("_", " ");
}

// Return a point of a hand in words, with its worth unless that's one.
/** @param {Pick<Api.Point, "name" | "worth">} point */
export function pointWords({ name, worth }) {
  const words = pointName(name);
  return worth > 1 ? t("bid.worth", { name: words, worth }) : words;
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

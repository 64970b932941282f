/** House rules as somebody writes them: a game to begin with, and what is different. Every change makes a new draft. */

import { same, valueAt, withValue } from "./fields.js";

/** What no rulebook says: the program sets it. */
const SET_BY_PROGRAM = new Set(["variant", "rules_v", "quirks"]);

/**
 * Return a draft that begins with a game of the catalogue, or with a rulebook, which has no game.
 *
 * @param {{ name?: string, rules: any, by_players: any }} start
 */
export const draftOf = ({ name = "", rules, by_players: byPlayers }) => ({ from: name, start: rules, rules, byPlayers });

/** Return a draft with another value of a choice, and of those that follow from it. */
export function withChoice(draft, name, value) {
  const rules = FOLLOWS.reduce((all, follow) => follow(all, name), withValue(draft.rules, name, value));
  const own = name.split(".")[0];
  const byPlayers = Object.fromEntries(Object.entries(draft.byPlayers).map(([players, fields]) => [players, without(fields, own)]));
  return { ...draft, rules, byPlayers };
}

/** Return whether a choice differs from the start. */
export const isChanged = ({ start, rules }, name) => !same(valueAt(start, name), valueAt(rules, name));

/**
 * Return the body that posts a draft: what differs from a game of the catalogue.
 *
 * @param {ReturnType<typeof draftOf>} draft
 * @param {Api.OfferedVariant[]} catalogue
 * @param {{ name: string, text: string }} beside
 * @returns {any}
 */
export function bodyOf({ from, rules, byPlayers }, catalogue, { name, text }) {
  const game = catalogue.find((each) => each.name === from) ?? catalogue[0];
  const names = Object.keys(rules).filter((each) => !SET_BY_PROGRAM.has(each) && !same(rules[each], game.rules[each]));
  const special = Object.entries(byPlayers).filter(([players, fields]) => Object.keys(fields).length && rules.seats.includes(Number(players)));
  return { name, text, from: game.name, rules: Object.fromEntries(names.map((each) => [each, rules[each]])), by_players: Object.fromEntries(special) };
}

const without = (fields, name) => Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name));

/** What a choice takes with it, so that rules fit together. @type {((rules: any, name: string) => any)[]} */
const FOLLOWS = [
  (rules, name) => (name === "jokers" && rules.jokers && !rules.ranks.includes("X") ? { ...rules, ranks: withJoker(rules.ranks) } : rules),
  (rules, name) => (name === "jokers" && !rules.jokers ? withoutJokers(rules) : rules),
  (rules, name) => (name === "trump" && rules.trump === "fixed" && !rules.fixed_trump ? { ...rules, fixed_trump: "S" } : rules),
  (rules, name) => (name === "trump" && rules.trump !== "fixed" ? { ...rules, fixed_trump: null } : rules),
  (rules, name) => (name === "fill" && !["nothing", "pitcher_takes"].includes(rules.fill) && !rules.kept_cards ? { ...rules, kept_cards: 6 } : rules),
  (rules, name) => (name === "fill" && rules.fill.startsWith("kitty") && !rules.kitty ? { ...rules, kitty: 4 } : rules),
  (rules, name) => (name === "fill" && !rules.fill.startsWith("kitty") && rules.kitty ? { ...rules, kitty: 0 } : rules),
  (rules, name) => (name === "auction.of" && rules.auction.of === "listed" && !rules.auction.bids.length ? withValue(rules, "auction.bids", [2, 3, 4]) : rules),
  (rules, name) => (name === "points" ? { ...rules, off: rules.off.concat(offRanks(rules).filter((rank) => !rules.off.includes(rank))) } : rules),
  (rules, name) => (name === "ending" && !["hands", "hands_shared", "session"].includes(rules.ending) && !rules.goal ? { ...rules, goal: 21 } : rules),
];

const offRanks = ({ points }) => points.filter(({ award, off }) => award === "card" && off).map(({ rank }) => rank);

/** Jokers rank below the jack, as in ten-point Pitch. */
const withJoker = (ranks) => ranks.flatMap((rank) => (rank === "J" ? ["X", "J"] : [rank]));

const withoutJokers = (rules) => ({
  ...rules,
  ranks: rules.ranks.filter((rank) => rank !== "X"),
  misdeal: rules.misdeal.filter((rank) => rank !== "X"),
  removed: rules.removed.filter((card) => card[0] !== "X"),
  points: rules.points.filter(({ award }) => !award.endsWith("joker") && award !== "jokers"),
  joker_count: 0,
});

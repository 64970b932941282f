/** The choices of the rules in words: a label, a word for each value, and a sentence for the choice that was made. */

import { RANKS, rankOf, SUITS, suitOf } from "../base/cards.js";
import { define, either, has, list, t } from "../base/messages.js";
import "./choice-texts.js";
import { valueAt } from "./fields.js";
import "./sentence-texts.js";

const WHOLE = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));
const JOKERS = ["X1", "X2"];

/** Return what a choice is called. */
export const labelOf = (name) => (has(`rules.label.${name}`) ? t(`rules.label.${name}`) : name.replaceAll(/[._]/g, " "));

/** Return a value of a choice as one of a list. */
export function wordOf(name, value) {
  const key = `rules.word.${name}.${code(value)}`;
  if (has(key)) return t(key);
  return value === null ? t("rules.word.none") : value === true ? t("rules.word.yes") : value === false ? t("rules.word.no") : String(value).replaceAll("_", " ");
}

/** Return the sentence for a choice as these rules make it. */
export function sentenceOf(name, rules) {
  const value = valueAt(rules, name);
  const own = SENTENCES[name];
  if (own) return own(value, rules);
  const key = `rules.${name}.${code(value)}`;
  return has(key) ? t(key) : t("rules.other", { name: labelOf(name), value: wordOf(name, value) });
}

/** Return a card in words: "two of hearts". */
export const cardName = (card) => (has(`rules.card.${card}`) ? t(`rules.card.${card}`) : t("rules.card", { rank: rankName(rankOf(card)), suit: t(`rules.suit.${suitOf(card)}`) }));

/** Return a rank in words. */
export const rankName = (rank) => t(`rules.rank.${rank}`);

/**
 * Return numbers as texts, those that follow each other as one: ["1 to 10", "9 to 1"].
 *
 * @param {number[]} all
 */
export function ranges(all) {
  const found = [];
  for (const each of all) {
    const last = found.at(-1);
    const step = last ? each - last.at(-1) : 0;
    if (last && Math.abs(step) === 1 && (last.length === 1 || step === last[1] - last[0])) last.push(each);
    else found.push([each]);
  }
  return found.flatMap((run) => (run.length > 2 ? [t("rules.range", { from: run[0], to: run.at(-1) })] : run.map(String)));
}

/** Return the cards of the deck. */
export const deckOf = ({ jokers, removed }) => (jokers ? [...WHOLE, ...JOKERS] : WHOLE).filter((card) => !removed.includes(card));

/** Return all the points that a hand can bring. */
export const totalOf = ({ points }) => points.reduce((sum, { award, worth }) => sum + worth * (award === "jokers" ? 2 : 1), 0);

/** Return the sentence for a point of a hand. */
export function pointSentence(point, rules) {
  const { award, worth, rank, off } = point;
  const kind = award === "card" && off ? "off" : award === "lowest" && rules.jokers ? "lowest.jokers" : award;
  if (!has(`rules.point.${kind}`)) return t("rules.other", { name: wordOf("points[].award", award), value: worth });
  const card = rank ? rankName(rank) : "";
  return t(`rules.point.${kind}`, { count: worth, card: kind === "card" ? capital(card) : card });
}

/** Return the cards that are out, whole ranks as one: "every two, and joker 2". */
export function removedCards(cards) {
  const ranks = RANKS.filter((rank) => SUITS.every((suit) => cards.includes(rank + suit)));
  const rest = cards.filter((card) => !ranks.includes(rankOf(card)));
  return list([...ranks.map((rank) => t("rules.removed.rank", { rank: rankName(rank) })), ...rest.map(cardName)]);
}

const code = (value) => (value === true ? "on" : value === false ? "off" : String(value));

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const fewOrNone = (name) => (value) => (value === null ? t(`rules.${name}.none`) : t(`rules.${name}`, { count: value }));

/** The lowest bid: of a hand with fewer than ten points a part of it, unless the bids are listed. */
const leastBid = (rules) => (rules.auction.of === "points" && totalOf(rules) < 10 ? Math.ceil((rules.auction.least * totalOf(rules)) / 10) : rules.auction.least);

/** @type {Record<string, (value: any, rules: any) => string>} */
const SENTENCES = {
  seats: (value) => (value.length ? t("rules.seats", { players: either(ranges(value)) }) : t("rules.seats.none")),
  jokers: (_, rules) => t(`rules.jokers.${deckOf(rules).some((card) => card[0] === "X") ? "on" : "off"}`, { count: deckOf(rules).length }),
  removed: (value) => (value.length ? t("rules.removed", { cards: removedCards(value) }) : t("rules.removed.none")),
  hand_sizes: (value) => (value.length === 1 ? t("rules.hand_sizes", { count: value[0] }) : t("rules.hand_sizes.each", { sizes: list(ranges(value)) })),
  misdeal: (value) => (value.length ? t("rules.misdeal", { ranks: either(value.map(rankName)) }) : t("rules.misdeal.none")),
  sights: (value) => t(`rules.sights.${value.length > 1 && value[0] === "others" ? "first" : value.at(-1)}`),
  ranks: (value, { jokers }) => {
    const shown = value.filter((rank) => jokers || rank !== "X").toReversed().map((rank) => (rank === "X" ? rankName(rank) : rank)).join(" ");
    return t(jokers ? "rules.ranks" : "rules.ranks.plain", { ranks: shown });
  },
  "auction.bids": (value) => t("rules.auction.bids", { bids: value.length ? either(ranges(value)) : "–" }),
  "auction.of": (value, rules) => t(`rules.auction.of.${value}`, { total: totalOf(rules) }),
  "auction.least": (_, rules) => t("rules.auction.least", { least: leastBid(rules) }),
  fixed_trump: (value) => t("rules.fixed_trump", { suit: value ? t(`rules.suit.${value}`) : "–" }),
  kitty: (value) => t("rules.kitty", { count: value }),
  kept_cards: (value) => (value ? t("rules.kept_cards", { count: value }) : t("rules.kept_cards.none")),
  most_thrown: fewOrNone("most_thrown"),
  opening_lead: (value, { follow }) => t(`rules.opening_lead.${follow === "trumps_only" ? "trumps_only" : value}`),
  points: (value, rules) => (value.length ? t("rules.points", { count: totalOf(rules) }) : t("rules.points.none")),
  off: (value) => (value.length ? t(value.length === 1 ? "rules.off" : "rules.off.many", { cards: list(value.map(rankName)) }) : t("rules.off.none")),
  joker_count: (value) => t("rules.joker_count", { count: value }),
  dirty: (value, { keeps }) => t(value ? "rules.dirty.on" : keeps ? "rules.dirty.keeps.off" : "rules.dirty.off"),
  ending: (value, { goal, hand_sizes: sizes }) => t(`rules.ending.${value}`, { goal: goal ?? "–", count: sizes.length }),
  goal: fewOrNone("goal"),
  changes: (value) => t(`rules.changes.${value.menu.length ? "some" : "none"}`),
  delay: (value) => (value ? t("rules.delay.some", { seconds: value.after_ms / 1000, count: value.costs }) : t("rules.delay.none")),
  tally: (value, { partners }) => t(`rules.tally.${value}${value === "points" && partners === "alone" ? ".alone" : ""}`),
  partners: (value, { seats }) => t(`rules.partners.${value}${value === "pairs" && seats.some((each) => each % 2) ? ".odd" : ""}`),
  version: (value) => (value ? t("rules.version", { name: value }) : t("rules.version.none")),
};

define({
  "rules.word.no": "no",
  "rules.word.none": "none",
  "rules.word.yes": "yes",
});

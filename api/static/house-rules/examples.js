/** Cards that show what a choice of the rules means, with hearts as trump unless the rules fix another suit. */

import { RANKS, SAME_COLOR } from "../base/cards.js";
import { define } from "../base/messages.js";
import { deckOf } from "./sentences.js";

const HAND_OF_NINE = ["A", "J", "10", "9", "8", "7", "4"];

/**
 * Return the parts of an example: each a key of a text and cards, of which those in `lit` are meant. None without an example.
 *
 * @param {string} name
 * @param {any} rules
 * @returns {{ says: string, cards: string[], lit?: string[] }[]}
 */
export const exampleOf = (name, rules) => EXAMPLES[name]?.(rules, rules.fixed_trump ?? "H") ?? [];

/** Return the trumps from the highest, as these rules rank them. */
export function trumpsOf(rules, trump) {
  const ranks = rules.reverse ? rules.ranks : rules.ranks.toReversed();
  const deck = deckOf(rules);
  return ranks
    .flatMap((rank) => (rank === "X" ? ["X1", "X2"] : [rank + trump, rules.off.includes(rank) ? rank + SAME_COLOR[trump] : null]))
    .filter((card) => deck.includes(card));
}

/** Return the cards that score by themselves. */
function scoringCards({ points }, trump) {
  const cards = points.flatMap(({ award, rank, off }) =>
    award === "card" ? [rank + (off ? SAME_COLOR[trump] : trump)] : award === "jokers" ? ["X1", "X2"] : award === "first_joker" ? ["X1"] : []);
  return [...new Set(cards)];
}

/** Two suits that are neither trump nor hold an off card. */
const plainSuits = (trump) => (trump === "H" || trump === "D" ? ["S", "C"] : ["H", "D"]);

/** @type {Record<string, (rules: any, trump: string) => { says: string, cards: string[], lit?: string[] }[]>} */
const EXAMPLES = {
  ranks: (rules, trump) => [{ says: "rules.example.trumps", cards: trumpsOf(rules, trump) }],
  off: (rules, trump) => rules.off.map((rank) => ({ says: "rules.example.off", cards: [rank + trump, rank + SAME_COLOR[trump]], lit: [rank + SAME_COLOR[trump]] })),
  points: (rules, trump) => {
    const cards = scoringCards(rules, trump);
    return cards.length ? [{ says: "rules.example.score", cards }] : [];
  },
  "auction.moon": (rules, trump) => {
    const cards = scoringCards(rules, trump);
    return rules.auction.moon === "none" || cards.length < 2 ? [] : [{ says: "rules.example.moon", cards }];
  },
  follow: ({ follow }, trump) => {
    const [led, other] = plainSuits(trump);
    const hand = [`K${led}`, `4${led}`, `9${trump}`, `2${trump}`, `J${other}`];
    if (follow === "trumps_only") return [{ says: "rules.example.led", cards: [`A${trump}`] }, { says: "rules.example.play", cards: hand, lit: hand.slice(2, 4) }];
    return [{ says: "rules.example.led", cards: [`9${led}`] }, { says: "rules.example.play", cards: hand, lit: hand.slice(0, follow === "suit" ? 2 : 4) }];
  },
  opening_lead: ({ opening_lead: lead, follow }, trump) => {
    const [one, other] = plainSuits(trump);
    const held = [`A${one}`, `K${one}`, `9${trump}`, `2${trump}`, `J${other}`];
    const none = [`A${one}`, `K${one}`, `7${one}`, `J${other}`, `3${other}`];
    const only = follow === "trumps_only";
    return [
      { says: "rules.example.lead", cards: held, lit: lead === "any" && !only ? held : held.slice(2, 4) },
      { says: only || lead === "trump" ? "rules.example.no-lead" : "rules.example.lead-without", cards: none, lit: only || lead === "trump" ? [] : none },
    ];
  },
  throw: (rules, trump) => {
    const plain = plainSuits(trump);
    const trumps = HAND_OF_NINE.map((rank) => rank + trump);
    const hand = [...trumps, `K${plain[0]}`, `2${plain[1]}`];
    const keeps = rules.kept_cards || 6;
    const scoring = scoringCards(rules, trump);
    if (rules.throw === "points_stay") return [{ says: "rules.example.stay", cards: hand, lit: hand.filter((card) => scoring.includes(card)).slice(0, keeps) }];
    const order = [...trumps.filter((card) => scoring.includes(card)), ...trumps.filter((card) => !scoring.includes(card))];
    const kept = order.slice(0, keeps);
    return [{ says: "rules.example.kept", cards: hand.filter((card) => kept.includes(card)) }, { says: "rules.example.thrown", cards: hand.filter((card) => !kept.includes(card)) }];
  },
  joker_order: ({ joker_order: order, reverse }) => {
    const first = order === "first_high" || (order === "first_low" && !reverse);
    return [{ says: "rules.example.jokers", cards: ["X2", "X1"], lit: [first ? "X2" : "X1"] }];
  },
  keeps: (rules, trump) => {
    const [two] = (rules.reverse ? rules.ranks.toReversed() : rules.ranks).filter((rank) => rank !== "X");
    const trick = ["A", "10", "3"].filter((rank) => rank !== two).map((rank) => rank + trump);
    return rules.keeps && !rules.dirty ? [{ says: "rules.example.taken", cards: trick }, { says: "rules.example.stays", cards: [two + trump] }] : [];
  },
  dirty: (rules, trump) => {
    if (rules.keeps || !rules.points.some(({ award }) => award === "lowest")) return [];
    const low = [...(rules.jokers && rules.ranks[0] === "X" ? ["X1"] : []), `3${trump}`, `8${trump}`, `K${trump}`];
    return [{ says: low[0] === "X1" ? "rules.example.low-joker" : "rules.example.low", cards: low, lit: [`3${trump}`] }];
  },
  misdeal: ({ misdeal, jokers }) => {
    const without = RANKS.filter((rank) => !misdeal.includes(rank)).slice(0, 9).map((rank, at) => rank + "SHDC"[at % 4]);
    return misdeal.length && misdeal.length < RANKS.length + Number(jokers) && without.length ? [{ says: "rules.example.misdeal", cards: without }] : [];
  },
};

define({
  "rules.example.jokers": "Joker 2 is played before joker 1. Higher:",
  "rules.example.kept": "Kept",
  "rules.example.lead": "The pitcher can lead",
  "rules.example.lead-without": "Without a trump",
  "rules.example.led": "Led",
  "rules.example.low": "Played as trumps. Low:",
  "rules.example.low-joker": "Played as trumps. A joker is never low:",
  "rules.example.misdeal": "Dealt again",
  "rules.example.moon": "All of these, and every other point",
  "rules.example.no-lead": "Without a trump, the next player leads",
  "rules.example.off": "A trump, too",
  "rules.example.play": "You can play",
  "rules.example.score": "Cards that score",
  "rules.example.stay": "You must keep",
  "rules.example.stays": "Stays with its player",
  "rules.example.taken": "To the taker",
  "rules.example.thrown": "Thrown away",
  "rules.example.trumps": "The trumps, from the highest",
});

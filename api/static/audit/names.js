// Names in place of the numbers of seats, and words in place of codes.

import { t, list } from "../base/messages.js";
import { nameOf } from "../pages/words.js";
import "./texts.js";

// Return the name of each seat at the end of the record. If a name alone could be somebody else's, it says the seat too.
export function seatNames({ players, lent, header }) {
  const names = players.map((player) => nameOf(player, header.players ?? {}));
  const isUnclear = (name, seat) => lent.has(seat) || names.indexOf(name) !== names.lastIndexOf(name);
  return names.map((name, seat) => (isUnclear(name, seat) ? t("audit.seat-of", { name, seat }) : name));
}

// Return the name of one seat, or its number if nobody is known to sit there.
export const seatName = (who, seat) => who[seat] ?? t("audit.seat", { seat: String(seat) });

// Return a card as players write it: "10♥".
export function cardText(card) {
  if (/^X[12]$/.test(card)) return t("audit.joker", { number: card[1] });
  return /^(10|[2-9JQKA])[CDHS]$/.test(card) ? card.slice(0, -1) + SUITS[card.at(-1)] : String(card);
}

const SUITS = { C: "♣\ufe0e", D: "♦\ufe0e", H: "♥\ufe0e", S: "♠\ufe0e" };
const PLAYS = /\b(\d{1,2}) (?=(?:10|[2-9JQKA])[CDHS]\b|X[12]\b)/g;
const SEATS = /\b[Ss]eats? (?:\[([\d, ]+)\]|(\d{1,2}(?:(?:, | and )\d{1,2})*)\b)/g;
const CARD = /\b(?:(?:10|[2-9JQKA])[CDHS]|X[12])\b/g;
const CEREMONY = /\bceremony (\d+)\b/g;

const BY_SEAT = /(scores are|changes make|it counts|seats took) \[(-?\d+(?:, -?\d+)*)\]/g;

// Return a finding's sentence with names, cards and deals in the words of the table.
export function plain(says, who, { deals }) {
  const deal = (text, n) =>
    dealWords(
      deals.find((each) => each.n === Number(n)),
      text,
    );
  return says
    .replace(CEREMONY, deal)
    .replace(SEATS, (_, listed, single) =>
      list((listed ?? single).match(/\d+/g).map((seat) => seatName(who, Number(seat)))),
    )
    .replace(
      BY_SEAT,
      (_, what, numbers) =>
        `${what} ${list(numbers.split(", ").map((number, seat) => `${seatName(who, seat)} ${number}`))}`,
    )
    .replace(PLAYS, (_, seat) => `${seatName(who, Number(seat))} `)
    .replace(CARD, cardText);
}

// Return what a ceremony is for, in words: "the deal of hand 3".
export function dealWords(deal, otherwise = "") {
  const [, hand, redeal] = /^deal hand (\d+)(?: redeal (\d+))?$/.exec(deal?.opened?.subject ?? "") ?? [];
  if (hand) return t(redeal ? "audit.redeal" : "audit.deal", { hand, redeal });
  return { game: t("audit.draw.game"), coin: t("audit.draw.coin") }[deal?.opened?.subject] ?? otherwise;
}

// Return an event in words: "Ann plays 10♥".
export function eventWords(event, who) {
  const { fact, data } = event;
  const name = Number.isInteger(data.seat) ? seatName(who, data.seat) : "";
  const values = {
    name,
    hand: data.hand ?? "",
    bid: data.bid ?? "",
    trick: data.trick ?? "",
    card: data.card ? cardText(data.card) : "",
  };
  return Object.hasOwn(EVENTS, fact)
    ? t(EVENTS[fact], values)
    : t("audit.event.other", { fact: fact.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase() });
}

const EVENTS = {
  GameOpened: "audit.event.opened",
  CeremonyOpened: "audit.event.promise",
  SeedKept: "audit.event.seed",
  CutOpened: "audit.event.cut",
  BeaconRecorded: "audit.event.beacon",
  HandDealt: "audit.event.dealt",
  CardsDealt: "audit.event.cards",
  StockLaid: "audit.event.stock",
  BidMade: "audit.event.bid",
  BidPassed: "audit.event.pass",
  CardPlayed: "audit.event.card",
  TrickTaken: "audit.event.trick",
  HandScored: "audit.event.scored",
  CeremonyRevealed: "audit.event.revealed",
  GameEnded: "audit.event.ended",
};

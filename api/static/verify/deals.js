// Deals: the deck that a seed makes, the cards of each seat, and the cuts and seals of the deal
// (docs/verify-a-hand.md).

import { hex, unhex } from "./cardlog.js";
import * as fairdeal from "./fairdeal.js";

const SUITS = "CDHS";
const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];

// Return {fits, key or null} of a ceremony with this seed. `opened` has n, subject and commit; `cuts` are [source,
// hex].
export async function secretOf(game, opened, seedHex, cuts) {
  try {
    const { n, subject, commit } = opened;
    const seed = unhex(seedHex);
    const fits = hex(await fairdeal.commit(game, n, subject, seed)) === commit;
    const mixed = cuts.map(([source, cut]) => [source, unhex(cut)]);
    return { fits, key: fits ? await fairdeal.key(game, n, subject, seed, mixed) : null };
  } catch {
    return { fits: false, key: null };
  }
}

// Return {deck, cards: one list per seat, stock} as the ceremony's key deals them.
export async function dealFrom(key, canonical, eldest, counts) {
  const order = await fairdeal.shuffle(key, "deck", canonical.length);
  const deck = order.map((place) => canonical[place]);
  return { deck, ...handOut(deck, eldest, counts) };
}

// Return the deck of rules in its order: clubs, diamonds, hearts, spades, then jokers, without the removed cards.
export function deckOf({ jokers, removed }) {
  const suits = [...SUITS].flatMap((suit) => RANKS.map((rank) => rank + suit));
  return [...suits, ...(jokers ? ["X1", "X2"] : [])].filter((card) => !removed.includes(card));
}

// Deal one card at a time from the eldest hand until every hand is full; the rest is the stock.
export function handOut(deck, eldest, counts) {
  const cards = counts.map(() => []);
  const total = Math.min(
    deck.length,
    counts.reduce((sum, count) => sum + count, 0),
  );
  let used = 0;
  for (let seat = eldest; used < total; seat = (seat + 1) % counts.length) {
    if (cards[seat].length < counts[seat]) cards[seat].push(deck[used++]);
  }
  return { cards, stock: deck.slice(used) };
}

// Check a single deal: {ok, findings: [sentences], deck or null}. `deal` has game, n, subject, commit, seals (or null),
// seed, cuts, canonical (the deck of GameOpened), eldest, counts, and the dealt cards that are known: cards
// {seat: [...]}, stock, upcard.
export async function checkDeal(deal) {
  const findings = [];
  const { fits, key } = await secretOf(deal.game, deal, deal.seed, deal.cuts);
  if (!fits)
    return { ok: false, findings: [`the seed doesn't match the commitment of ceremony ${deal.n}`], deck: null };
  for (const [seat, cut] of deal.cuts) {
    if (deal.seals?.[seat] && !(await fitsSeal(deal.game, seat, cut, deal.seals[seat])))
      findings.push(`the cut of seat ${seat} doesn't match its seal`);
  }
  const expected = await dealFrom(key, deal.canonical, deal.eldest, deal.counts);
  for (const [seat, cards] of Object.entries(deal.cards ?? {})) {
    if (!same(cards, expected.cards[seat])) findings.push(otherCards(seat, deal.n));
  }
  if (deal.stock && !same(deal.stock, expected.stock)) findings.push(otherStock(deal.n));
  if (deal.upcard && deal.upcard !== expected.stock[0]) findings.push(otherUpcard(deal.upcard));
  return { ok: !findings.length, findings, deck: expected.deck };
}

export function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function fitsSeal(game, seat, cut, seal) {
  try {
    return hex(await fairdeal.seal(game, seat, unhex(cut))) === seal;
  } catch {
    return false;
  }
}

const otherCards = (seat, n) => `seat ${seat} gets other cards than the seed of ceremony ${n} deals`;
const otherStock = (n) => `the stock isn't the one that the seed of ceremony ${n} leaves`;
const otherUpcard = (card) => `${card} is turned up, but it isn't the first card of the stock`;

// Return the grade: F0 without a player's cut, F1 with one, F2 if every person still in the game has cut and sealed
// before, F3 with a beacon too. A cut counts for F1 even if its seat has left since.
export function grade(seals, cuts, persons) {
  const sources = new Set(cuts.map(([source]) => source));
  if (![...sources].some(isSeat)) return "F0";
  if (!persons.every((seat) => sources.has(seat) && seat in seals)) return "F1";
  return [...sources].every(isSeat) ? "F2" : "F3";
}

const isSeat = (source) => /^[0-9]+$/.test(source);

export const DEALS = {
  async CutOpened(table, { n, seat, cut, next_seal: next }) {
    const ceremony = table.ceremonies.get(n);
    if (!ceremony || ceremony.dealt || ceremony.closed)
      return table.says(`it cuts ceremony ${n}, which isn't waiting for a cut`);
    if (seat in ceremony.cuts) table.says(`seat ${seat} cuts ceremony ${n} twice`);
    if (!isHash(cut) || (next !== null && !isHash(next))) table.says("a cut or a seal isn't 32 bytes in hex");
    const seal = ceremony.opened.seals[seat];
    if (seal && !(await fitsSeal(table.game, String(seat), cut, seal)))
      table.says(`the cut of seat ${seat} doesn't match its seal`);
    ceremony.cuts[seat] = cut;
    table.promised.set(String(seat), next);
  },

  async HandDealt(table, fact) {
    const ceremony = table.ceremonies.get(fact.n);
    const open = ceremony && !ceremony.dealt && !ceremony.closed && ceremony.opened.subject.startsWith("deal ");
    if (!open) table.says(`it deals from ceremony ${fact.n}, which isn't open for a deal`);
    checkDealer(table, fact);
    checkCounts(table, fact);
    if (ceremony) checkBasis(table, fact, ceremony);
    if (ceremony) Object.assign(ceremony, { dealt: fact, version: table.version, ended: "in play" });
    const expected =
      ceremony?.secret?.key && (await dealFrom(ceremony.secret.key, table.opening.deck, fact.eldest, fact.counts));
    table.begin(fact, expected || null);
  },

  CardsDealt(table, { n, seat, cards }) {
    const { deal } = table;
    checkCeremony(table, n);
    const next = (deal.eldest + table.version - deal.version - 1) % table.seats;
    if (seat !== next) table.says(`it deals to seat ${seat}, but seat ${next} is next`);
    if (cards.length !== deal.full[seat])
      table.says(`seat ${seat} gets ${cards.length} cards, but the deal says ${deal.full[seat]}`);
    const out = [...Object.values(deal.held).flat(), ...cards];
    if (new Set(out).size !== out.length) table.says(`seat ${seat} gets a card that was already dealt`);
    checkInDeck(table, cards);
    if (deal.expected && !same(cards, deal.expected.cards[seat])) table.wrong(n, otherCards(seat, n));
    table.changeDeal({ held: { ...deal.held, [seat]: cards }, shown: deal.shown + 1 });
  },

  StockLaid(table, { n, cards }) {
    const { deal } = table;
    checkCeremony(table, n);
    if (cards.length !== deal.stockLeft)
      table.says(`the stock is ${cards.length} cards, but the deal says ${deal.stockLeft}`);
    const all = [...Object.values(deal.held).flat(), ...cards];
    if (new Set(all).size !== all.length) table.says("the stock holds a card twice, or one that was dealt");
    checkInDeck(table, cards);
    if (deal.expected && !same(cards, deal.expected.stock)) table.wrong(n, otherStock(n));
    table.changeDeal({ stock: cards, laid: true });
  },

  TrumpTurnedUp(table, { hand, card, suit }) {
    const stock = table.deal.expected?.stock ?? table.deal.stock;
    if (table.opening.rules.trump !== "turned_up") table.says("a card is turned up, but that doesn't make trump here");
    if (hand !== table.deal.hand) table.says(`it turns up trump for hand ${hand} in hand ${table.deal.hand}`);
    if (stock && card !== stock[0]) table.wrong(table.deal.n, otherUpcard(card));
    if (!SUITS.includes(suit) || !card.endsWith(suit)) table.says(`${card} makes ${suit} trump`);
  },

  MisdealDeclared(table, { hand, redeal, seats }) {
    const { deal } = table;
    if (hand !== deal.hand || redeal !== deal.redeal)
      table.says(`it declares a misdeal of hand ${hand} redeal ${redeal} in hand ${deal.hand} redeal ${deal.redeal}`);
    const short = withoutHonors(table);
    if (short && !same(short, seats))
      table.says(`it is a misdeal for seats ${list(seats)}, but seats ${list(short)} have no honor`);
    table.endDeal("misdealt", { hand: deal.hand, redeal: deal.redeal + 1, dealer: deal.dealer });
  },
};

// Return the seats that have none of the ranks that each hand must have; null if their cards aren't known.
export function withoutHonors({ deal, opening, seats }) {
  const honors = opening.rules.misdeal;
  const cards = deal.expected?.cards ?? (deal.shown === seats ? deal.held : null);
  const lacks = (seat) => honors.length > 0 && !cards[seat].some((card) => honors.includes(rank(card)));
  return cards && Object.keys(cards).map(Number).filter(lacks);
}

const rank = (card) => (card.startsWith("X") ? "X" : card.slice(0, -1));
export const list = (seats) => `[${seats.join(", ")}]`;
export const isHash = (text) => typeof text === "string" && /^[0-9a-f]{64}$/.test(text);

function checkInDeck(table, cards) {
  const strange = cards.find((card) => !table.opening.deck.includes(card));
  if (strange !== undefined) table.says(`${strange} isn't a card of the deck`);
}

function checkCeremony(table, n) {
  if (n !== table.deal.n) table.says(`it deals from ceremony ${n} in a hand dealt from ceremony ${table.deal.n}`);
}

function checkDealer(table, { hand, redeal, dealer, eldest }) {
  const due = table.due;
  if (!due) return table.says("it deals while a hand is in play");
  if (hand !== due.hand || redeal !== due.redeal)
    table.says(`it deals hand ${hand} redeal ${redeal}, but hand ${due.hand} redeal ${due.redeal} is due`);
  if (dealer !== due.dealer) table.says(`seat ${dealer} deals, but seat ${due.dealer} should`);
  if (eldest !== (dealer + 1) % table.seats)
    table.says(`the eldest hand is seat ${eldest}, but seat ${dealer} deals`);
}

function checkCounts(table, { hand, counts, stock }) {
  const out = counts.reduce((sum, count) => sum + count, 0);
  const deck = table.opening.deck.length;
  const { hand_sizes: sizes } = table.opening.rules;
  const size = sizes[Math.min(hand, sizes.length) - 1];
  if (counts.length !== table.seats || new Set(counts).size !== 1)
    table.says(`it deals ${list(counts)} cards, which isn't the same number to each seat`);
  else if (size !== undefined && counts[0] !== size)
    table.says(`it deals ${counts[0]} cards to each seat, but the rules deal ${size}`);
  if (stock !== deck - out) table.says(`its stock is ${stock} cards, but ${deck - out} of ${deck} are left`);
}

function checkBasis(table, fact, { cuts, beacon, opened }) {
  const used = Object.entries(cuts).filter(([seat]) => !table.struck.has(seat)); // in ascending order of seats
  const players = fact.cuts.filter(([source]) => isSeat(source));
  const beacons = fact.cuts.slice(players.length);
  const recorded = beacon ? [[beacon.source, beacon.cut]] : [];
  if (!same(beacons, recorded)) table.wrong(fact.n, "its beacon isn't the one that was recorded");
  if (!same(fact.cuts, [...players, ...beacons]) || !same(players, used))
    table.wrong(fact.n, "its cuts aren't the opened cuts in seat order");
  const persons = table.persons();
  const due = grade(opened.seals, fact.cuts, persons);
  if (fact.grade !== due) table.says(`its grade is ${fact.grade}, but its cuts and seals make ${due}`);
  const missing = Object.keys(opened.seals)
    .filter((seat) => persons.includes(seat) && !(seat in cuts))
    .map(Number);
  if (!same(fact.missing, missing))
    table.says(`it names ${list(fact.missing)} as seats without a cut, but these are ${list(missing)}`);
  for (const seat of missing) table.struck.add(String(seat));
}

// Deals: the deck a seed makes, whose cards they are, and on what the deal rests (docs/verify-a-hand.md).

import { hex, unhex } from "./cardlog.js";
import * as fairdeal from "./fairdeal.js";

const SUITS = "CDHS";

// What a seed makes of a ceremony: {fits, key or null}. `opened` has n, subject and commit; `cuts` are [source, hex].
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

// {deck, cards: one list per seat, stock} as the ceremony's key deals them.
export async function dealt(key, canonical, eldest, counts) {
  const order = await fairdeal.shuffle(key, "deck", canonical.length);
  const deck = order.map((place) => canonical[place]);
  return { deck, ...handOut(deck, eldest, counts) };
}

// One card at a time from the eldest hand, until every hand is full; the rest is the stock.
export function handOut(deck, eldest, counts) {
  const cards = counts.map(() => []);
  const many = Math.min(
    deck.length,
    counts.reduce((sum, count) => sum + count, 0),
  );
  let used = 0;
  for (let seat = eldest; used < many; seat = (seat + 1) % counts.length) {
    if (cards[seat].length < counts[seat]) cards[seat].push(deck[used++]);
  }
  return { cards, stock: deck.slice(used) };
}

// One deal by itself: {ok, findings: [sentences], deck or null}. `deal` has game, n, subject, commit, seals (or null),
// seed, cuts, canonical (the deck of GameOpened), eldest, counts, and what was dealt as far as it is known: cards
// {seat: [...]}, stock, upcard.
export async function checkDeal(deal) {
  const findings = [];
  const { fits, key } = await secretOf(deal.game, deal, deal.seed, deal.cuts);
  if (!fits)
    return { ok: false, findings: [`the seed does not match the commitment of ceremony ${deal.n}`], deck: null };
  for (const [seat, cut] of deal.cuts) {
    if (deal.seals?.[seat] && !(await fitsSeal(deal.game, seat, cut, deal.seals[seat])))
      findings.push(`the cut of seat ${seat} does not match its seal`);
  }
  const made = await dealt(key, deal.canonical, deal.eldest, deal.counts);
  for (const [seat, cards] of Object.entries(deal.cards ?? {})) {
    if (!same(cards, made.cards[seat])) findings.push(otherCards(seat, deal.n));
  }
  if (deal.stock && !same(deal.stock, made.stock)) findings.push(otherStock(deal.n));
  if (deal.upcard && deal.upcard !== made.stock[0]) findings.push(otherUpcard(deal.upcard));
  return { ok: !findings.length, findings, deck: made.deck };
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
const otherStock = (n) => `the stock is not the one the seed of ceremony ${n} leaves`;
const otherUpcard = (card) => `${card} is turned up, which is not the first card of the stock`;

// F0 without a player's cut, F1 with one, F2 where every person still in has cut and sealed before, F3 with a beacon too.
// A cut counts for F1 also when its seat has left since.
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
      return table.says(`it cuts ceremony ${n}, which waits for no cut`);
    if (seat in ceremony.cuts) table.says(`seat ${seat} cuts ceremony ${n} twice`);
    if (!isHash(cut) || (next !== null && !isHash(next))) table.says("a cut or a seal is not 32 bytes in hex");
    const seal = ceremony.opened.seals[seat];
    if (seal && !(await fitsSeal(table.game, String(seat), cut, seal)))
      table.says(`the cut of seat ${seat} does not match its seal`);
    ceremony.cuts[seat] = cut;
    table.promised.set(String(seat), next);
  },

  async HandDealt(table, fact) {
    const ceremony = table.ceremonies.get(fact.n);
    const open = ceremony && !ceremony.dealt && !ceremony.closed && ceremony.opened.subject.startsWith("deal ");
    if (!open) table.says(`it deals from ceremony ${fact.n}, which is not open for a deal`);
    whose(table, fact);
    howMany(table, fact);
    if (ceremony) basis(table, fact, ceremony);
    if (ceremony) Object.assign(ceremony, { dealt: fact, version: table.version, ended: "in play" });
    const made =
      ceremony?.secret?.key && (await dealt(ceremony.secret.key, table.opening.deck, fact.eldest, fact.counts));
    table.begin(fact, made || null);
  },

  CardsDealt(table, { n, seat, cards }) {
    const { deal } = table;
    fromThisDeal(table, n);
    const next = (deal.eldest + table.version - deal.version - 1) % table.seats;
    if (seat !== next) table.says(`it deals to seat ${seat} where seat ${next} comes next`);
    if (cards.length !== deal.full[seat])
      table.says(`seat ${seat} gets ${cards.length} cards where ${deal.full[seat]} were told`);
    const out = [...Object.values(deal.held).flat(), ...cards];
    if (new Set(out).size !== out.length) table.says(`seat ${seat} gets a card that has been dealt already`);
    if (deal.made && !same(cards, deal.made.cards[seat])) table.wrong(n, otherCards(seat, n));
    table.deals({ held: { ...deal.held, [seat]: cards }, shown: deal.shown + 1 });
  },

  StockLaid(table, { n, cards }) {
    const { deal } = table;
    fromThisDeal(table, n);
    if (cards.length !== deal.stockLeft)
      table.says(`the stock is ${cards.length} cards where ${deal.stockLeft} were told`);
    if (deal.made && !same(cards, deal.made.stock)) table.wrong(n, otherStock(n));
    table.deals({ stock: cards, laid: true });
  },

  TrumpTurnedUp(table, { hand, card, suit }) {
    const stock = table.deal.made?.stock ?? table.deal.stock;
    if (hand !== table.deal.hand) table.says(`it turns up trump for hand ${hand} in hand ${table.deal.hand}`);
    if (stock && card !== stock[0]) table.wrong(table.deal.n, otherUpcard(card));
    if (!SUITS.includes(suit) || !card.endsWith(suit)) table.says(`${card} makes ${suit} trump`);
  },

  MisdealDeclared(table, { hand, redeal, seats }) {
    const { deal } = table;
    if (hand !== deal.hand || redeal !== deal.redeal)
      table.says(`hand ${hand} redeal ${redeal} is a misdeal in hand ${deal.hand} redeal ${deal.redeal}`);
    const short = withoutHonours(table);
    if (short && !same(short, seats))
      table.says(`it is a misdeal for seats ${list(seats)} where seats ${list(short)} have no honour`);
    table.over("misdealt", { hand: deal.hand, redeal: deal.redeal + 1, dealer: deal.dealer });
  },
};

// The seats that were dealt none of the ranks each must have; null where their cards are not known.
export function withoutHonours({ deal, opening, seats }) {
  const honours = opening.rules.misdeal;
  const cards = deal.made?.cards ?? (deal.shown === seats ? deal.held : null);
  const lacks = (seat) => honours.length > 0 && !cards[seat].some((card) => honours.includes(rank(card)));
  return cards && Object.keys(cards).map(Number).filter(lacks);
}

const rank = (card) => (card.startsWith("X") ? "X" : card.slice(0, -1));
export const list = (seats) => `[${seats.join(", ")}]`;
export const isHash = (text) => typeof text === "string" && /^[0-9a-f]{64}$/.test(text);

function fromThisDeal(table, n) {
  if (n !== table.deal.n) table.says(`it deals from ceremony ${n} in a hand dealt from ${table.deal.n}`);
}

function whose(table, { hand, redeal, dealer, eldest }) {
  const due = table.due;
  if (!due) return table.says("it deals while a hand is in play");
  if (hand !== due.hand || redeal !== due.redeal)
    table.says(`it deals hand ${hand} redeal ${redeal} where hand ${due.hand} redeal ${due.redeal} is due`);
  if (dealer !== due.dealer) table.says(`seat ${dealer} deals where seat ${due.dealer} should`);
  if (eldest !== (dealer + 1) % table.seats)
    table.says(`the eldest hand is seat ${eldest} where seat ${dealer} deals`);
}

function howMany(table, { counts, stock }) {
  const out = counts.reduce((sum, count) => sum + count, 0);
  const deck = table.opening.deck.length;
  if (counts.length !== table.seats || new Set(counts).size !== 1)
    table.says(`it deals ${list(counts)} cards, which is not as many to each seat`);
  if (stock !== deck - out) table.says(`its stock is ${stock} cards where ${deck - out} of ${deck} are left`);
}

function basis(table, fact, { cuts, opened }) {
  const used = Object.entries(cuts).filter(([seat]) => !table.struck.has(seat)); // a list of seats comes out ascending
  const players = fact.cuts.filter(([source]) => isSeat(source));
  const beacons = fact.cuts.slice(players.length);
  if (!same(fact.cuts, [...players, ...beacons]) || !same(players, used))
    table.wrong(fact.n, "its cuts are not those that were opened, in seat order");
  const persons = table.persons();
  const due = grade(opened.seals, fact.cuts, persons);
  if (fact.grade !== due) table.says(`its grade is ${fact.grade} where cuts and seals make ${due}`);
  const missing = Object.keys(opened.seals)
    .filter((seat) => persons.includes(seat) && !(seat in cuts))
    .map(Number);
  if (!same(fact.missing, missing))
    table.says(`it names ${list(fact.missing)} as missing their cuts where ${list(missing)} are`);
  for (const seat of missing) table.struck.add(String(seat));
}

// The view after one more fact, for showing facts one after another. A fact says what follows from it, so it's copied here
// and nothing is judged: what a seat may do, and until when, only the server's view says (docs/decisions/0033-the-table-draws-what-the-view-offers.md).

import { RANKS, rankOf, suitOf } from "../base/cards.js";
import { totalOf } from "../table/words.js";

const DISCARDS = ["discard", "dealer", "kitty_and_draw"];
const SUITS = ["C", "D", "H", "S", "X"];
const PLACE = (card) => SUITS.indexOf(suitOf(card)) * 20 + (suitOf(card) === "X" ? Number(card[1]) : RANKS.indexOf(rankOf(card)));

/**
 * Return the view after an event, or null if only the server can say what follows. `rules` are those in force before it,
 * `sides` those of the opening.
 *
 * @param {Page.View} view
 * @param {Api.EventEnvelope | null} event null if this viewer may not see it
 * @param {{ rules: Api.Rules, sides: number[][] }} known
 * @returns {Page.View | null}
 */
export function evolve(view, event, known) {
  const next = { ...view, version: view.version + 1 };
  if (!event) return next;
  if (!(event.fact in AFTER)) return null;
  const changed = AFTER[event.fact](next, event.data, known, event);
  if (!changed) return null;
  const you = changed.you ?? view.you;
  const own = you && changed.turn ? { you: { ...you, legal: [], choose: null } } : {};
  return settled({ ...next, seen: seen(view), ...changed, ...own }, event.fact === "RulesChanged" ? event.data.rules : known.rules);
}

// What the view doesn't show of a hand, as far as it follows from what it does: whether the cards are thrown away already,
// whether a card to call is asked for in the middle of the hand, and whether the hand is over.
/** @param {any} view */
function seen({ seen: kept, phase, rules, hand }) {
  const late = rules.partners === "call" && hand?.called === null && hand.trump !== null && phase !== "calling";
  return kept ?? { filled: phase === "play" || phase === "waiting", late, over: phase === "waiting" && !late };
}

// Say what the table waits for, and which trick lies there.
function settled(view, rules) {
  const phase = view.phase === "over" ? "over" : phaseOf(view, rules);
  if (!view.hand) return { ...view, phase };
  const [leader] = view.turn.seats;
  const empty = phase === "play" && leader !== undefined ? { number: (view.hand.last_trick?.number ?? 0) + 1, leader, plays: [] } : null;
  const trick = phase === "play" ? (view.hand.trick?.plays.length ? view.hand.trick : empty) : null;
  return { ...view, phase, hand: { ...view.hand, trick } };
}

function phaseOf({ hand, seats, seen: { filled, late, over } }, rules) {
  if (!hand || over) return "waiting";
  if (hand.trick?.plays.length) return "play";
  const called = hand.bids.filter((bid) => bid !== null).length + hand.passed.length;
  if (rules.auction.contract ? hand.pitcher === null : called < seats.length) return "auction";
  if (rules.trump !== "named") return "play";
  if (hand.trump === null) return "naming";
  const isCallDue = rules.partners === "call" && hand.called === null;
  if (isCallDue && !late) return "calling";
  const isDiscardDue = DISCARDS.includes(rules.fill) ? !filled : rules.fill === "kitty" && rules.kept_cards > 0 && rules.kept_cards < Math.max(...seats.map(({ count }) => count));
  if (isDiscardDue) return "discarding";
  return isCallDue ? "waiting" : "play";
}

const turn = (view, { next }, { at }) => ({ turn: { seats: next, since: at, deadline: null }, proposal: null, ...stopped(view) });
const stopped = ({ clock }) => (clock ? { clock: { ...clock, running: null } } : {});
const idle = (view) => ({ turn: { ...view.turn, seats: [], deadline: null }, ...stopped(view) });
const over = (view) => ({ ...idle(view), seen: { ...seen(view), over: true } });
const at = (list, place, value) => list.map((each, index) => (index === place ? value : each));
const without = (cards, gone) => cards?.filter((card) => !gone.includes(card)) ?? null;
const inOrder = (cards) => cards.toSorted((a, b) => PLACE(a) - PLACE(b));

// A seat's line, changed.
const seated = (view, seat, change) => ({ seats: view.seats.map((each) => (each.seat === seat ? { ...each, ...change(each) } : each)) });
const counted = (view, seat, by) => seated(view, seat, ({ count }) => ({ count: count + by }));
const scored = (view, scores) => ({ seats: view.seats.map((each) => ({ ...each, score: scores[each.seat] })) });

// The cards of a seat that this viewer sees: their own, or in the blind hand those of the others.
function held(view, seat, change) {
  const { you } = view;
  if (!you) return {};
  if (seat === you.seat) return { you: { ...you, cards: change(you.cards) } };
  return seat in you.sees ? { you: { ...you, sees: { ...you.sees, [seat]: change(you.sees[seat]) } } } : {};
}

const setting = (rules) => ({ points: rules.version, total: totalOf(rules), dirty: rules.dirty, reverse: rules.reverse, partners: rules.partners });
const nothing = () => ({});

// What each fact changes. A fact that isn't here is one of those after which only the server's view tells how it is.
const AFTER = {
  DealerDrawn: nothing,
  CeremonyOpened: (_, { subject }, { cuts }) => (cuts !== "none" && subject.startsWith("deal ") ? null : {}),
  SeedKept: nothing,
  CutOpened: (view, { seat }) => ({ ceremony: view.ceremony && { ...view.ceremony, cuts: [...view.ceremony.cuts, seat].sort((a, b) => a - b), waits_for: view.ceremony.waits_for.filter((each) => each !== seat) } }),
  CeremonyRevealed: nothing,
  CeremonyVoided: (view, { n }) => ({ ceremony: view.ceremony?.n === n ? null : view.ceremony }),
  CoinFlipped: nothing,
  HandDealt: (view, data, { rules, sides }, event) => ({
    ...turn(view, data, event),
    ceremony: null,
    sides: sides ?? view.sides,
    seats: view.seats.map((each) => ({ ...each, count: data.counts[each.seat], tricks: 0 })),
    rules: view.rules.deferred ? { ...view.rules, deferred: [] } : view.rules,
    hand: newHand(view, data, rules),
    seen: { filled: false, late: false, over: false },
    ...dealtTo(view, data, rules),
  }),
  CardsDealt: (view, { seat, cards }) => held(view, seat, () => inOrder(cards)),
  StockLaid: nothing,
  MisdealDeclared: (view) => over(view),
  TrumpTurnedUp: (view, { card, suit }) => ({ hand: { ...view.hand, upcard: card, trump: suit } }),
  BidMade: (view, data, _, event) => ({ ...turn(view, data, event), hand: { ...view.hand, bids: at(view.hand.bids, data.seat, data.bid) } }),
  BidPassed: (view, data, _, event) => ({ ...turn(view, data, event), hand: { ...view.hand, passed: [...view.hand.passed, data.seat].sort((a, b) => a - b) } }),
  HandThrownIn: (view) => over(view),
  AuctionWon: (view, data, _, event) => ({ ...turn(view, data, event), hand: { ...view.hand, pitcher: data.seat, bid: data.bid }, sides: data.sides }),
  TrumpNamed: (view, data, _, event) => ({ ...turn(view, data, event), hand: { ...view.hand, trump: data.suit } }),
  TrumpPitched: (view, { suit, card }) => ({ proposal: null, hand: { ...view.hand, trump: suit, marker: card } }),
  PartnerCalled: (view, data, _, event) => ({ ...turn(view, data, event), hand: { ...view.hand, called: data.card } }),
  PartnerRevealed: (view, data, _, event) => ({ ...turn(view, data, event), sides: data.sides }),
  CardsDiscarded: (view, data, { rules }, event) => ({
    ...turn(view, data, event),
    ...counted(view, data.seat, -data.count),
    ...held(view, data.seat, (cards) => without(cards, data.shown)),
    seen: { ...seen(view), filled: data.seat === (rules.fill === "dealer" ? view.hand.dealer : view.hand.pitcher) },
  }),
  CardsBuried: (view, { seat, cards }) => held(view, seat, (all) => without(all, cards)),
  CardsDrawn: (view, { seat, count }) => counted(view, seat, count),
  CardsTaken: (view, { seat, cards }) => held(view, seat, (all) => inOrder([...(all ?? []), ...cards])),
  StockTaken: (view, data, _, event) => ({ ...turn(view, data, event), ...counted(view, data.seat, data.count) }),
  CardPlayed: (view, data, _, event) => ({
    ...turn(view, data, event),
    ...counted(view, data.seat, -1),
    ...held(view, data.seat, (cards) => without(cards, [data.card])),
    hand: { ...view.hand, trick: laid(view.hand, data), ...joker(view.hand, data.card) },
  }),
  TrickTaken: (view, data, { rules }, event) => ({
    ...turn(view, data, event),
    ...seated(view, data.seat, ({ tricks }) => ({ tricks: tricks + 1 })),
    hand: { ...view.hand, trick: null, last_trick: { number: data.trick, seat: data.seat, plays: rules.won_face_down ? [] : data.plays } },
  }),
  HandScored: (view, data) => ({ ...over(view), ...scored(view, data.scores), last_hand: { hand: data.hand, changes: data.changes, scores: data.scores } }),
  RulesChanged: (view, data, { rules }, event) => ({
    ...(view.hand ? turn(view, data, event) : { proposal: null }),
    rules: { ...view.rules, ...setting(data.rules), most_bid: totalOf(data.rules), deferred: data.cause === "deferred" ? view.rules.deferred.slice(1) : view.rules.deferred },
    ...(view.hand && data.rules.partners !== rules.partners ? { hand: { ...view.hand, called: null }, seen: { ...seen(view), late: data.rules.partners === "call" && view.hand.trump !== null } } : {}),
  }),
  RulesChangeDeferred: (view, data) => ({ proposal: null, rules: { ...view.rules, deferred: [...view.rules.deferred, setting(data.rules)] } }),
  BidScaled: (view, { seat, after }) => ({ hand: { ...view.hand, bids: view.hand.bids[seat] === null ? view.hand.bids : at(view.hand.bids, seat, after), bid: seat === view.hand.pitcher ? after : view.hand.bid } }),
  PartnersChanged: (_, { sides }) => ({ sides }),
  DelayCalled: (_, { seat, accused, waited_ms }) => ({ delay: { seat, accused, waited_ms, votes: [{ seat, guilty: true }] } }),
  DelayVoted: (view, { seat, guilty }) => ({ delay: { ...view.delay, votes: [...view.delay.votes, { seat, guilty }] } }),
  DelayJudged: (view, { scores }) => ({ delay: null, ...scored(view, scores) }),
  DelayDropped: () => ({ delay: null }),
  UndoAsked: (_, { seat, to_version }) => ({ proposal: { kind: "undo", seat, accepted: [seat], to_version } }),
  UndoAnswered: (view, data) => ({ proposal: answered(view.proposal, data) }),
  DrawProposed: (_, { seat }) => ({ proposal: { kind: "draw", seat, accepted: [seat], to_version: null } }),
  DrawAnswered: (view, data) => ({ proposal: answered(view.proposal, data) }),
  SeatResigned: (view, { seat }) => left(view, seat, "resigned"),
  SeatForfeited: (view, { seat }) => left(view, seat, "forfeited"),
  TurnReminded: nothing,
  TurnTimed: nothing,
  TimeClaimed: nothing,
  HandoverAsked: (_, { seat, to, kind }) => ({ handover: { seat, to, kind, accepted: [seat] } }),
  HandoverAnswered: (view, data) => ({ handover: answered(view.handover, data) }),
  GameEnded: (view, { reason, winners, scores, ruled }) => ({ ...idle(view), phase: "over", status: "finished", proposal: null, delay: null, handover: null, ruled, result: { reason, winners, scores, ruled } }),
};

function newHand({ seats }, { hand: number, redeal, dealer, eldest, grade }, rules) {
  const none = { pitcher: null, bid: null, marker: null, upcard: null, called: null, trick: null, last_trick: null, commit: null };
  return { number, redeal, dealer, eldest, bids: seats.map(() => null), passed: [], ...none, trump: rules.fixed_trump, grade, ...(rules.jokers ? { first_joker: null } : {}) };
}

// In the blind hand a seat sees the others' cards and not its own.
function dealtTo({ you, seats }, { hand }, { sights }) {
  if (!you) return {};
  const isOwn = (sights[hand - 1] ?? sights.at(-1)) === "own";
  const others = seats.filter(({ seat }) => seat !== you.seat).map(({ seat }) => [seat, null]);
  return { you: { ...you, cards: null, sees: isOwn ? {} : Object.fromEntries(others) } };
}

function laid({ trick, last_trick: last }, { seat, card }) {
  const lies = trick?.plays.length ? trick : { number: (last?.number ?? 0) + 1, leader: seat, plays: [] };
  return { ...lies, plays: [...lies.plays, { seat, card }] };
}

function joker({ first_joker: first }, card) {
  return first === null && suitOf(card) === "X" ? { first_joker: card } : {};
}

const answered = (open, { seat, accept }) => (open && accept ? { ...open, accepted: [...open.accepted, seat].sort((a, b) => a - b) } : null);

function left(view, seat, state) {
  const { ceremony } = view;
  const waiting = ceremony && { ceremony: { ...ceremony, waits_for: ceremony.waits_for.filter((each) => each !== seat) } };
  return { ...seated(view, seat, () => ({ state })), ...waiting, proposal: null, handover: view.handover?.seat === seat ? null : view.handover };
}

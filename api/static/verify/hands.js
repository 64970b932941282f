// Cards, tricks and scores: a seat held the cards that it plays, a trick holds the played cards, scores add up.

import { checkEnd, checkNothingDrawn } from "./changes.js";
import { list, same, withoutHonors } from "./deals.js";
import { checkRuledScores } from "./disputes.js";
import { addToCount, checkExchanged } from "./exchange.js";

// Count a turn. Before it, check that the randomizer drew nothing that is missing from the log.
export async function takeTurn(table) {
  await checkNothingDrawn(table);
  if (!table.deal.turns && withoutHonors(table)?.length)
    table.says(`hand ${table.deal.hand} is a misdeal, but it continues`);
  table.changeDeal({ turns: table.deal.turns + 1 });
}

export const HANDS = {
  TrumpPitched(table, { suit, card }) {
    checkTrump(table, "pitched");
    if (table.pitched || table.deal.pitcher === null) table.says("trump is pitched twice, or before anybody has won the auction");
    if (!card.endsWith(suit) && !card.startsWith("X")) table.says(`${card} pitches ${suit} as trump, but has another suit`);
    table.pitched = card;
  },

  BidMade: takeTurn,
  BidPassed: takeTurn,
  TrumpNamed(table) {
    checkTrump(table, "named");
    return takeTurn(table);
  },

  PartnerCalled: takeTurn,

  async CardPlayed(table, { seat, card }) {
    await takeTurn(table);
    const { deal } = table;
    if (!deal.takers.length && !deal.table.length) checkExchanged(table);
    if (deal.counts[seat] < 1) table.says(`seat ${seat} plays a card, but has none left`);
    if (table.pitched && card !== table.pitched) table.says(`${card} is led, but ${table.pitched} pitched trump`);
    table.pitched = null;
    removeCards(table, seat, [card], "plays");
    table.changeDeal({ counts: addToCount(table, seat, -1), table: [...deal.table, { seat, card }] });
  },

  TrickTaken(table, { hand, trick, seat, plays, kept }) {
    const { deal } = table;
    const played = deal.table.map(({ seat: by, card }) => `${by} ${card}`);
    const recorded = plays.map(({ seat: by, card }) => `${by} ${card}`);
    if (hand !== deal.hand || trick !== deal.takers.length + 1)
      table.says(
        `it is trick ${trick} of hand ${hand}, but trick ${deal.takers.length + 1} of hand ${deal.hand} is due`,
      );
    if (!same(played, recorded)) table.says(`the trick holds ${list(recorded)}, but the seats played ${list(played)}`);
    if (!deal.table.some((play) => play.seat === seat)) table.says(`seat ${seat} takes a trick without a card in it`);
    if (kept.some(({ seat: by, card }) => !recorded.includes(`${by} ${card}`)))
      table.says("a card is kept that isn't in the trick");
    table.changeDeal({ table: [], takers: [...deal.takers, seat] });
  },

  HandThrownIn(table, { hand }) {
    if (hand !== table.deal.hand) table.says(`it throws in hand ${hand} during hand ${table.deal.hand}`);
    const next = nextHand(table);
    const isSame = table.opening.rules.auction.all_pass === "same_dealer";
    table.endDeal("thrown in", isSame ? { ...next, dealer: table.deal.dealer } : next);
  },

  HandScored(table, fact) {
    const { deal, scores } = table;
    const takes = deal.counts.map((_, seat) => deal.takers.filter((taker) => taker === seat).length);
    const added = scores.map((score, seat) => score + fact.changes[seat]);
    if (fact.hand !== deal.hand) table.says(`it scores hand ${fact.hand} during hand ${deal.hand}`);
    if (deal.table.length) table.says("it is scored during a trick");
    if (!same(fact.tricks, takes))
      table.says(`it counts ${list(fact.tricks)} tricks, but the seats took ${list(takes)}`);
    if (!same(fact.scores, added))
      table.says(`its scores are ${list(fact.scores)}, but the old scores and the changes make ${list(added)}`);
    table.scores = fact.scores;
    table.ceremonies.get(deal.n).scored = { changes: fact.changes, scores: fact.scores };
    table.endDeal("scored", nextHand(table));
  },

  DelayJudged(table, { accused, guilty, scores }) {
    if (table.call?.accused !== accused) table.says(`no delay call about seat ${accused} is open`);
    const others = scores.filter((score, seat) => score !== table.scores[seat] && !(guilty && seat === accused));
    if (others.length || scores.length !== table.seats)
      table.says("a verdict changes the score of a seat that it doesn't find guilty");
    table.scores = scores;
    table.call = null;
  },

  MovesTakenBack: takeBack,

  async GameEnded(table, fact) {
    if (!same(fact.scores, table.scores))
      table.says(`its scores are ${list(fact.scores)}, but the scores are ${list(table.scores)}`);
    if (fact.reason === "draw" && (table.proposal?.to !== null || !isGranted(table)))
      table.says("the game ends in a draw, but not every player agreed to it");
    await checkEnd(table, fact);
    checkReveals(table);
    checkRuledScores(table, fact.ruled);
    if (table.deal && !table.deal.over) table.endDeal("broken off", null);
    Object.assign(table, { ended: true, question: null });
  },
};

// Check at the end of the game that every ceremony is revealed or voided.
function checkReveals(table) {
  for (const [n, { closed }] of table.ceremonies)
    if (!closed) table.says(`the game ends, but ceremony ${n} is not revealed`);
}

function nextHand({ deal, seats }) {
  return { hand: deal.hand + 1, redeal: 0, dealer: (deal.dealer + 1) % seats };
}

function checkTrump(table, how) {
  const { trump } = table.opening.rules;
  if (trump !== how) table.says(`trump is ${how}, but by the rules it is ${trump}`);
}

// Remove cards from a seat. Check that it held them if its cards are known, that no other seat did, and that no card is
// removed twice.
export function removeCards(table, seat, cards, does) {
  const { deal } = table;
  for (const [at, card] of cards.entries()) {
    const own = deal.held[seat];
    const others = Object.entries(deal.held).filter(([other]) => Number(other) !== seat);
    const isGone = deal.gone.includes(card) || cards.indexOf(card) < at;
    const elsewhere = isGone || others.some(([, held]) => held.includes(card));
    if (own ? isGone || !own.includes(card) : elsewhere || !table.opening.deck.includes(card))
      table.says(`seat ${seat} ${does} ${card}, which it doesn't hold`);
  }
  const held = deal.held[seat]
    ? { ...deal.held, [seat]: deal.held[seat].filter((card) => !cards.includes(card)) }
    : deal.held;
  table.changeDeal({ held, gone: [...deal.gone, ...cards] });
}

// The facts that no undo goes past. An undo by consent goes back one move, so it passes none of these either.
export const BARRIERS = new Set([
  ...["HandDealt", "TrumpTurnedUp", "MisdealDeclared", "HandThrownIn", "HandScored", "CeremonyRevealed"],
  ...["CardsDiscarded", "StockTaken", "CardsTaken", "PartnerRevealed", "RulesChanged", "RulesChangeDeferred"],
  ...["SeatResigned", "SeatForfeited", "SeatHandedOver", "SeatReturned"],
]);

// The moves that can be taken back.
export const UNDOABLE = new Set([
  ...["BidMade", "BidPassed", "TrumpNamed", "PartnerCalled", "TrumpPitched", "CardPlayed"],
]);

// The facts that close an open proposal. A refusal closes it, too, and so does a ruling that voids the hand.
export const CLOSING = new Set([
  ...["BidMade", "BidPassed", "TrumpNamed", "PartnerCalled", "CardsDiscarded", "TrumpPitched", "CardPlayed"],
  ...["HandDealt", "MovesTakenBack", "RulesChanged", "RulesChangeDeferred", "SeatResigned", "SeatForfeited"],
  ...["SeatHandedOver", "SeatReturned"],
]);

export function checkUndoAsked(table, { seat, to_version: to }) {
  openProposal(table, seat, to);
  if (table.moves.get(to + 1) !== seat)
    table.says(`event ${to + 1} isn't a move of seat ${seat} that can be taken back`);
  if (table.opening.undo === "none") table.says("an undo is asked for, but no move of this game can be taken back");
  if (table.players[seat].kind !== "human") table.says(`seat ${seat} is a bot, but asks to take a move back`);
}

export function checkDrawProposed(table, { seat }) {
  openProposal(table, seat, null);
  if (table.players.some(({ kind }) => kind !== "human")) table.says("a draw is proposed in a game with a bot");
}

// Open a proposal of an undo to a version, or of a draw (null).
function openProposal(table, seat, to) {
  if (table.proposal) table.says("another proposal is still open");
  table.proposal = { seat, to, agreed: [seat] };
}

export function checkUndoAnswered(table, fact) {
  answer(table, fact, table.proposal?.to !== null, "undo");
}

export function checkDrawAnswered(table, fact) {
  answer(table, fact, table.proposal?.to === null, "draw");
}

// Check and add an answer to what is open, if `isAsked`.
function answer(table, { seat, accept }, isAsked, what) {
  const { proposal } = table;
  const may = proposal && isAsked && !(accept ? proposal.agreed : proposal.agreed.slice(1)).includes(seat) && // the asker can withdraw it
    table.persons().includes(String(seat));
  if (!may) table.says(`seat ${seat} has no ${what} to answer`);
  table.proposal = proposal && accept ? { ...proposal, agreed: [...proposal.agreed, seat] } : null;
}

// Tell whether every person has agreed to the open proposal.
export function isGranted(table) {
  return Boolean(table.proposal) && table.persons().every((each) => table.proposal.agreed.includes(Number(each)));
}

export function takeBack(table, { seat, to_version: to, begins_turn: begins }, { v }) {
  if (v > 1 && !begins) table.says("the turn goes on after the undo, as only after undos of version 1");
  const then = table.past.find(([version]) => version === to)?.[1];
  if (table.proposal?.seat !== seat || table.proposal?.to !== to)
    table.says(`seat ${seat} takes moves back to version ${to}, but didn't ask for that`);
  else if (!isGranted(table)) table.says("a move is taken back, but not every player agreed to it");
  if (!then) return table.says(`the hand has no version ${to} to return to`);
  if (to < table.barrier) table.says(`it goes back past event ${table.barrier}, but no undo does`);
  table.deal = { ...then };
}

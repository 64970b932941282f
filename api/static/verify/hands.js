// Cards, tricks and scores: what is played was held, a trick is what lay on the table, scores add up.

import { ended, quiet } from "./changes.js";
import { list, same, withoutHonours } from "./deals.js";
import { asRuled } from "./disputes.js";

// A turn is taken: the randomizer had nothing to bring before it.
async function turn(table) {
  await quiet(table);
  if (!table.deal.turns && withoutHonours(table)?.length)
    table.says(`hand ${table.deal.hand} is a misdeal, and goes on`);
  table.deals({ turns: table.deal.turns + 1 });
}

export const HANDS = {
  BidMade: turn,
  BidPassed: turn,
  TrumpNamed: turn,
  PartnerCalled: turn,

  async CardsDiscarded(table, { seat, count, shown }) {
    await turn(table);
    if (shown.length > count) table.says(`${shown.length} cards are shown of ${count} thrown away`);
    drop(table, seat, shown, "throws away");
    table.deals({
      counts: counted(table, seat, -count),
      owed: { fact: "CardsBuried", seat, count: count - shown.length },
    });
  },

  CardsBuried(table, { n, seat, cards }) {
    settle(table, "CardsBuried", n, seat, cards);
    drop(table, seat, cards, "throws away");
  },

  CardsDrawn: fromStock,
  StockTaken: fromStock,

  CardsTaken(table, { n, seat, cards }) {
    const { deal } = table;
    settle(table, "CardsTaken", n, seat, cards);
    const stock = (deal.made?.stock ?? deal.stock)?.slice(deal.drawnFrom - cards.length, deal.drawnFrom);
    if (stock && !same(cards, stock))
      table.wrong(deal.n, `seat ${seat} gets other cards than lie in front of the stock`);
    if (deal.held[seat]) table.deals({ held: { ...deal.held, [seat]: [...deal.held[seat], ...cards] } });
  },

  async CardPlayed(table, { seat, card }) {
    await turn(table);
    const { deal } = table;
    if (deal.counts[seat] < 1) table.says(`seat ${seat} plays a card and has none left`);
    drop(table, seat, [card], "plays");
    table.deals({ counts: counted(table, seat, -1), table: [...deal.table, { seat, card }] });
  },

  TrickTaken(table, { hand, trick, seat, plays, kept }) {
    const { deal } = table;
    const lay = deal.table.map(({ seat: by, card }) => `${by} ${card}`);
    const told = plays.map(({ seat: by, card }) => `${by} ${card}`);
    if (hand !== deal.hand || trick !== deal.takers.length + 1)
      table.says(
        `it is trick ${trick} of hand ${hand} where trick ${deal.takers.length + 1} of hand ${deal.hand} is due`,
      );
    if (!same(lay, told)) table.says(`the trick is told as ${list(told)} where ${list(lay)} was played`);
    if (!deal.table.some((play) => play.seat === seat)) table.says(`seat ${seat} takes a trick it played no card to`);
    if (kept.some(({ seat: by, card }) => !told.includes(`${by} ${card}`)))
      table.says("a card is kept that is not in the trick");
    table.deals({ table: [], takers: [...deal.takers, seat] });
  },

  HandThrownIn(table, { hand }) {
    if (hand !== table.deal.hand) table.says(`it throws in hand ${hand} in hand ${table.deal.hand}`);
    table.over("thrown in", nextHand(table));
  },

  HandScored(table, fact) {
    const { deal, scores } = table;
    const takes = deal.counts.map((_, seat) => deal.takers.filter((taker) => taker === seat).length);
    const added = scores.map((score, seat) => score + fact.changes[seat]);
    if (fact.hand !== deal.hand) table.says(`it scores hand ${fact.hand} in hand ${deal.hand}`);
    if (deal.table.length) table.says("it is scored while a trick lies on the table");
    if (!same(fact.tricks, takes))
      table.says(`it counts ${list(fact.tricks)} tricks where ${list(takes)} were taken`);
    if (!same(fact.scores, added))
      table.says(`its scores are ${list(fact.scores)} where old scores and changes make ${list(added)}`);
    table.scores = fact.scores;
    table.ceremonies.get(deal.n).scored = { changes: fact.changes, scores: fact.scores };
    table.over("scored", nextHand(table));
  },

  DelayJudged(table, { accused, guilty, scores }) {
    const others = scores.filter((score, seat) => score !== table.scores[seat] && !(guilty && seat === accused));
    if (others.length || scores.length !== table.seats)
      table.says("a verdict changes the score of somebody it does not find guilty");
    table.scores = scores;
  },

  MovesTakenBack(table, { to_version: to }) {
    const then = table.past.find(([version]) => version === to)?.[1];
    if (!then) return table.says(`the hand has no version ${to} to go back to`);
    table.deal = { ...then };
  },

  SeatResigned: leaves,
  SeatForfeited: leaves,

  async GameEnded(table, fact) {
    if (!same(fact.scores, table.scores))
      table.says(`its scores are ${list(fact.scores)} where they stand at ${list(table.scores)}`);
    await ended(table, fact);
    hidden(table);
    asRuled(table, fact.ruled);
    if (table.deal && !table.deal.over) table.over("broken off", null);
    table.ended = true;
  },
};

// Whatever was promised is open before the game is over.
function hidden(table) {
  for (const [n, { closed }] of table.ceremonies)
    if (!closed) table.says(`the game ends and ceremony ${n} is not revealed`);
}

function leaves(table, { seat }) {
  table.left.add(seat);
}

function nextHand({ deal, seats }) {
  return { hand: deal.hand + 1, redeal: 0, dealer: (deal.dealer + 1) % seats };
}

function fromStock(table, { seat, count }) {
  const { deal } = table;
  if (count > deal.stockLeft) table.says(`seat ${seat} takes ${count} cards of a stock of ${deal.stockLeft}`);
  table.deals({
    counts: counted(table, seat, count),
    stockLeft: deal.stockLeft - count,
    drawnFrom: deal.drawnFrom + count,
    owed: { fact: "CardsTaken", seat, count },
  });
}

// Cards that were thrown or drawn before, named now.
function settle(table, fact, n, seat, cards) {
  const { deal } = table;
  const owed = deal.owed.fact === fact ? deal.owed : { seat: null, count: 0 };
  if (n !== deal.n) table.says(`it is of ceremony ${n} in a hand dealt from ${deal.n}`);
  if (seat !== owed.seat || cards.length !== owed.count)
    table.says(`it names ${cards.length} cards of seat ${seat} where ${owed.count} of seat ${owed.seat} are due`);
  table.deals({ owed: { fact: null, seat: null, count: 0 } });
}

// Cards leave a seat: it held them, as far as its cards are known, and nobody else did; none leaves twice.
function drop(table, seat, cards, does) {
  const { deal } = table;
  for (const card of cards) {
    const own = deal.held[seat];
    const others = Object.entries(deal.held).filter(([other]) => Number(other) !== seat);
    const elsewhere = deal.gone.includes(card) || others.some(([, held]) => held.includes(card));
    if (own ? !own.includes(card) : elsewhere || !table.opening.deck.includes(card))
      table.says(`seat ${seat} ${does} ${card}, which it does not hold`);
  }
  const held = deal.held[seat]
    ? { ...deal.held, [seat]: deal.held[seat].filter((card) => !cards.includes(card)) }
    : deal.held;
  table.deals({ held, gone: [...deal.gone, ...cards] });
}

function counted({ deal }, seat, more) {
  return deal.counts.map((count, each) => (each === seat ? count + more : count));
}

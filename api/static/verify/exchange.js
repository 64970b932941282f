// The exchange before the play: what a seat discards, draws, and takes of the stock (docs/verify-a-hand.md).

import { same } from "./deals.js";
import { removeCards, takeTurn } from "./hands.js";

// The ways to use the stock in which the pitcher takes the first cards, and those in which others draw
const KITTIES = ["kitty", "kitty_and_draw"];
const DRAWING = ["discard", "dealer", "kitty_and_draw"];

export const EXCHANGE = {
  AuctionWon: (table, { seat }) => table.changeDeal({ pitcher: seat }),

  async CardsDiscarded(table, { seat, count, shown }) {
    await takeTurn(table);
    if (shown.length > count) table.says(`${shown.length} cards are shown of ${count} discarded`);
    removeCards(table, seat, shown, "discards");
    table.changeDeal({ counts: addToCount(table, seat, -count) });
    checkKept(table, seat, count);
    const owed = [
      { fact: "CardsBuried", seat, count: count - shown.length },
      { fact: "CardsDrawn", seat, count: drawOf(table, seat) },
    ];
    table.changeDeal({ owed: owed.filter((each) => each.count > 0) });
  },

  CardsBuried(table, { n, seat, cards }) {
    checkOwed(table, "CardsBuried", n, seat, cards);
    removeCards(table, seat, cards, "discards");
  },

  CardsDrawn(table, { seat, count }) {
    const { deal, opening } = table;
    const [due] = deal.owed;
    const isEmpty = !count && !deal.stockLeft && opening.rules.quirks.includes("empty_draws");
    if (!isEmpty && (due?.seat !== seat || due.count !== count))
      table.says(`seat ${seat} draws ${count} cards, but ${due?.seat === seat ? due.count : 0} are due`);
    takeFromStock(table, seat, count);
  },

  StockTaken(table, { seat, count }) {
    const { fill, kitty } = table.opening.rules;
    const { dealer, stockLeft, stockTaker } = table.deal;
    const due = stockTaker !== null || fill === "nothing" ? 0 : KITTIES.includes(fill) ? kitty : stockLeft;
    if (count !== due || !count) table.says(`seat ${seat} takes ${count} cards of the stock, but ${due} can be taken`);
    if (fill === "dealer" && seat !== dealer) table.says(`seat ${seat} takes the stock, but seat ${dealer} deals`);
    table.changeDeal({ stockTaker: seat });
    takeFromStock(table, seat, count);
  },

  CardsTaken(table, { n, seat, cards }) {
    const { deal } = table;
    checkOwed(table, "CardsTaken", n, seat, cards);
    const stock = (deal.expected?.stock ?? deal.stock)?.slice(deal.drawnFrom - cards.length, deal.drawnFrom);
    const out = [...Object.values(deal.held).flat(), ...deal.gone];
    if (stock && !same(cards, stock))
      table.wrong(deal.n, `seat ${seat} gets other cards than the first ones of the stock`);
    else if (cards.some((card) => out.includes(card) || !table.opening.deck.includes(card)))
      table.says(`seat ${seat} gets a card that can't be in the stock`);
    if (deal.held[seat]) table.changeDeal({ held: { ...deal.held, [seat]: [...deal.held[seat], ...cards] } });
  },
};

// Check that a seat that has discarded keeps no more cards than the rules say, and with a kitty no fewer.
function checkKept(table, seat, count) {
  const { fill, kept_cards: most } = table.opening.rules;
  const left = table.deal.counts[seat];
  if (left < 0 || left > most || (fill === "kitty" && left < most))
    table.says(`seat ${seat} discards ${count} of ${left + count} cards, but ${most} are to be kept`);
}

// Return how many cards a seat draws that has discarded: it fills up, as far as the stock goes. The seat that takes the stock
// doesn't, nor a pitcher after a kitty, even one of no cards.
function drawOf({ deal, opening }, seat) {
  const { fill, kept_cards: kept } = opening.rules;
  const takes = seat === (KITTIES.includes(fill) ? deal.pitcher : deal.stockTaker);
  const isFilling = DRAWING.includes(fill) && !takes;
  return isFilling ? Math.min(kept - deal.counts[seat], deal.stockLeft) : 0;
}

// Check before the first card that the stock went where the rules send it, and that nobody has too many cards.
export function checkExchanged(table) {
  const { deal, opening } = table;
  const { fill, kitty, kept_cards: kept } = opening.rules;
  if (fill === "nothing") return;
  const all = opening.deck.length - deal.full.reduce((sum, count) => sum + count, 0);
  const [taken, due] = [all - deal.stockLeft, KITTIES.includes(fill) ? kitty : all];
  if (fill === "kitty_and_draw" ? taken < due : taken !== due)
    table.says(`play begins after ${taken} cards of the stock were taken, but ${due} are to be taken`);
  const most = fill === "pitcher_takes" || !kept ? Infinity : kept;
  const seat = deal.counts.findIndex((count) => count > most);
  if (seat >= 0) table.says(`play begins, but seat ${seat} holds ${deal.counts[seat]} cards, and keeps ${most}`);
}

function takeFromStock(table, seat, count) {
  const { deal } = table;
  if (count > deal.stockLeft) table.says(`seat ${seat} takes ${count} cards from a stock of ${deal.stockLeft}`);
  table.changeDeal({
    counts: addToCount(table, seat, count),
    stockLeft: deal.stockLeft - count,
    drawnFrom: deal.drawnFrom + count,
    owed: [{ fact: "CardsTaken", seat, count }],
  });
}

// Check the names of cards that a seat discarded or drew before.
function checkOwed(table, fact, n, seat, cards) {
  const { deal } = table;
  const [first, ...rest] = deal.owed;
  const owed = first?.fact === fact ? first : { seat: null, count: 0 };
  if (n !== deal.n) table.says(`it is for ceremony ${n} in a hand dealt from ceremony ${deal.n}`);
  if (seat !== owed.seat || cards.length !== owed.count)
    table.says(`it names ${cards.length} cards of seat ${seat}, but ${owed.count} of seat ${owed.seat} are due`);
  table.changeDeal({ owed: rest });
}

export function addToCount({ deal }, seat, more) {
  return deal.counts.map((count, each) => (each === seat ? count + more : count));
}

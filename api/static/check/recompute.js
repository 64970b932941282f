// A deal, computed again from its own facts alone, step by step. Another fault in the file doesn't disturb it.

import { hex, unhex } from "../verify/cardlog.js";
import { dealFrom, same } from "../verify/deals.js";
import * as fairdeal from "../verify/fairdeal.js";

const FIRST_SWAPS = 3;

// Return {commit, fits, cuts, key, swaps, deck, hands, stock, draws, right}. `right` is null while the seed, or something else
// that it takes, isn't known. The computed parts are missing if the facts can't be computed with.
export async function recompute(record, deal) {
  if (!deal.seed || !deal.opened || !record.opening) return { right: null, cuts: [] };
  try {
    return await computed(record, deal);
  } catch {
    return { right: false, cuts: [] };
  }
}

async function computed(record, { n, opened, dealt, seed, ...recorded }) {
  const { game } = record;
  const commit = hex(await fairdeal.commit(game, n, opened.subject, unhex(seed)));
  const used = dealt?.cuts ?? [];
  const key = await fairdeal.key(
    game,
    n,
    opened.subject,
    unhex(seed),
    used.map(([source, cut]) => [source, unhex(cut)]),
  );
  const cuts = await Promise.all(used.map((cut) => sealed(game, opened, cut)));
  const found = { commit, fits: commit === opened.commit, cuts, key: hex(key) };
  const more = dealt ? await dealtAgain(record, key, dealt, recorded) : await drawnAgain(record, key, recorded.draws);
  const right = found.fits && more.right && cuts.every(({ fits }) => fits !== false);
  return { ...found, ...more, right };
}

// Return a cut with the seal that was published before, and whether it fits; null if there was none.
async function sealed(game, { seals }, [source, cut]) {
  const seal = seals?.[source] ?? null;
  return { source, cut, seal, fits: seal && hex(await fairdeal.seal(game, source, unhex(cut))) === seal };
}

async function dealtAgain({ opening }, key, { eldest, counts }, recorded) {
  const { cards, stock } = recorded;
  const { deck, cards: hands, stock: rest } = await dealFrom(key, opening.deck, eldest, counts);
  const compared = hands.map((hand, seat) => ({ seat, cards: hand, fits: compare(cards[seat], hand) }));
  const left = { cards: rest, fits: compare(stock ?? (rest.length ? null : []), rest) };
  const right = left.fits && compared.every(({ fits }) => fits);
  return { swaps: await firstSwaps(key, opening.deck.length), deck, hands: compared, stock: left, right };
}

// Return whether recorded cards are those that were computed; null if the log doesn't have them.
const compare = (recorded, cards) => (recorded ? same(recorded, cards) : null);

// Return the first exchanges of the shuffle: {place, with}, counted from 1.
async function firstSwaps(key, size) {
  const stream = await fairdeal.streamOf(key, "deck");
  const swaps = [];
  for (let place = size - 1; place > 0 && swaps.length < FIRST_SWAPS; place--)
    swaps.push({ place: place + 1, with: (await stream.below(place + 1)) + 1 });
  return swaps;
}

const DRAWS = {
  SeatsDrawn: async (key, { order }) => same(order, await fairdeal.shuffle(key, "seats", order.length)),
  DealerDrawn: async (key, { seat }, seats) => seat === (await fairdeal.pick(key, "dealer", seats)),
  CoinFlipped: async (key, { seats, winner }) => winner === seats[await fairdeal.pick(key, "coin", seats.length)],
};

async function drawnAgain({ players }, key, draws) {
  const again = [];
  for (const draw of draws) again.push({ ...draw, fits: await DRAWS[draw.fact](key, draw, players.length) });
  return { draws: again, right: again.every(({ fits }) => fits) };
}

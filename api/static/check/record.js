// What an export says of a game, for people: who sits where, and which events belong to which deal. Nothing here judges: an
// export may lack anything, or say it twice.

// Return the record of a game, from what readExport returned.
export function recordOf({ header, lines, trailer }) {
  const record = {
    header,
    receipt: trailer?.receipt ?? null,
    game: gameOf(header, lines),
    opening: null,
    players: [],
    lent: new Set(),
    deals: [],
    events: new Map(),
  };
  for (const { version, event } of lines) {
    if (!isReadable(event)) continue;
    record.events.set(version, event);
    note(record, version, event);
  }
  return record;
}

// Return the game that the events name, if they all name one; otherwise that of the first line.
export function gameOf(header, lines) {
  const games = new Set(lines.flatMap(({ event }) => (event?.game ? [event.game] : [])));
  return games.size === 1 ? [...games][0] : header.game;
}

// Return the deal, or other draw, that an event belongs to; null before the first one.
export function dealAt(record, version) {
  return record.deals.findLast(({ from }) => from <= version) ?? null;
}

// Return the events directly before and after a version that is missing.
export function neighbors(record, first, last = first) {
  const versions = [...record.events.keys()].sort((a, b) => a - b);
  const [before, after] = [versions.findLast((each) => each < first), versions.find((each) => each > last)];
  return [before, after].map((version) => record.events.get(version) ?? null);
}

function isReadable(event) {
  return typeof event?.fact === "string" && event.data !== null && typeof event.data === "object";
}

function note(record, version, { fact, data }) {
  if (fact === "GameOpened" && Array.isArray(data.players) && !record.opening)
    Object.assign(record, { opening: data, players: data.players.map((each) => each?.player) });
  if (fact === "SeatsDrawn" && isOrder(data.order, record.players.length))
    record.players = data.order.map((place) => record.players[place]);
  if ((fact === "SeatHandedOver" || fact === "SeatReturned") && data.seat in record.players) {
    record.players = record.players.map((player, seat) => (seat === data.seat ? data.to : player));
    record.lent.add(data.seat);
  }
  if (Number.isInteger(data.n)) noteDeal(dealOf(record, version, data.n), version, fact, data);
  if (fact === "HandScored" && record.deals.length) record.deals.at(-1).scored = data;
}

const isOrder = (order, seats) =>
  Array.isArray(order) && order.length === seats && order.every((place) => place < seats);

function dealOf(record, version, n) {
  const known = record.deals.find((each) => each.n === n);
  if (known) return known;
  const made = {
    n,
    from: version,
    opened: null,
    cuts: [],
    dealt: null,
    cards: {},
    stock: null,
    seed: null,
    closed: null,
    draws: [],
  };
  record.deals.push(made);
  return made;
}

function noteDeal(deal, version, fact, data) {
  if (fact === "CeremonyOpened") deal.opened ??= { ...data, version };
  if (fact === "CutOpened") deal.cuts.push({ ...data, version });
  if (fact === "HandDealt") deal.dealt ??= { ...data, version };
  if (fact === "CardsDealt" && Array.isArray(data.cards)) deal.cards[data.seat] ??= data.cards;
  if (fact === "StockLaid") deal.stock ??= data.cards;
  if (["SeatsDrawn", "DealerDrawn", "CoinFlipped"].includes(fact)) deal.draws.push({ fact, ...data });
  if (fact === "CeremonyRevealed" || fact === "CeremonyVoided")
    Object.assign(deal, { seed: data.seed, closed: version });
}

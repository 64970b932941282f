/** The deals of a game, read from its events: which hand, its tricks, its trump, and what it scored. */

/** Collects deals from the events of a game, in order. */
export class Record {
  constructor() {
    this.deals = []; // { hand, first, last, isAgain, trump, changes, tricks: [{ number, plays: [{ seat, card, version }], taker }] }
    this.version = 0;
  }

  /**
   * Take an item of the game's log. Events that this viewer may not see have no content.
   *
   * @param {Page.Line} line
   */
  add({ version, event }) {
    this.version = version;
    if (!event) return;
    const take = FACTS[event.fact];
    if (take && (this.deal || event.fact === "HandDealt")) take(this, event.data, version);
  }

  get deal() {
    return this.deals.at(-1);
  }

  /** Return the deal of a hand that was the newest at a version: a hand that was dealt again has several. */
  dealOf(hand, version) {
    const all = this.deals.filter((deal) => deal.hand === hand);
    return all.filter((deal) => deal.first <= version).at(-1) ?? all[0] ?? null;
  }

  /** Return the number of the hand that was played at a version. */
  handAt(version) {
    return (this.deals.filter((deal) => deal.first <= version).at(-1) ?? this.deals[0])?.hand ?? null;
  }
}

/** Return the trick of a number, or the one that was played at a version. */
export function trickOf(deal, { number = null, version }) {
  const begun = (trick) => trick.plays.length && trick.plays[0].version <= version;
  return (number === null ? deal.tricks.filter(begun).at(-1) : deal.tricks.find((trick) => trick.number === number)) ?? null;
}

/** Return the cards that a seat played in a deal, each with its trick. */
export const playedBy = (deal, seat) =>
  deal.tricks.flatMap((trick) => trick.plays.filter((play) => play.seat === seat).map((play) => ({ ...play, trick: trick.number })));

const FACTS = {
  HandDealt: (record, { hand }, version) => record.deals.push({ hand, first: version, last: null, isAgain: false, trump: null, changes: null, tricks: [] }),
  TrumpTurnedUp: ({ deal }, { suit }) => (deal.trump = suit),
  TrumpNamed: ({ deal }, { suit }) => (deal.trump = suit),
  TrumpPitched: ({ deal }, { suit }) => (deal.trump = suit),
  CardPlayed: ({ deal }, { seat, card }, version) => openTrick(deal).plays.push({ seat, card, version }),
  TrickTaken: ({ deal }, { seat }, version) => Object.assign(openTrick(deal), { taker: seat, version }),
  HandScored: ({ deal }, { changes }, version) => Object.assign(deal, { changes, last: version }),
  HandThrownIn: ({ deal }, _, version) => (deal.last = version),
  MisdealDeclared: ({ deal }, _, version) => Object.assign(deal, { last: version, isAgain: true }),
  GameEnded: ({ deal }, _, version) => (deal.last ??= version),
  RulingGiven: ({ deal }, { voids }, version) => voids !== null && Object.assign(deal, { last: deal.last ?? version, isAgain: deal.last === null }),
  MovesTakenBack: ({ deal }, { to_version }) => (deal.tricks = deal.tricks.map((trick) => before(trick, to_version)).filter((trick) => trick.plays.length)),
};

function openTrick(deal) {
  const last = deal.tricks.at(-1);
  if (last && last.taker === null) return last;
  const trick = { number: deal.tricks.length + 1, plays: [], taker: null, version: null };
  deal.tricks.push(trick);
  return trick;
}

function before(trick, version) {
  const isOpen = trick.version === null || trick.version > version;
  return { ...trick, plays: trick.plays.filter((play) => play.version <= version), ...(isOpen ? { taker: null, version: null } : {}) };
}

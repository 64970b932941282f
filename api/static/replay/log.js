// The record of a game as this viewer may see it: what each event says in words, and where to stop when stepping through it.

import { Story } from "../table/story.js";

const RULES = new Set(["RulesChanged", "RulesChangeDeferred"]);
const GIVES = new Set(["CardsDealt", "CardsTaken"]);

export class Log {
  /** @type {Page.Line[]} */
  items = [];
  entries = [];
  /** @type {{ hand: number, redeal: number, n: number, first: number, start: number, begins: boolean }[]} */
  deals = [];
  tricks = [];
  points = [];
  changes = [];
  rules = [];
  opened = new Map();
  revealed = new Set();
  story = new Story();

  // `view` is a view of the game with names: who sits where, now and before. `me` is the person at this page.
  /**
   * @param {Api.NamedView} view
   * @param {Api.SessionPlayer | null} me
   */
  constructor(view, me = null) {
    this.view = view;
    this.me = me;
    this.names = view.names;
    this.rebuild();
  }

  get size() {
    return this.items.length;
  }

  // The first stop.
  get first() {
    return 1;
  }

  // Add lines in their order. A line that was withheld before and is shown now replaces the earlier one.
  /** @param {Page.Line[]} items */
  add(items) {
    const isLater = items.every(({ version }) => version > this.size);
    for (const item of items) if (item.version <= this.size + 1) this.items[item.version - 1] = item;
    if (isLater) for (const item of this.items.slice(this.entries.length)) this.tell(item);
    else this.rebuild();
  }

  rebuild() {
    const empty = { entries: [], deals: [], tricks: [], points: [], changes: [], rules: [], opened: new Map(), revealed: new Set() };
    Object.assign(this, empty, { story: new Story() });
    for (const item of this.items) this.tell(item);
  }

  // Take in the next line: its words, and what it is a stop for.
  /** @param {Page.Line} line */
  tell({ version, event }) {
    const line = event ? this.story.add(event, this.modelAt(version)) : null;
    const { hand, trick, setting } = this.story;
    const number = event?.fact === "TrickTaken" ? event.data.trick : event?.fact === "CardPlayed" ? trick : null;
    const entry = { version, event: event ?? null, text: line?.text ?? null, look: line?.look ?? "", hand, trick: number, next: trick, setting };
    this.entries.push(entry);
    if (event) this.note(event);
    this.begin(entry);
  }

  // A hand begins once all its cards are dealt, at the last of the dull events that follow its deal.
  begin(entry) {
    const deal = this.deals.at(-1);
    if (!deal?.begins) return;
    if (isDull(entry) || entry.version === deal.first) deal.start = entry.version;
    else deal.begins = false;
  }

  /** @param {Api.EventEnvelope} event */
  note({ fact, data, version }) {
    if (fact === "HandDealt") this.deals.push({ hand: data.hand, redeal: data.redeal, n: data.n, first: version, start: version, begins: true });
    if (fact === "TrickTaken") this.tricks.push(version);
    if (fact === "HandScored") this.points.push(version);
    if (RULES.has(fact)) this.changes.push(version);
    if (data.rules && fact !== "RulesChangeDeferred") this.rules.push([version, data.rules]);
    if (fact === "CeremonyOpened") this.opened.set(data.n, version);
    if (fact === "CeremonyRevealed" || fact === "CeremonyVoided") this.revealed.add(data.n);
  }

  // Return what the story needs to name the players as they sat at a version.
  modelAt(version) {
    const seats = this.view.seats.map((one) => ({ ...one, player: playerAt(one, version) }));
    return { view: { ...this.view, seats }, names: this.names, me: this.me, seat: null };
  }

  entry(version) {
    return this.entries[version - 1] ?? null;
  }

  // Return the entry that tells of a version: at the beginning of a hand that of its deal, and not of its last dull event.
  telling(version) {
    const deal = this.dealAt(version);
    return this.entry(deal?.start === version ? deal.first : version);
  }

  // Return the rules in force at a version.
  rulesAt(version) {
    return this.rules.findLast(([since]) => since <= version)?.[1] ?? null;
  }

  // Return the deal that a version is in, or null.
  dealAt(version) {
    return this.deals.findLast(({ first }) => first <= version) ?? null;
  }

  // Return the version at which a deal ends: the next one's first, or the end of the log.
  endOf(deal) {
    return (this.deals[this.deals.indexOf(deal) + 1]?.first ?? this.size + 1) - 1;
  }

  // Return whether everything that was dealt up to a version is open to everybody.
  isOpen(version) {
    return [...this.opened].every(([n, since]) => since > version || this.revealed.has(n));
  }

  // Return the last trick gathered up to a version, of whichever hand, unless it was taken back.
  trickAt(version) {
    const taken = this.entries.slice(0, version).findLast(({ event }) => event && ["TrickTaken", "MovesTakenBack"].includes(event.fact));
    if (!taken) return null;
    const { fact, data } = taken.event;
    if (fact === "MovesTakenBack") return this.trickAt(data.to_version);
    return { hand: data.hand, trick: { number: data.trick, seat: data.seat, plays: data.plays } };
  }

  // Return where to stop next: `by` is "fact", "trick" or "hand", `way` 1 or -1. Null if there is no such stop.
  step(at, by, way, skips) {
    const stops = this.stops(by, skips);
    return (way > 0 ? stops.find((stop) => stop > at) : stops.findLast((stop) => stop < at)) ?? null;
  }

  stops(by, skips) {
    const starts = this.deals.map(({ start }) => start);
    if (by === "hand") return [...new Set([...starts, this.size])];
    if (by === "trick") return [...new Set([...starts, ...this.tricks, ...this.points])].sort((a, b) => a - b);
    return this.entries.filter((entry) => !skips || !isDull(entry) || entry.version === 1).map(({ version }) => version);
  }

  // Return the last of some versions that lies before this one, or null.
  before(at, versions) {
    return versions.findLast((version) => version < at) ?? null;
  }

  // Return the versions at which a card was given to its seat and played, in the deal of a version.
  traces(card, at) {
    const deal = this.dealAt(at);
    if (!deal) return { given: null, played: null };
    const within = this.entries.slice(deal.first - 1, this.endOf(deal)).filter(({ event }) => event);
    const given = within.find(({ event }) => GIVES.has(event.fact) && event.data.cards.includes(card));
    const plays = within.filter(({ event }) => event.fact === "CardPlayed" && event.data.card === card);
    const played = plays.findLast(({ version }) => version <= at) ?? plays[0];
    return { given: given?.version ?? null, played: played?.version ?? null };
  }

  // Return the events of a deal up to a version, without those that were taken back.
  eventsOf(deal, version) {
    let kept = [];
    for (const { event } of this.entries.slice(deal.first - 1, version)) {
      if (event?.fact === "MovesTakenBack") kept = kept.filter((each) => each.version <= event.data.to_version);
      else if (event) kept.push(event);
    }
    return kept;
  }

  // Return the cards that each seat held after a version, in the order in which it got them, as far as this viewer may know
  // them. Which cards were dealt or thrown away is said by the dull events that follow the one that says how many.
  heldAt(version) {
    const held = this.view.seats.map(() => []);
    const deal = this.dealAt(version);
    if (!deal) return held;
    const next = this.entries.findIndex((entry) => entry.version > version && !isDull(entry));
    for (const { fact, data } of this.eventsOf(deal, next < 0 ? this.size : next)) {
      if (GIVES.has(fact)) held[data.seat].push(...data.cards);
      if (fact === "CardPlayed") held[data.seat] = held[data.seat].filter((card) => card !== data.card);
      const gone = { CardsBuried: data.cards, CardsDiscarded: data.shown }[fact] ?? [];
      if (gone.length) held[data.seat] = held[data.seat].filter((card) => !gone.includes(card));
    }
    return held;
  }

  // Return the lines of the hand that a version is in, for the list of what happened.
  linesAround(at) {
    const hand = this.entry(at)?.hand;
    return this.entries.filter((entry) => entry.hand === hand && entry.text);
  }
}

// Return whether nothing happens at an event that a player would look at: the table's own bookkeeping, and what is withheld.
export function isDull({ text }) {
  return text === null;
}

function playerAt({ player, earlier }, version) {
  return earlier.find(({ first, last }) => first <= version && version <= last)?.player ?? player;
}

// The queue of facts. Each is shown for a while, one after another, and everything on the page is drawn from the state at
// the fact that is shown. At its end the page shows the server's view of that version, which alone says what can be done.

import { evolve } from "./evolve.js";

const PACES = { quick: 0.4, normal: 1, slow: 1.7 };
const LONG = 60; // more facts than that aren't shown one by one, as after a long sleep
const WAIT_MS = 1500; // how long a view waits for the facts that lead to it
const SUMMARY_MS = 8000;

// How long each fact is shown at least before the next one. Others are shown together with the one that follows.
const SHOWN_MS = {
  BidMade: 700,
  BidPassed: 600,
  HandDealt: 600,
  AuctionWon: 900,
  HandThrownIn: 2500,
  MisdealDeclared: 2500,
  TrumpTurnedUp: 900,
  TrumpNamed: 1000,
  PartnerCalled: 1500,
  PartnerRevealed: 1500,
  CardsDiscarded: 600,
  StockTaken: 600,
  CardPlayed: 500,
  TrickTaken: 1200,
  HandScored: SUMMARY_MS,
  RulesChanged: 2600,
  GameEnded: 300,
};
const BLIND_MS = 1400; // each card of a hand in which nobody saw their own
const STAYS = new Set(["TrickTaken", "HandScored", "RulesChanged", "HandThrownIn", "MisdealDeclared"]);

export class Pace {
  /** @type {Page.Line[]} */
  lines = [];
  running = false;
  until = 0;
  stays = false;
  late = null;
  leaving = null; // a trick that goes to its taker before anything else is shown
  wake = null;

  // `animate(fact, before, after)` moves things before a fact is drawn; what it resolves to is called after that.
  /** @param {import("./game.js").Game} table */
  constructor(table, animate) {
    this.table = table;
    this.animate = animate;
  }

  // Return whether there are facts that the page hasn't shown.
  get isBusy() {
    const { model, latest } = this.table;
    return Boolean(this.lines.length) || this.stays || latest.version > model.view.version;
  }

  // Take facts that came, in their order. What the page shows already is only told.
  /** @param {Page.Line[]} lines */
  add(lines) {
    const { model, record } = this.table;
    for (const line of lines) {
      if (line.version > model.view.version) this.lines.push(line);
      else record.tell(line);
    }
    void this.run();
  }

  // Go on showing facts, until there is nothing more to show.
  async run() {
    clearTimeout(this.late);
    if (this.running) return this.isNow() && this.skip();
    this.running = true;
    try {
      while (await this.step());
    } finally {
      this.running = false;
    }
    this.table.set({ busy: this.isBusy });
    this.table.record.keep();
  }

  // End the time for which the fact is shown.
  skip() {
    this.until = 0;
    this.wake?.();
  }

  // Whether the page shows how it is now, instead of how it came to that.
  isNow() {
    return document.hidden || this.table.model.prefs.pace === "none" || this.lines.length > LONG;
  }

  async step() {
    const { table } = this;
    await this.rest(this.lines.length > 0 || this.stays);
    await this.leave();
    const { version } = table.model.view;
    if (table.latest.version === version && table.latest !== table.adopted) return this.adopt();
    if (!this.lines.length) return this.waitForLines();
    return this.isNow() ? this.jump() : this.show();
  }

  // Show the server's view. Return whether there may be more to show.
  adopt() {
    this.stays = false;
    const { latest } = this.table;
    while (this.lines[0]?.version <= latest.version) this.table.record.tell(this.lines.shift());
    this.table.adopt(latest);
    return this.lines.length > 0;
  }

  // The answer to a move can come before the facts that it made. If they don't come, the view is shown without them.
  waitForLines() {
    const { table } = this;
    const isAhead = table.latest.version > table.model.view.version;
    if (isAhead && table.record.told >= table.latest.version) return this.adopt();
    if (isAhead) this.late = setTimeout(() => this.adopt(), WAIT_MS);
    else if (this.stays) this.settle();
    return false;
  }

  // Clear away a trick that was gathered, although the server's view hasn't come yet.
  settle() {
    this.stays = false;
    this.table.set({ shown: null, summary: null, busy: this.isBusy });
  }

  // Show the newest view, and say that facts were left out if somebody would have seen them.
  jump() {
    const { table } = this;
    if (table.latest.version < this.lines[0].version) return false; // the view comes
    const { length } = this.lines.filter(({ event }) => event?.fact in SHOWN_MS);
    if (table.model.prefs.pace !== "none" && length > 1) table.jumped(length);
    return this.adopt();
  }

  // Show the next fact, together with those before it that have no time of their own. A deal is shown with its cards.
  async show() {
    const { table, lines } = this;
    const before = table.model;
    const moved = [];
    let event = null;
    while (lines.length && (!event || (event.fact === "HandDealt" && isDealt(lines[0])))) {
      const [line] = lines;
      const view = evolve(table.model.view, line.event ?? null, table.record.known());
      if (!view) return table.latest.version >= line.version ? this.adopt() : false;
      lines.shift();
      if (line.event?.fact in SHOWN_MS) ({ event } = line);
      if (line.event && (line.event === event || line.event.fact === "CardsDealt")) moved.push(line.event);
      table.fold(view, line);
      if (!event && table.latest.version === view.version) return true;
    }
    const beside = event ? this.beside(event) : { shown: null, summary: null, busy: this.isBusy };
    this.stays = STAYS.has(event?.fact);
    const isTaken = event?.fact === "TrickTaken"; // its cards lie there for a while, and move then
    const after = { ...table.model, ...beside };
    const arrive = isTaken ? [] : await Promise.all(moved.map((each) => this.animate(each, before, after)));
    table.set(beside);
    if (isTaken) this.leaving = event;
    await Promise.all(arrive.map((each) => each?.()));
    this.until = performance.now() + (event ? this.length(event) : 0);
    return true;
  }

  // Let a gathered trick go to its taker.
  async leave() {
    const { leaving, table } = this;
    this.leaving = null;
    if (leaving && !this.isNow()) await this.animate(leaving, table.model, { ...table.model, shown: null });
  }

  // What the page shows beside the state at a fact: the trick that was gathered, how the hand was scored, what has changed.
  beside({ fact, data, version }) {
    const shown = fact === "TrickTaken" ? { version, number: data.trick, leader: data.plays[0].seat, plays: data.plays, taker: data.seat } : null;
    const isOver = this.lines.some(({ event }) => event?.fact === "GameEnded");
    const says = fact === "HandScored" ? !isOver && "hand" : STAYS.has(fact) && !shown && "sentence";
    const notice = says === "hand" ? this.table.withoutRefusal() : this.table.model.notice;
    return { shown, notice, summary: says ? { kind: says, version } : null, busy: this.isBusy };
  }

  // Return for how many milliseconds a fact is shown. A summary takes no more than a fifth of the time for the own move.
  length({ fact }) {
    const { model, latest } = this.table;
    const pace = PACES[model.prefs.pace] ?? 1;
    if (fact === "CardPlayed" && model.rules?.sights.at(model.view.hand.number - 1) === "others") return BLIND_MS * pace;
    if (fact !== "HandScored") return SHOWN_MS[fact] * pace;
    if (!model.summary) return 0;
    const left = latest.clock?.running?.seat === model.seat && latest.turn.deadline ? Date.parse(latest.turn.deadline) - model.now : Infinity;
    return Math.min(SUMMARY_MS * pace, Math.max(0, left / 5));
  }

  // Wait until the fact has been seen, if another one waits, or if it has to be seen before the player goes on.
  async rest(isNeeded) {
    const left = this.until - performance.now();
    if (!isNeeded || left <= 0 || this.isNow()) return;
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, left);
      this.wake = () => [clearTimeout(timer), resolve()];
    });
    this.wake = null;
  }
}

// Whether a fact belongs to the deal before it.
/** @param {Page.Line} line */
function isDealt({ event }) {
  return !event || event.fact === "CardsDealt" || event.fact === "StockLaid";
}

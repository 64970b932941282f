// A hand that everybody may see: its part of the record, the cards that each seat held, and the moment that is shown.

import { target } from "../replay/controls.js";
import { Log } from "../replay/log.js";
import { openGet } from "./open-net.js";

export class EmbeddedHand {
  at = 0;
  shown = null;
  trouble = false;
  /** @type {(hand: EmbeddedHand) => void} */
  drawn = () => {};
  views = new Map();

  // Return the hand, or null if the record doesn't hold it. `view` is the public view of the game, `found` the answer about
  // the hand, and `record` the export of the game.
  static of(view, found, record) {
    const log = new Log(view);
    try {
      log.add(record.trimEnd().split("\n").slice(1, -1).map((line) => JSON.parse(line)));
    } catch {
      return null;
    }
    const deal = log.deals.findLast(({ hand }) => hand === found.hand);
    return deal && log.size >= found.last ? new EmbeddedHand(view, log, deal, found.last) : null;
  }

  constructor(view, log, deal, last) {
    this.view = view;
    this.log = log;
    this.deal = deal;
    this.number = deal.hand;
    this.range = rangeOf(log, deal, last);
    void this.go(deal.start);
  }

  act(action) {
    const to = target(action, this.range, this.at);
    if (to !== null) void this.go(to);
  }

  // Show a moment of the hand, as everybody saw it, with the cards that each seat held.
  async go(version) {
    this.at = version;
    this.draw();
    try {
      if (!this.views.has(version)) this.views.set(version, await openGet(`/games/${this.view.id}/replay?at=${version}`));
      this.trouble = false;
    } catch {
      this.trouble = true;
    }
    if (this.at === version) this.shown = this.views.get(version) ?? this.shown;
    this.draw();
  }

  draw() {
    if (this.shown) this.drawn(this);
  }

  // Return the cards that each seat held after a version.
  cardsAt(version) {
    return this.log.heldAt(version);
  }

  // Return whether a view shows what the record says: the cards on the table, and how many each seat holds.
  agrees(view) {
    const plays = playsOnTable(this.log.eventsOf(this.deal, view.version));
    const held = this.cardsAt(view.version);
    const shown = view.hand?.trick?.plays ?? [];
    return JSON.stringify(shown) === JSON.stringify(plays) && view.seats.every(({ count }, seat) => count === held[seat].length);
  }
}

function playsOnTable(events) {
  const taken = events.findLastIndex(({ fact }) => fact === "TrickTaken");
  return events.slice(taken + 1).filter(({ fact }) => fact === "CardPlayed").map(({ data: { seat, card } }) => ({ seat, card }));
}

// The steps of the bar, within the hand.
function rangeOf(log, { start }, last) {
  const stops = (by) => [...new Set([start, ...log.stops(by === "trick" ? "trick" : "fact", true), last])].filter((stop) => stop >= start && stop <= last).sort((a, b) => a - b);
  const step = (at, by, way) => (way > 0 ? stops(by).find((stop) => stop > at) : stops(by).findLast((stop) => stop < at)) ?? null;
  return { first: start, size: last, step, before: () => null, changes: [], points: [], deals: [], dealAt: () => null };
}

// The views of moments, as the server gives them: one request at a time, the latest wish first, and each kept.

import { ask, Problem, Unreached } from "../base/net.js";

const MOST = 300; // views that are kept
const APART_MS = 200; // a player may ask for 300 heavy answers a minute

export class Views {
  kept = new Map();
  wish = null;
  busy = false;
  last = -APART_MS;

  // `shown(view, at, seat)` gets the view that was wished for last, `failed(error, at, seat)` why there is none.
  constructor(game, { shown, failed }) {
    this.game = game;
    this.shown = shown;
    this.failed = failed;
  }

  // Show a moment: at once if its view is known.
  want(at, seat) {
    this.wish = { at, seat };
    const known = this.kept.get(`${at} ${seat}`);
    if (known) this.give(known);
    else if (!this.busy) void this.fetch();
  }

  give(view) {
    const { at, seat } = this.wish;
    this.wish = null;
    this.shown(view, at, seat);
  }

  async fetch() {
    this.busy = true;
    while (this.wish) {
      await pause(this.last + APART_MS - performance.now());
      if (!this.wish) break;
      const { at, seat } = this.wish;
      this.last = performance.now();
      const { view, error } = await this.read(at, seat);
      if (!this.wish || this.wish.at !== at || this.wish.seat !== seat) continue;
      if (view) this.give(view);
      else if (error instanceof Problem && error.retryAfterS) await pause(error.retryAfterS * 1000);
      else this.fail(error);
    }
    this.busy = false;
  }

  fail(error) {
    const { at, seat } = this.wish;
    this.wish = null;
    this.failed(error, at, seat);
  }

  async read(at, seat) {
    try {
      const { body } = await ask("GET", `/games/${this.game}/replay?at=${at}${seat === null ? "" : `&seat=${seat}`}`);
      const view = seat === null ? withoutSeat(body) : body;
      this.keep(`${at} ${seat}`, view);
      return { view };
    } catch (error) {
      if (error instanceof Problem || error instanceof Unreached) return { error };
      throw error;
    }
  }

  keep(key, view) {
    this.kept.set(key, view);
    if (this.kept.size > MOST) this.kept.delete(this.kept.keys().next().value);
  }
}

// A player who asks for no seat gets the own one; without its part it's what everybody saw.
/** @param {Api.NamedView} view */
function withoutSeat({ you, ...view }) {
  return view;
}

const pause = (ms) => (ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : null);

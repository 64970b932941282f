/** What the page of a game's disputes knows, and what this viewer may do. */

import { get } from "../base/net.js";
import { follow } from "../base/stream.js";
import { nameOf } from "../pages/words.js";
import { Record } from "./record.js";

/** Facts after which the disputes, the scores or the hands are others. */
const CHANGES = new Set(["DisputeOpened", "DisputeWithdrawn", "RulingGiven", "RulingAppealed", "RulingDecided", "HandDealt", "HandScored", "HandThrownIn", "MisdealDeclared", "SeatHandedOver", "SeatReturned", "GameEnded"]);

/** Everything about a game's disputes, kept up to date. */
export class Model {
  record = new Record();
  /** @type {Api.ShownDispute[]} */
  disputes = [];
  /** @type {number[][]} */
  sides = [];
  answers = new Map();
  link = "live";

  /**
   * @param {Api.NamedView} view
   * @param {Api.Account | null} me
   */
  constructor(view, me) {
    this.view = view;
    this.me = me;
    this.names = { ...view.names };
  }

  /** Return the model of a board; `me` is the own account or null. */
  static async load(view, me) {
    const model = new Model(view, me);
    await model.readLog();
    await model.reload();
    return model;
  }

  /** Read the events so far. */
  async readLog() {
    for (let next = 0; next !== null; ) {
      const page = await get(`/games/${this.view.id}/events?after=${next}&limit=500`);
      for (const item of page.items) this.record.add(item);
      next = page.next;
    }
  }

  /** Read the view, the disputes and the sides again. */
  async reload() {
    const path = `/games/${this.view.id}`;
    const [view, found, scoreboard] = await Promise.all([get(path), get(`${path}/disputes`), get(`${path}/scoreboard`)]);
    Object.assign(this, { view, disputes: found.items, sides: scoreboard.sides });
    this.names = { ...view.names, ...found.names, ...this.names };
    this.answers.clear();
  }

  /** Call `onChange()` after each change, and `onState(text)` when the server is away or back. */
  follow(onChange, onState) {
    const changed = latest(async () => {
      await this.reload();
      onChange();
    });
    return follow(this.view.id, (item) => {
      this.record.add(item);
      if (item.event && CHANGES.has(item.event.fact)) changed();
    }, { after: this.record.version, onState });
  }

  /** Return the answer to a question about a hand: "revokes", "draws" or "score". A hand that wasn't dealt has none. */
  async ask(question, hand) {
    const path = `/games/${this.view.id}/${question}${question === "draws" ? "" : `?hand=${hand}`}`;
    const failed = (error) => {
      this.answers.delete(path);
      return error.status === 404 ? null : Promise.reject(error);
    };
    if (!this.answers.has(path)) this.answers.set(path, get(path).catch(failed));
    return this.answers.get(path);
  }

  /** The seat of this viewer, also one that they have left; null without one. */
  get seat() {
    const id = this.me?.id;
    const held = this.view.seats.find((seat) => seat.player === id || seat.earlier.some((each) => each.player === id));
    return id && held ? held.seat : null;
  }

  get isArbiter() {
    return this.seat === null && Boolean(this.me?.roles?.includes("arbiter"));
  }

  /** The number of the hand in play or about to be dealt; null once the game is over. */
  get liveHand() {
    const { result, ceremony } = this.view;
    const deal = this.record.deal;
    if (result) return null;
    if (deal && deal.last === null) return deal.hand;
    return ceremony ? (deal?.hand ?? 0) + (deal?.isAgain ? 0 : 1) : null;
  }

  nameOfSeat(seat) {
    return nameOf(this.view.seats[seat].player, this.names);
  }

  nameOf(player) {
    return nameOf(player, this.names);
  }
}

/** Return a function that runs `task` once at a time, and once more if it's called meanwhile. A failure waits for the next call. */
function latest(task) {
  let running = false;
  let again = false;
  return async function run() {
    if (running) return void (again = true);
    running = true;
    await task().catch(() => {});
    running = false;
    if (!again) return;
    again = false;
    void run();
  };
}

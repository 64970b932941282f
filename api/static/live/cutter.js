// Cutting for the deal that waits, without being asked, if the player lets the page do that.

import { get } from "../base/net.js";
import { cutFor, forgetCuts, forgetSent, noteSent } from "./cuts.js";
import { Sender } from "./moves.js";

export class Cutter {
  at = null;

  // `table` is the game on the page.
  /** @param {import("./game.js").Game} table */
  constructor(table) {
    this.table = table;
  }

  // Cut once for the deal that waits. `isAsked` if the player has asked for it.
  async cut(isAsked = false) {
    const { latest: view, model: { prefs } } = this.table; // a deal doesn't wait for what the page shows
    const { ceremony, you } = view;
    if (!ceremony || !you?.may.includes("cut") || this.at === ceremony.n || !(prefs.cuts || isAsked)) return;
    this.at = ceremony.n;
    this.table.set({ cutting: { busy: true, failed: null, hand: null } });
    await oneTab(`trickbook-cut-${view.id}`, () => this.send(ceremony, view));
  }

  /**
   * @param {Api.WaitingDeal} ceremony
   * @param {Page.View} view
   */
  async send(ceremony, { id, you }) {
    const { table } = this;
    const fairness = table.record.fairness ?? (await readFairness(table.id));
    const made = await cutFor({ game: id, seat: you.seat, ceremony, isSealed: fairness?.cuts === "sealed" });
    if (made.move) noteSent(id, made.move);
    const answer = made.move ? await new Sender(table.id, () => {}).send(made.move, null).catch(() => null) : null;
    const { cutting } = table.model; // the deal may have come first
    table.set({ cutting: made.failed ? { busy: false, failed: made.failed, hand: null } : { ...cutting, busy: false } });
    if (!answer) return table.refresh().catch(() => {});
    forgetSent(id);
    forgetCuts(id, [made.move.next_seal, ...Object.values(answer.body.view.ceremony?.seals ?? {})]);
    table.take({ ...answer.body.view, names: answer.body.names }, answer.etag);
  }
}

async function readFairness(game) {
  const { items } = await get(`/games/${game}/events?after=0&limit=1`);
  const [first] = /** @type {Page.Line[]} */ (items);
  return first?.event?.data.fairness ?? null;
}

// Do something in one tab after the other, if the browser can say so.
function oneTab(name, work) {
  return navigator.locks ? navigator.locks.request(name, work) : work();
}

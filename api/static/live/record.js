// The log of the game as this page has got it, line by line: each is checked, told in words, and shown card by card.

import { Chain, keep, keptFor } from "./chain.js";
import { cutMissing, unheardCut } from "./cuts.js";
import { stepsOf } from "./playback.js";

const RECENT = 80; // events before the present one that are told when the page opens

const NOTED = new Set(["HandThrownIn", "MisdealDeclared"]); // the cards are gone, so the page says why

export class Record {
  told = 0;
  isLive = false;
  /** @type {Page.Trick | null} */
  trick = null;
  queue = Promise.resolve();
  fairness = null;

  // `table` is the game on the page: its model, `say`, `set` and the playback.
  /** @param {import("./game.js").Game} table */
  constructor(table) {
    this.table = table;
    this.chain = new Chain();
  }

  // Take up the record where an earlier visit left it.
  resume(game, view) {
    this.game = game;
    const kept = keptFor(game);
    if (kept?.rules && kept.size <= view.version) {
      this.chain.restore(kept);
      this.table.model.rules = kept.rules;
      this.fairness = kept.fairness;
      this.table.model.story.setting = kept.setting;
    }
    this.told = Math.max(0, Math.min(this.chain.size, view.version - RECENT));
  }

  // Return the version after which lines are needed.
  get after() {
    return Math.min(this.told, this.chain.size);
  }

  // Take lines in their order, each once. Lines that don't follow are left; the caller fetches what is missing.
  /** @param {Page.Line[]} items */
  add(items) {
    this.queue = this.queue.then(() => this.take(items));
    return this.queue;
  }

  /** @param {Page.Line[]} items */
  async take(items) {
    const fresh = items.filter(({ version }) => version > this.after);
    if (!fresh.length || fresh[0].version !== this.after + 1) return;
    const { table } = this;
    if (!this.isLive) table.model.story.begin(fresh, table.model.view);
    const trick = this.trick;
    for (const item of fresh) await this.line(item);
    await this.compare(table.model.view);
    if (this.isLive) table.playback.add(stepsOf(trick, fresh.flatMap(({ event }) => (event ? [event] : []))));
    keep(this.game, { ...this.chain.kept(), rules: table.model.rules, fairness: this.fairness, setting: table.model.story.setting });
    table.recorded(this.chain);
  }

  /** @param {Page.Line} item */
  async line(item) {
    if (item.version === this.chain.size + 1) await this.check(item);
    if (item.version <= this.told) return;
    this.told = item.version;
    if (item.event) this.tell(item.event);
  }

  // Without https the browser has no hashes, and the page says that it checks nothing.
  /** @param {Page.Line} item */
  async check(item) {
    if (globalThis.crypto?.subtle) await this.chain.add(item);
    else this.chain.size += 1;
  }

  // The root that the server names with a view is the one over these lines.
  /** @param {Page.View} view */
  async compare({ version, root }) {
    if (this.chain.size === version && globalThis.crypto?.subtle && (await this.chain.root()) !== root) this.chain.blame({ version }, "root");
  }

  /** @param {Api.EventEnvelope} event */
  tell(event) {
    const { table } = this;
    const { model } = table;
    if (event.data.rules && event.fact !== "RulesChangeDeferred") model.rules = event.data.rules;
    if (event.fact === "GameOpened") this.fairness = event.data.fairness;
    this.follow(event);
    const line = model.story.add(event, model);
    if (!this.isLive) return;
    if (line) table.say(line.text);
    if (NOTED.has(event.fact)) model.notice = { text: line.text, clauses: [], kind: "" };
    if (this.isCutting(model) && cutMissing(event, model.seat)) {
      const sent = unheardCut(this.game, event.data.n);
      model.cutting = { busy: false, failed: sent ? "unheard" : "late", hand: event.data.hand, sent };
    }
  }

  /** @param {Page.Model} model */
  isCutting({ prefs, seat, view }) {
    return prefs.cuts && seat !== null && view.seats[seat].state === "in" && (this.fairness?.cuts ?? "none") !== "none";
  }

  // Keep the trick as the lines so far leave it.
  /** @param {Api.EventEnvelope} event */
  follow({ fact, data }) {
    const now = this.trick ?? { number: 1, leader: null, plays: [] };
    if (fact === "CardPlayed") this.trick = { ...now, leader: now.leader ?? data.seat, plays: [...now.plays, { seat: data.seat, card: data.card }] };
    if (fact === "TrickTaken") this.trick = { number: data.trick + 1, leader: data.seat, plays: [] };
    if (fact === "HandDealt") this.trick = null;
    if (fact === "MovesTakenBack") this.trick = this.table.model.view.hand?.trick ?? null;
  }
}

// The log of the game as this page has got it, line by line: each is checked when it comes, and told when it's shown.

import { Chain, keep, keptFor } from "./chain.js";
import { cutMissing, unheardCut } from "./cuts.js";
import { playSound } from "./sound.js";

const RECENT = 80; // events before the present one that are told when the page opens

// Somebody refuses the undo or the draw that the page's player asked for.
const isRefusal = ({ fact, data }, { story, seat }) => (fact === "UndoAnswered" || fact === "DrawAnswered") && !data.accept && seat !== null && story.asker === seat && data.seat !== seat;
const NOTED = new Set(["HandThrownIn", "MisdealDeclared"]); // the cards are gone, so the page says why

export class Record {
  received = 0;
  told = 0;
  isLive = false;
  queue = Promise.resolve();
  fairness = null;
  sides = null;

  // `table` is the game on the page: its model, `say`, `set` and the queue of facts.
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
      Object.assign(this, { fairness: kept.fairness, sides: kept.sides });
      this.table.model.story.setting = kept.setting;
    }
    this.received = this.told = Math.max(0, Math.min(this.chain.size, view.version - RECENT));
  }

  // Return the version after which lines are needed.
  get after() {
    return Math.min(this.received, this.chain.size);
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
    for (const item of fresh) if (item.version === this.chain.size + 1) await this.check(item);
    await this.compare(table.latest);
    const lines = fresh.filter(({ version }) => version > this.received);
    this.received = Math.max(this.received, fresh.at(-1).version);
    table.recorded(this.chain);
    if (this.isLive) table.pace.add(lines);
    else for (const line of lines) this.tell(line);
    this.keep();
  }

  // Keep what the next visit needs, if the rules that are known are those after the last line.
  keep() {
    const { model } = this.table;
    if (this.told !== this.chain.size) return;
    keep(this.game, { ...this.chain.kept(), rules: model.rules, fairness: this.fairness, sides: this.sides, setting: model.story.setting });
  }

  // Return what the fold of facts needs of those before.
  known() {
    return { rules: this.table.model.rules, sides: this.sides, cuts: this.fairness?.cuts ?? "none" };
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

  // Tell a line in words; what was told already isn't told again.
  /** @param {Page.Line} line */
  tell({ version, event }) {
    if (version <= this.told) return;
    this.told = version;
    const { table } = this;
    const { model } = table;
    if (!event) return;
    if (event.data.rules && event.fact !== "RulesChangeDeferred") model.rules = event.data.rules;
    if (event.fact === "GameOpened") Object.assign(this, { fairness: event.data.fairness, sides: event.data.sides });
    if (event.fact === "HandScored") model.scored = event.data;
    const line = model.story.add(event, model);
    if (!this.isLive) return;
    playSound(event, model);
    if (line) table.say(line.text);
    if ((NOTED.has(event.fact) || isRefusal(event, model)) && table.pace.isNow()) model.notice = { text: line.text, clauses: [], kind: "" };
    if (this.isCutting(model) && cutMissing(event, model.seat)) {
      const sent = unheardCut(this.game, event.data.n);
      model.cutting = { busy: false, failed: sent ? "unheard" : "late", hand: event.data.hand, sent };
    }
  }

  /** @param {Page.Model} model */
  isCutting({ prefs, seat, view }) {
    return prefs.cuts && seat !== null && view.seats[seat].state === "in" && (this.fairness?.cuts ?? "none") !== "none";
  }
}

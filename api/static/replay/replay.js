// One game in replay: the moment that is shown, through whose eyes, and what is loaded.

import { define, t } from "../base/messages.js";
import { get, Unreached } from "../base/net.js";
import { setting } from "../base/settings.js";
import { cardWords } from "../table/words.js";
import { show } from "./address.js";
import { target } from "./controls.js";
import { followLines, loadLines } from "./lines.js";
import { Log } from "./log.js";
import { MyMoves } from "./my-moves.js";
import { modelAt, withHands } from "./moment.js";
import { Player } from "./player.js";
import { Reasons } from "./reasons.js";
import { Sandbox } from "./sandbox.js";
import { Views } from "./views.js";
import { Why } from "./why.js";
import { momentText } from "./words.js";

const FIRST_LINES = 100;

export class Replay {
  at = 1;
  seat = null;
  /** @type {Page.View | null} */
  view = null;
  /** @type {Api.Scoreboard | null} */
  scoreboard = null;
  trouble = null;
  note = null;
  /** @type {Sandbox | null} */
  sandbox = null;
  said = "";
  frame = null;

  /**
   * @param {Api.NamedView} view
   * @param {Api.SessionPlayer | null} player
   */
  constructor(view, player) {
    const mine = view.seats.findIndex((one) => one.player === player?.id);
    this.game = view.id;
    this.board = view.board;
    this.variant = view.variant;
    this.head = view.version;
    this.isLive = view.status === "active";
    this.mine = mine < 0 ? null : mine;
    this.log = new Log(view, player);
    this.views = new Views(this.game, { shown: (found) => this.shown(found), failed: (error, at, seat) => this.failed(error, at, seat) });
    this.reasons = new Reasons(this.game, () => this.draw());
    this.why = new Why(this.game, () => this.draw());
    this.player = new Player(this);
    this.myMoves = new MyMoves(this);
  }

  // How many events there are: those of the game, or more if it has gone on since.
  get size() {
    return Math.max(this.head, this.log.size);
  }

  get model() {
    if (this.sandbox?.answer) return this.sandbox.model;
    const model = modelAt(this.view, this.log, this.scoreboard);
    return this.showsHands ? withHands(model, this.log.heldAt(this.view.version)) : model;
  }

  // Whether the page shows the cards of all seats: the reader wants that, and everything dealt so far is open.
  get showsHands() {
    return setting("replayHands") && this.log.dealAt(this.view.version) !== null && this.log.isOpen(this.view.version);
  }

  get entry() {
    return this.log.telling(this.view.version);
  }

  // Load the beginning of the record and the moment that the address asks for.
  async open({ at, seat }) {
    await loadLines(this.game, this.log, 0, Math.min(this.head, FIRST_LINES), () => {});
    const begin = this.isLive ? this.head : (this.log.deals[0]?.start ?? 1);
    this.goTo({ at: at ?? begin, seat });
    await new Promise((resolve, reject) => {
      this.opened = { resolve, reject };
    });
    this.opened = null;
  }

  // Load the rest of the record and the scores, and follow the game if it goes on.
  async loadRest() {
    try {
      await loadLines(this.game, this.log, this.log.size, this.head, () => this.draw());
      this.scoreboard = await get(`/games/${this.game}/scoreboard`);
      this.trouble = null;
      if (this.isLive) await followLines(this.game, this.log, () => this.draw());
      this.reasons.want(this.model);
    } catch (error) {
      this.blame(error);
    }
    this.draw();
  }

  // Show the moment of an address. Without a seat it's the own one, or for watchers everybody's.
  goTo({ at, seat }) {
    const inside = Math.min(Math.max(1, at ?? this.at), this.size);
    const known = seat === undefined ? this.mine : seat;
    this.wish(inside, known);
  }

  // Go to a version; a jump can be gone back from.
  go(version, isJump) {
    this.wish(version, this.seat, isJump);
  }

  // Look through other eyes.
  look(seat) {
    this.note = null;
    this.wish(this.at, seat, true);
  }

  wish(at, seat, isJump = false) {
    if (isJump) this.player.stop();
    Object.assign(this, { at, seat, sandbox: null });
    show(at, seat, isJump);
    this.draw();
    this.views.want(at, seat);
  }

  // Do what a key or its button stands for.
  act(action) {
    if (action === "play") return this.player.toggle();
    if (!this.player.steps) this.player.stop();
    const to = action in JUMPS ? this.log.before(this.at, this.log[action]) : target(action, this.log, this.at);
    if (to === null) return;
    this.note = null;
    this.go(to, action in JUMPS);
  }

  // Go to the event that played a card or, if it's there already or the card wasn't played, to the one that dealt it.
  goToCard(card) {
    const { given, played } = this.log.traces(card, this.at);
    const to = played && played !== this.at ? played : given;
    if (!to) return;
    this.note = { card: cardWords(card), given, played };
    this.go(to, true);
  }

  /** @param {Page.View} view */
  shown(view) {
    Object.assign(this, { view, trouble: null });
    this.opened?.resolve();
    this.say(momentText(this.entry, this.model, this.size), false);
    this.reasons.want(this.model);
    this.draw();
  }

  // A seat that isn't open yet is left for the eyes of everybody, and the page says so.
  failed(error, at, seat) {
    if (error.status === 404 && seat !== null) {
      this.blame(error, t("replay.closed"));
      this.note = { text: t("replay.closed") };
      return this.wish(at, null);
    }
    if (this.opened) return this.opened.reject(error);
    this.blame(error);
    this.draw();
  }

  blame(error, text = error.message) {
    if (error.status === undefined && !(error instanceof Unreached)) console.error(error);
    this.trouble = { text };
    this.say(text);
  }

  // Try again what didn't work.
  retry() {
    if (!this.trouble) return;
    this.views.want(this.at, this.seat);
    if (!this.scoreboard) void this.loadRest();
  }

  // Read a text out, and show the note that it's about.
  say(text, isDrawn = true) {
    this.said = text;
    if (isDrawn) this.frame.say(text);
    else this.frame.saySoon(text);
  }

  // Return why the moment can't be played on differently: "later", "nobody", or null if it can.
  get branching() {
    const deal = this.log.dealAt(this.at);
    if (!deal || !this.log.revealed.has(deal.n)) return "later";
    return this.view.version === this.at && this.view.turn.seats.length ? null : "nobody";
  }

  enterSandbox() {
    this.player.stop();
    this.sandbox = new Sandbox(this.game, this.log, this.at, () => this.sandboxChanged());
    void this.sandbox.start();
  }

  sandboxChanged() {
    this.draw();
    if (this.sandbox && !this.sandbox.busy) this.say(this.sandbox.text);
  }

  leaveSandbox() {
    this.sandbox = null;
    this.draw();
    this.say(momentText(this.entry, this.model, this.size));
  }

  draw() {
    if (this.view && this.frame) this.frame.draw(this);
  }
}

const JUMPS = { changes: true, points: true };

define({
  "replay.closed": "That seat's cards at this moment aren't open to you. You see what everybody saw.",
});

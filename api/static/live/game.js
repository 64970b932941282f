// One game on the page: what the server says goes in, the page is drawn from it, and what the player does goes out.

import { Problem, ask, get } from "../base/net.js";
import { markedCards, playable } from "../table/hand.js";
import { headlineText, isMyTurn } from "../table/headline.js";
import { newModel, trickBefore, withState, withView } from "../table/model.js";
import { AWAY, refusalWords } from "../table/news.js";
import { t } from "../table/texts.js";
import { playerName } from "../table/words.js";
import { Chat } from "./chat.js";
import { Cutter } from "./cutter.js";
import { Sender } from "./moves.js";
import { Pace } from "./pace.js";
import { Plan } from "./plan.js";
import { Record } from "./record.js";
import { chime } from "./sound.js";

const TICK_MS = 3000; // with autoplay, cards are sent on this tick, whether they were forced or chosen
const SAY_MS = 250;
const BOARD_MS = 400;
const BACK_MS = 4000;
const OF_TURN = new Set(["play", "bid", "pass", "name_trump", "discard", "call_partner"]);

export class Game {
  lines = [];
  turnText = "";
  sayTimer = null;
  etag = null;
  offset = 0;
  boardKey = null;
  turnSince = null;
  rematchesAsked = 0;
  /** @type {number | null} the seat whose view the page asked for last */
  wanted = null;

  /** @type {Page.View | null} the server's newest view; the page may show an earlier moment */
  latest = null;
  /** @type {Page.View | null} the server's view that the page showed last */
  adopted = null;

  // `drawn` is called with the model whenever it has changed, `said` with a text to read out, and `animate` before a fact
  // is drawn.
  constructor(id, { drawn, said, prefs, animate }) {
    this.id = id;
    this.drawn = drawn;
    this.said = said;
    this.model = newModel(prefs);
    this.sender = new Sender(id, (pending) => this.set({ pending }));
    this.pace = new Pace(this, animate);
    this.plan = new Plan(this);
    this.record = new Record(this);
    this.cutter = new Cutter(this);
    this.chat = new Chat(this);
  }

  // Change what the page knows, and draw it.
  set(changes) {
    this.model = { ...this.model, ...changes, now: this.now() };
    if (this.model.view) this.drawn(this.model);
  }

  // Return the time at the server, as its answers tell it.
  now() {
    return Date.now() + this.offset;
  }

  // Begin with the answers that show what everybody sees, and what the player's seat does.
  async open(found, own, player) {
    const { body: view, headers } = (await own?.catch(() => null)) ?? found;
    this.record.resume(view.id, view);
    this.model = { ...this.model, me: player };
    this.take(view, headers.get("ETag"));
    this.wanted = this.model.seat;
    if (view.rules.rulebook) void this.readBook(view.rules.rulebook);
  }

  // Get the name of the rulebook, without which the page calls it house rules.
  async readBook(address) {
    const found = await get(`/rulebooks/${address}`).catch(() => null);
    if (found?.name) this.set({ book: found.name });
  }

  // Get the view again if it has changed. A seat that was handed over meanwhile shows what everybody sees.
  async refresh(seat = this.wanted) {
    this.wanted = seat;
    const path = seat === null ? `/games/${this.id}` : `/games/${this.id}/seats/${seat}`;
    try {
      const { body, headers } = await ask("GET", path, { headers: this.etag ? { "If-None-Match": this.etag } : {} });
      this.adjustClock(Date.parse(headers.get("Date") ?? ""));
      // An answer for another seat than the last one asked for is of before the player's seat changed.
      if (seat === this.wanted) this.take(body, headers.get("ETag"), seat !== this.model.seat);
    } catch (error) {
      const status = error instanceof Problem ? error.status : null;
      if (status === 404 && seat !== null) return seat === this.wanted ? this.leave() : undefined;
      if (status !== 304) throw error;
    }
    if (this.model.view) this.linked("live");
  }

  // Say that the page has no news of the game, and for a moment that it follows the game again.
  linked(link) {
    const isBack = link === "live" && AWAY.has(this.model.link);
    const isAway = AWAY.has(link) && !AWAY.has(this.model.link);
    if (link === "live" && this.model.link === "back") return;
    this.set({ link: isBack ? "back" : link });
    if (isBack || isAway) this.say(t(`link.${this.model.link}`));
    if (isBack) setTimeout(() => this.model.link === "back" && this.set({ link: "live" }), BACK_MS);
  }

  leave() {
    this.etag = null;
    return this.refresh(null);
  }

  adjustClock(date) {
    const away = date - Date.now();
    if (Math.abs(away) > 2000) this.offset = away;
  }

  // Take the server's newest view. It's shown when all the facts before it have been.
  /** @param {Page.View} view */
  take(view, etag, isOther = false) {
    if (this.latest && this.latest.version > view.version && !isOther) return;
    Object.assign(this, { latest: view, etag });
    this.cutter.cut();
    if (!this.model.view || isOther || !this.record.isLive) this.adopt(view);
    else void this.pace.run();
  }

  // Show the server's view, which says what the player can do.
  /** @param {Page.View} view */
  adopt(view) {
    const isLater = view.version > (this.adopted?.version ?? 0);
    this.adopted = view;
    this.model = withView(this.model, view);
    if (isLater && (view.result || isMyTurn(this.model))) this.model.notice = this.withoutRefusal();
    this.set({ before: trickBefore(this.model), shown: null, summary: null, busy: this.pace.isBusy });
    this.loadBoard();
    if (view.result && !this.rematchesAsked) void this.findRematch();
    const { since } = view.turn;
    if (!isMyTurn(this.model) || this.turnSince === since) return;
    this.turnSince = since;
    this.turnBegins();
  }

  // Return what is said to the player, unless it's a refusal: that goes with its moment.
  withoutRefusal() {
    const { notice } = this.model;
    return notice?.kind === "refused" ? null : notice;
  }

  // Take the state after one more fact, and tell the fact.
  /**
   * @param {Page.View} view
   * @param {Page.Line} line
   */
  fold(view, line) {
    this.model = withState(this.model, view);
    this.record.tell(line);
    if (line.event?.fact === "HandScored") void this.loadBoard();
    this.model.before = trickBefore(this.model);
  }

  // Say that the page shows how it is now, without the moves that led to it.
  jumped(n) {
    this.set({ notice: { text: t("pace.jumped", { n }), clauses: [], kind: "" } });
  }

  // Draw what new lines of the log have changed.
  recorded({ size, wrong }) {
    this.set({ log: { ...this.model.log, size, wrong } });
  }

  // What came before is told in the story alone; from now on it's read out and shown card by card.
  begin() {
    this.record.isLive = true;
  }

  // Follow the player's settings.
  chosen(prefs) {
    this.set({ prefs });
    this.cutter.cut();
    void this.pace.run();
  }

  // Collect what is to be read out, and read it out at once; that it's the player's turn comes last.
  say(...texts) {
    this.lines.push(...texts);
    this.sayTimer ??= setTimeout(() => {
      this.sayTimer = null;
      this.said([...this.lines.splice(0), this.turnText].filter(Boolean).join(" "));
      this.turnText = "";
    }, SAY_MS);
  }

  turnBegins() {
    this.turnText = t("say.turn.you", { what: headlineText(this.model) });
    this.say();
    const { view, prefs } = this.model;
    if (prefs.sound && this.record.isLive) chime();
    if (this.plan.play() || !prefs.auto || playable(this.model).length !== 1) return;
    void this.move(view.you.legal[0]);
  }

  // Make a move of the turn, or one out of turn. While one is under way, another is ignored.
  /** @param {Api.Move} move */
  async move(move) {
    const { view, prefs, busy } = this.model;
    if (this.sender.pending || this.waits || (busy && OF_TURN.has(move.type))) return;
    this.set({ notice: null, news: view.version, focus: "card" in move ? move.card : null });
    if (move.type === "play" && prefs.auto) await this.nextTick(view.turn);
    if (move.type === "play" && !playable(this.model).includes(move.card)) return;
    try {
      const { body, etag } = await this.sender.send(move, this.latest.version);
      this.take({ ...body.view, names: body.names }, etag);
    } catch (error) {
      await this.refused(move, error);
    }
  }

  async nextTick({ since }) {
    const passed = Math.max(0, this.now() - (Date.parse(since ?? "") || this.now()));
    this.waits = true;
    await new Promise((resolve) => setTimeout(resolve, TICK_MS - (passed % TICK_MS)));
    this.waits = false;
  }

  async refused(move, error) {
    this.plan.clear();
    await this.refresh().catch(() => {});
    if (error.status === 412) this.note(t("send.stale"));
    else if (error.status === 401) this.note(t("send.login"));
    else await this.explain(move, error);
  }

  // Ask where the other people at the table are. Only those who sit there are told.
  async lookRound() {
    const { view, seat } = this.model;
    if (seat === null || document.hidden || !view.seats.some((one) => one.seat !== seat && one.kind === "human" && one.state === "in")) return;
    const found = await get(`/games/${this.id}/presence`).catch(() => null);
    if (found && JSON.stringify(found.seats) !== JSON.stringify(this.model.presence)) this.set({ presence: found.seats });
  }

  // Find out whether another player of the finished game asks for a rematch.
  async findRematch() {
    const asking = (this.rematchesAsked += 1);
    if (!this.model.me || this.model.seat === null) return;
    const found = await get("/me/questions").catch(() => null);
    if (asking !== this.rematchesAsked) return; // a later question's answer may have come first
    const asked = found?.items.find((table) => table.rematch_of === this.id);
    const rematch = asked ? playerName(found, asked.opener) : null;
    if (rematch !== this.model.rematch) this.set({ rematch });
    if (rematch) this.say(t("ask.rematch", { name: rematch }));
  }

  // Say why a move isn't allowed, with the clauses of the rules.
  async explain(move, error = null) {
    const asked = await get(`/games/${this.id}/legal?move=${encodeURIComponent(JSON.stringify(move))}`).catch(() => null);
    const says = error ? (error.detail ?? error.message) : asked?.tried?.says;
    if (says) this.note(refusalWords(error?.type ?? asked?.tried?.code, says, this.model.view), asked?.tried?.clauses ?? [], "refused");
  }

  note(text, clauses = [], kind = "") {
    this.set({ notice: { text, clauses, kind } });
    this.say(text);
  }

  // Throw the marked cards away.
  discard() {
    return this.move({ type: "discard", cards: markedCards(this.model) });
  }

  // Get the scores again once another hand is scored or ruled on. They follow the log a little later.
  async loadBoard(tries = 5) {
    const { last_hand: last, disputes, result } = this.model.view;
    const key = JSON.stringify([last, disputes, result]);
    if (!last || this.boardKey === key) return;
    this.boardKey = key;
    const board = await get(`/games/${this.id}/scoreboard`).catch(() => null);
    if (board) this.set({ board: until(board, last.hand) });
    if (board?.hands.some(({ hand }) => hand === last.hand) || !tries) return;
    this.boardKey = null;
    setTimeout(() => this.loadBoard(tries - 1), BOARD_MS);
  }
}

// The scores up to a hand: the server may know of another one already, which the page hasn't come to.
function until(board, last) {
  const hands = board.hands.filter(({ hand }) => hand <= last);
  return hands.length && hands.length < board.hands.length ? { ...board, hands, totals: hands.at(-1).lines.map(({ total }) => total) } : board;
}

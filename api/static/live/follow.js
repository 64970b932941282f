// Following a game: each line of the log goes to the record, and then the view is fetched. The stream itself is the
// browser's one stream (base/stream.js), which fetches what it missed.

import { notice } from "../base/notices.js";
import { follow, followInbox } from "../base/stream.js";

const TOGETHER_MS = 30; // lines that come within this time are told together, and ask for one view
const CHECK_MS = 30_000;
const CHAT_MS = 12_000;
const AGAIN_MS = 2000;
const LOOK_MS = 12_000; // people who sit down together are there by then, and each server knows of all

const away = () => (navigator.onLine ? "lost" : "offline");

export class Follower {
  /** @type {Page.Line[]} */
  lines = [];
  soon = null;
  fetching = false;
  again = false;
  stops = [];

  /** @param {import("./game.js").Game} game */
  constructor(game) {
    this.game = game;
  }

  start() {
    const { game } = this;
    const after = game.record.after;
    const stop = follow(game.model.view.id, (line) => this.line(line), { after, onState: (state) => this.state(state) });
    const visible = () => [game.pace.run(), document.hidden || this.fetchView(), game.lookRound()];
    document.addEventListener("visibilitychange", visible);
    addEventListener("online", visible);
    const offline = () => game.linked("offline");
    addEventListener("offline", offline);
    const timers = [setInterval(visible, CHECK_MS), setInterval(() => this.lookAtChat(), CHAT_MS)];
    game.chat.load();
    const look = setTimeout(() => game.lookRound(), LOOK_MS);
    const unfollow = game.model.me ? followInbox((entry) => this.entry(entry)) : () => {};
    this.stops = [stop, unfollow, () => document.removeEventListener("visibilitychange", visible), () => removeEventListener("online", visible), () => removeEventListener("offline", offline), () => clearTimeout(look), ...timers.map((timer) => () => clearInterval(timer))];
  }

  // An entry of the player's inbox says that there is something to read, or that they are awaited.
  entry(entry) {
    notice(entry);
    if (entry.kind === "question" && entry.asks === "sit" && this.game.model.view.result) void this.game.findRematch();
    if (entry.kind === "chat" && entry.game === this.game.model.view.id) this.game.chat.load();
  }

  // The inbox tells players alone; watchers look now and then while they read.
  lookAtChat() {
    const { seat, tab } = this.game.model;
    if (seat === null && tab === "talk" && !document.hidden) this.game.chat.load();
  }

  // Stop following, as when the page shows something else.
  stop() {
    for (const stop of this.stops) stop();
  }

  line(line) {
    this.lines.push(line);
    this.soon ??= setTimeout(() => this.flush(), TOGETHER_MS);
  }

  async flush() {
    clearTimeout(this.soon);
    this.soon = null;
    const lines = this.lines.splice(0);
    if (!lines.length) return;
    await this.game.record.add(lines);
    if (lines.some(({ event }) => this.game.model.presence[event?.data.seat] === "offline")) void this.game.lookRound();
    if (lines.at(-1).version > this.game.latest.version) await this.fetchView();
  }

  // The first "live" ends what came before the page was opened: from then on, lines are news.
  async state(state) {
    if (state === "live") {
      await this.flush();
      this.game.begin();
      if (this.game.model.link !== "live") await this.fetchView();
    } else this.game.linked(state === "connecting" ? "reconnecting" : away());
  }

  // One view at a time: a line that comes meanwhile asks for one more.
  async fetchView() {
    this.again = true;
    if (this.fetching) return;
    this.fetching = true;
    try {
      while (this.again) {
        this.again = false;
        await this.game.refresh();
      }
    } catch {
      this.game.linked(away());
      setTimeout(() => this.fetchView(), AGAIN_MS);
    } finally {
      this.fetching = false;
    }
  }
}

/**
 * The tab that holds the event streams for all tabs of this browser. A browser opens at most six connections to a server
 * over HTTP/1.1: a stream in each of six tabs would leave none for anything else, without an error.
 *
 * The leader holds few streams: the inbox's, and those of the games that visible tabs follow. It looks at the other games
 * now and then. Which tab leads is settled by a lock, which the browser frees when the tab is gone. A tab that sleeps keeps
 * its lock but brings no news: a tab that asks it and gets no answer takes the lock over, and the old leader gives up its
 * streams when it wakes.
 */

import { addressOf, ROOT } from "./address.js";

const API = "/api/v1";
const MOST_GAMES = 2;
const LOOK_MS = 15_000;
const FORGET_MS = 150_000; // a hidden tab's timers run once a minute
const RECONNECT_MS = 3_000;
const ANSWER_MS = 5_000;
const LOCK = `trickbook.streams${ROOT}`;

/**
 * Lead as soon as the lock is free. `deliver(message)` reaches every tab, this one too; `ask()` tells the leader once more
 * what this tab follows; `changed(leads)` is called once it has taken the lock over from another tab, or lost it.
 */
export function lead({ deliver, ask, changed }) {
  const leader = new Leader({ deliver, ask, changed });
  if (navigator.locks) leader.wait();
  else queueMicrotask(() => leader.begin()); // not a secure context: each tab leads itself
  return leader;
}

class Leader {
  constructor({ deliver, ask, changed }) {
    this.deliver = deliver;
    this.ask = ask;
    this.changed = changed;
    this.leads = false;
    this.question = null; // the timer of an answer that this tab waits for
    this.wants = new Map(); // tab -> { game -> version }, visible, inbox, at
    this.streams = new Map(); // address -> Stream
  }

  /** Lead when the tabs before this one are gone. */
  wait() {
    this.waiting = new AbortController();
    void this.hold({ signal: this.waiting.signal });
  }

  takeOver() {
    this.waiting.abort();
    this.changed(true);
    void this.hold({ steal: true });
  }

  /** Hold the lock until the tab is gone, or until another tab takes the lock over. */
  async hold(options) {
    try {
      await navigator.locks.request(LOCK, options, () => {
        this.begin();
        return new Promise(() => {});
      });
    } catch {
      if (!options.signal?.aborted) this.resign();
    }
  }

  begin() {
    this.leads = true;
    this.heard();
    clearInterval(this.timer);
    this.timer = setInterval(() => this.look(), LOOK_MS);
    this.deliver({ kind: "leader" });
  }

  resign() {
    this.leads = false;
    clearInterval(this.timer);
    this.wants.clear();
    this.end();
    this.wait();
    this.changed(false);
  }

  /** Expect an answer of the leader. If this tab slept itself meanwhile, the answer may still be on its way: ask again. */
  expectAnswer() {
    if (this.leads || this.question !== null || !navigator.locks) return;
    const asked = Date.now();
    this.question = setTimeout(() => {
      this.question = null;
      if (Date.now() - asked > 2 * ANSWER_MS) this.ask();
      else this.takeOver();
    }, ANSWER_MS);
  }

  /** The leader has answered. */
  heard() {
    clearTimeout(this.question);
    this.question = null;
  }

  /** Take what a tab follows: { tab, games: { game: version }, inbox, visible }. */
  want(message) {
    if (!this.leads) return;
    this.wants.set(message.tab, { ...message, at: Date.now() });
    this.arrange();
  }

  drop(tab) {
    if (this.wants.delete(tab) && this.leads) this.arrange();
  }

  end() {
    for (const stream of this.streams.values()) stream.close();
    this.streams.clear();
  }

  /** Open all streams again: after sleep, a connection may be dead without an error. */
  renew() {
    this.end();
    if (this.leads) this.arrange();
  }

  /** Open the streams that are wanted, and close the others. */
  arrange() {
    const now = Date.now();
    for (const [tab, want] of this.wants) if (now - want.at > FORGET_MS) this.wants.delete(tab);
    const wanted = new Map();
    const all = [...this.wants.values()].sort((a, b) => Number(b.visible) - Number(a.visible) || b.at - a.at);
    for (const want of all.filter((each) => each.visible || all.length === 1))
      for (const [game, version] of Object.entries(want.games))
        if (wanted.has(game) || wanted.size < MOST_GAMES) wanted.set(game, Math.max(version, wanted.get(game) ?? 0));
    const inbox = all.find((each) => each.inbox)?.inbox;
    const addresses = new Map([...wanted].map(([game, version]) => [`/games/${game}/events`, version]));
    if (inbox) addresses.set("/me/events", inbox);
    for (const [address, stream] of this.streams)
      if (!addresses.has(address)) {
        stream.close();
        this.streams.delete(address);
      }
    for (const [address, after] of addresses)
      if (!this.streams.has(address)) this.streams.set(address, new Stream(address, after, this.deliver));
  }

  /** Ask the tabs of games without a stream to look by themselves. */
  look() {
    this.arrange();
    const games = new Set([...this.wants.values()].flatMap((want) => Object.keys(want.games)));
    for (const game of games) if (!this.streams.has(`/games/${game}/events`)) this.deliver({ kind: "look", game });
  }
}

/** The kinds of entries of an inbox; an event of a game has no name, which is "message". */
export const KINDS = [
  "turn", "deadline", "queue", "seat", "hand-over", "game-over", "invitation", "question", "refusal", "chat", "dispute",
  "moderation",
];

class Stream {
  closed = false;

  constructor(address, after, deliver) {
    this.address = address;
    this.after = after;
    this.deliver = deliver;
    this.open();
  }

  open() {
    this.source = new EventSource(addressOf(`${API}${this.address}?after=${encodeURIComponent(this.after)}`));
    this.source.onopen = () => this.deliver({ kind: "state", address: this.address, live: true });
    this.source.onerror = () => this.failed();
    const take = (event) => {
      this.after = event.lastEventId;
      this.deliver({ kind: "frame", address: this.address, id: event.lastEventId, name: event.type, data: event.data });
    };
    for (const name of [...KINDS, "message"])
      this.source.addEventListener(name, take);
  }

  /** EventSource connects again by itself after a broken connection, and gives up after a refusal. */
  failed() {
    this.deliver({ kind: "state", address: this.address, live: false });
    if (this.source.readyState !== EventSource.CLOSED || this.closed) return;
    this.timer = setTimeout(() => this.closed || this.open(), RECONNECT_MS * (1 + Math.random()));
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.source.close();
  }
}

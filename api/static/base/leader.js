/**
 * The tab that holds the event streams for all tabs of this browser. A browser opens at most six connections to a server
 * over HTTP/1.1: a stream in each of six tabs would leave none for anything else, without an error.
 *
 * The leader holds few streams: the inbox's, and those of the games that visible tabs follow. It looks at the other games
 * now and then. Which tab leads is settled by a lock, which the browser frees when the tab is gone.
 */

const API = "/api/v1";
const MOST_GAMES = 2;
const LOOK_MS = 15_000;
const FORGET_MS = 150_000; // a hidden tab's timers run once a minute
const RECONNECT_MS = 3_000;
const LOCK = "trickbook.streams";

/** Lead when the lock is free; `deliver(message)` reaches every tab, this one too. */
export function lead(deliver) {
  const leader = new Leader(deliver);
  if (!navigator.locks) {
    leader.begin(); // not a secure context: each tab leads itself
    return leader;
  }
  void navigator.locks.request(LOCK, () => {
    leader.begin();
    return new Promise(() => {}); // until the tab is gone
  });
  return leader;
}

class Leader {
  constructor(deliver) {
    this.deliver = deliver;
    this.leads = false;
    this.wants = new Map(); // tab -> { game -> version }, visible, inbox, at
    this.streams = new Map(); // address -> Stream
  }

  begin() {
    this.leads = true;
    this.deliver({ kind: "leader" });
    this.timer = setInterval(() => this.look(), LOOK_MS);
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

class Stream {
  constructor(address, after, deliver) {
    Object.assign(this, { address, after, deliver, closed: false });
    this.open();
  }

  open() {
    this.source = new EventSource(`${API}${this.address}?after=${encodeURIComponent(this.after)}`);
    this.source.onopen = () => this.deliver({ kind: "state", address: this.address, live: true });
    this.source.onerror = () => this.failed();
    const take = (event) => {
      this.after = event.lastEventId;
      this.deliver({ kind: "frame", address: this.address, id: event.lastEventId, name: event.type, data: event.data });
    };
    for (const name of ["message", "turn", "hand-over", "game-over", "question", "invitation", "chat", "dispute", "moderation"])
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

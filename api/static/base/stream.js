/**
 * What happens in a game and in the own inbox, as it happens, from one tab's streams for all tabs of the browser.
 *
 * A tab trusts no connection: it counts the versions, fetches what it missed, and compares when it becomes visible again
 * or the network comes back.
 */

import { ROOT } from "./address.js";
import { lead } from "./leader.js";
import { get, newKey, Unreached } from "./net.js";

const CHANNEL = `trickbook.streams${ROOT}`;
const HEARTBEAT_MS = 10_000;
const SLEPT_MS = 90_000; // a hidden tab's timers run once a minute
const PAGE = 200;

const tab = newKey();
const games = new Map(); // game id -> Follower
const inbox = { followers: new Set(), last: null };
const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel(CHANNEL) : null;
let beat = Date.now();
const leader = lead({
  deliver(message) {
    channel?.postMessage(message);
    take(message);
  },
  ask: tell,
  changed(leads) {
    for (const each of allFollowers()) each.onState("connecting");
    if (!leads) compare();
  },
});

/**
 * Call `onFrame(item)` with each item of a game's log after the version `after`, in order and once: the line of the export
 * that this viewer may see. `onState(text)` gets "live", "waiting" while the server can't be reached, "connecting" while
 * another tab takes the streams over, or "ended" if the game is no longer there for this viewer. Return a function that ends it. `game` is the game's id.
 */
export function follow(game, onFrame, { after = 0, onState = () => {} } = {}) {
  const follower = new Follower(game, onFrame, after, onState);
  const all = games.get(game) ?? new Set();
  games.set(game, all.add(follower));
  tell();
  void follower.catchUp();
  return () => {
    follower.ended = true;
    all.delete(follower);
    if (!all.size) games.delete(game);
    tell();
  };
}

/** Call `onEntry(entry)` for each new entry of the own inbox; return a function that ends it. */
export function followInbox(onEntry) {
  inbox.followers.add(onEntry);
  void startInbox();
  return () => {
    inbox.followers.delete(onEntry);
    tell();
  };
}

class Follower {
  running = null;
  again = false;
  ended = false;

  constructor(game, onFrame, after, onState) {
    this.game = game;
    this.onFrame = onFrame;
    this.onState = onState;
    this.version = after;
  }

  /** Take an item of the stream, or fetch what is missing before it. */
  take(item) {
    if (item.version <= this.version) return;
    if (item.version !== this.version + 1 || this.running) return void this.catchUp();
    this.accept(item);
  }

  accept(item) {
    if (this.ended || item.version !== this.version + 1) return;
    this.version = item.version;
    this.onFrame(item);
  }

  /** Fetch everything after the last version; once more if asked meanwhile. */
  async catchUp() {
    if (this.running) {
      this.again = true;
      return this.running;
    }
    this.running = this.fetchAll();
    await this.running;
    this.running = null;
    if (this.again && !this.ended) {
      this.again = false;
      await this.catchUp();
    }
  }

  async fetchAll() {
    try {
      for (let next = this.version; next !== null && !this.ended; ) {
        const page = await get(`/games/${this.game}/events?after=${next}&limit=${PAGE}`);
        for (const item of page.items) this.accept(item);
        next = page.next;
      }
      this.onState("live");
    } catch (error) {
      this.onState(error instanceof Unreached || error.status >= 500 || error.status === 429 ? "waiting" : "ended");
    }
  }
}

/** Tell the leader what this tab follows. */
function tell() {
  const versions = Object.fromEntries([...games].map(([game, all]) => [game, Math.min(...[...all].map((each) => each.version))]));
  const message = { kind: "want", tab, games: versions, inbox: inbox.followers.size ? inbox.last : null, visible: !document.hidden };
  channel?.postMessage(message);
  leader.want(message);
  leader.expectAnswer();
}

function take(message) {
  if (message.kind === "leader") tell();
  else if (message.kind === "look") for (const each of games.get(message.game) ?? []) void each.catchUp();
  else if (message.kind === "frame" && message.address === "/me/events") takeEntry(message);
  else if (message.kind === "frame") for (const each of followersAt(message.address)) each.take(JSON.parse(message.data));
  else if (message.kind === "state") for (const each of followersAt(message.address)) changed(each, message.live);
}

function changed(follower, live) {
  if (live) void follower.catchUp();
  else follower.onState("waiting");
}

const followersAt = (address) => games.get(address.split("/")[2]) ?? [];
const allFollowers = () => [...games.values()].flatMap((all) => [...all]);

/** Tell an entry once, though the old leader and the new one may both send it. An id is a generation and a number. */
function takeEntry(message) {
  const [generation, number] = message.id.split(".");
  const [lastGeneration, lastNumber] = (inbox.last ?? "").split(".");
  if (generation === lastGeneration && Number(number) <= Number(lastNumber)) return;
  inbox.last = message.id;
  const entry = JSON.parse(message.data);
  for (const follower of inbox.followers) follower(entry);
  window.dispatchEvent(new CustomEvent("inbox", { detail: entry }));
}

/** Find the end of the inbox, so that only what is new is told. */
async function startInbox() {
  try {
    inbox.last ??= (await get("/me/events?after=end")).last;
    tell();
  } catch {
    setTimeout(() => inbox.followers.size && inbox.last === null && void startInbox(), HEARTBEAT_MS);
  }
}

function compare() {
  tell();
  for (const each of allFollowers()) void each.catchUp();
}

/** After sleep, or without a network for a while: trust no connection. */
function wake() {
  leader.renew();
  compare();
}

if (channel)
  channel.onmessage = ({ data }) => {
    if (data.kind === "want") answer(data);
    else if (data.kind === "heard") data.tab === tab && leader.heard();
    else if (data.kind === "drop") leader.drop(data.tab);
    else take(data);
  };

function answer(message) {
  leader.want(message);
  if (leader.leads) channel.postMessage({ kind: "heard", tab: message.tab });
}

setInterval(() => {
  const passed = Date.now() - beat;
  beat = Date.now();
  if (passed > SLEPT_MS) wake();
  else tell();
}, HEARTBEAT_MS);
document.addEventListener("visibilitychange", () => (document.hidden ? tell() : compare()));
document.addEventListener("resume", wake);
window.addEventListener("online", wake);
window.addEventListener("session", () => {
  leader.end();
  tell();
});
window.addEventListener("pagehide", () => {
  channel?.postMessage({ kind: "drop", tab });
  leader.end();
});
window.addEventListener("pageshow", (event) => event.persisted && wake());

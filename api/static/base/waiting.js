/**
 * What waits for the player, on every page: a bell beside the account with a number, and the list that opens from it.
 *
 * Turns and questions to sit down are asked of the server. What else happened is in the inbox: this browser keeps the entries
 * that its player hasn't followed yet, so that each page reads only what is new.
 */

import { ownPath } from "./address.js";
import { personName } from "./bots.js";
import { h, replace, s } from "./dom.js";
import { ago, define, t } from "./messages.js";
import { get, send } from "./net.js";
import { loadText, saveText } from "./storage.js";

const KEY = "trickbook.waiting";
const LOOK_MS = 60_000;
const FIRST_LOOK_MS = 2_000;
const MOST = 99;
const KEPT = 50;
const GAMES = 100;
const SHOWN = new Set(["question", "refusal", "invitation", "seat", "dispute"]);
/** After these, what the game asked before is over. */
const GO_ON = new Set(["turn", "hand-over", "game-over"]);
const BELL = "M12 3a6 6 0 0 0-6 6v4l-2 3h16l-2-3V9a6 6 0 0 0-6-6Zm-2.5 15a2.5 2.5 0 0 0 5 0Z";

/** Draw the bell in a zone for a player, and keep its number up to date. */
export function showBell(zone, player) {
  stop();
  const count = h("span", { class: "bell-count", "aria-hidden": "true", hidden: true });
  const label = h("span", { class: "hidden-text" }, t("waiting.none"));
  const list = h("div", { id: "waiting", class: "waiting", popover: "auto" });
  const bell = h("button", { type: "button", class: "bell", popovertarget: "waiting" },
    s("svg", { viewBox: "0 0 24 24", width: 22, height: 22, "aria-hidden": "true" }, s("path", { d: BELL })), count, label);
  zone.append(bell, list);
  const draw = (items) => {
    replace(count, items.length, items.length > MOST ? `${MOST}+` : items.length);
    count.hidden = !items.length;
    replace(label, items.length, t(items.length ? "waiting.some" : "waiting.none", { count: items.length }));
    replace(list, JSON.stringify(items), () => [h("h2", null, t("waiting.title")), items.length ? h("ul", null, items.map((item) => line(item, again))) : h("p", { class: "empty" }, t("waiting.empty"))]);
  };
  const again = async () => {
    if (!document.hidden && bell.isConnected) await waiting(player).then(draw, () => {}); // the next look may succeed
  };
  const isTable = ownPath().startsWith("/games/");
  const first = setTimeout(() => void again(), isTable ? FIRST_LOOK_MS : 0); // the table itself comes first
  const soon = (/** @type {any} */ event) => {
    if (event.detail?.kind !== "turn" || !ownPath().startsWith("/games/")) void again(); // at a table, each trick would ask
  };
  const timer = setInterval(() => void again(), LOOK_MS);
  for (const name of NEWS) window.addEventListener(name, soon);
  document.addEventListener("visibilitychange", soon);
  stop = () => {
    clearTimeout(first);
    clearInterval(timer);
    for (const name of NEWS) window.removeEventListener(name, soon);
    document.removeEventListener("visibilitychange", soon);
  };
}

/** An entry of the inbox came, or the network. */
const NEWS = ["inbox", "online"];
let stop = () => {};

/** Return what waits for the player, and isn't on this page: { key, href, text, note, entry? }. */
async function waiting({ id, name }) {
  const [asked, active, news] = await Promise.all([get("/me/questions"), get(`/games?status=active&player=${encodeURIComponent(name)}&limit=${GAMES}`), readNews(id)]);
  const games = /** @type {Api.LobbyGame[]} */ (active.items);
  const turns = games.filter((game) => game.waiting.includes(id)).map((game) => ({ key: "turn", ...placed(game), note: ago(game.updated) }));
  const tables = asked.items.map((table) => ({ key: table.rematch_of ? "rematch" : "sit", ...placed(table), name: personName(asked.names[table.opener] ?? ""), note: "" }));
  const told = news.map((entry) => ({ key: keyOf(entry), ...placed(entry), note: ago(entry.at), entry }));
  return [...turns, ...tables, ...told].filter(({ href }) => href.split("#")[0] !== ownPath());
}

/**
 * Return board, name of the game and address that a line names.
 *
 * @param {{ board?: number, variant?: string, step?: string, dispute?: number, game?: string }} about
 */
const placed = ({ board, variant, step, dispute, game = null }) => ({
  board: String(board ?? ""),
  variant: variant ? variant.slice(0, 1).toUpperCase() + variant.slice(1) : "",
  href: step && dispute ? `/games/${board ?? game}/disputes#dispute-${dispute}` : `/games/${board ?? game}`,
});

const keyOf = ({ kind, asks, now, step }) => [kind, asks ?? now ?? step].filter(Boolean).join(".");

function line({ key, href, note, entry, ...values }, again) {
  const done = () => entry && forget(entry.id);
  const answer = (accepts) => async () => {
    const offer = `/games/${entry.game}/handovers/${entry.offer}`;
    await (accepts ? send("POST", `${offer}/accept`, {}) : send("POST", `${offer}/decline`, {})).catch((error) => replace(said, null, error.message));
    done();
    await again();
  };
  const said = h("span", { role: "alert" });
  const buttons = key === "invitation" ? [answer(true), answer(false)] : [];
  return h("li", null,
    h("a", { href, onclick: done }, t(`waiting.${key}`, values)), note && h("span", { class: "soft" }, " ", note),
    entry && h("span", { class: "buttons" },
      buttons.map((act, at) => h("button", { type: "button", class: "button small", onclick: act }, t(at ? "waiting.no" : "waiting.yes"))),
      h("button", { type: "button", class: "link", onclick: () => [done(), void again()] }, t("waiting.done"), h("span", { class: "hidden-text" }, " ", t(`waiting.${key}`, values)))),
    said);
}

/** Read the new entries of the inbox, and return those that the player hasn't followed. */
async function readNews(player) {
  let { last, entries } = kept(player);
  for (let next = last ?? ""; next !== null; ) {
    const page = await get(`/me/events?limit=100${next && `&after=${next}`}`);
    for (const entry of /** @type {any[]} */ (page.items)) {
      if (GO_ON.has(entry.kind)) entries = entries.filter((each) => each.game !== entry.game || each.kind !== "question");
      else if (isShown(entry)) entries = [...entries.filter((each) => each.game !== entry.game || keyOf(each) !== keyOf(entry) || each.dispute !== entry.dispute), entry];
    }
    ({ last, next } = page);
  }
  const accused = new Set(entries.filter(({ step }) => step === "accused").map(({ game, dispute }) => `${game} ${dispute}`));
  entries = entries.filter(({ step, game, dispute }) => step !== "opened" || !accused.has(`${game} ${dispute}`));
  const here = ownPath();
  entries = entries.filter((entry) => entry.kind === "invitation" || placed(entry).href.split("#")[0] !== here).slice(-KEPT); // this page shows it
  saveText(KEY, JSON.stringify({ player, last, entries }));
  return entries.toReversed();
}

const isShown = ({ kind, asks, now }) => SHOWN.has(kind) && asks !== "sit" && !(kind === "seat" && now === "person");

function forget(id) {
  const found = kept(null);
  saveText(KEY, JSON.stringify({ ...found, entries: found.entries.filter((entry) => entry.id !== id) }));
}

/** Return what this browser keeps for a player, or with null for whoever it is. */
function kept(player) {
  try {
    const found = JSON.parse(loadText(KEY) ?? "");
    if (player === null || found.player === player) return found;
  } catch {
    // Nothing is kept, or not by this page.
  }
  return { player, last: null, entries: [] };
}

define({
  "waiting.dispute.accused": "{variant}, board {board}: you are accused in a dispute. Answer in your words",
  "waiting.dispute.answered": "{variant}, board {board}: a player answers in a dispute",
  "waiting.dispute.appealed": "{variant}, board {board}: a player appeals against a ruling",
  "waiting.dispute.decided": "{variant}, board {board}: an arbiter has decided on the appeal",
  "waiting.dispute.delay-called": "{variant}, board {board}: a player calls delay of game",
  "waiting.dispute.delay-judged": "{variant}, board {board}: the delay call is judged",
  "waiting.dispute.opened": "{variant}, board {board}: a player opens a dispute",
  "waiting.dispute.ruled": "{variant}, board {board}: an arbiter has ruled",
  "waiting.dispute.withdrawn": "{variant}, board {board}: a dispute is withdrawn",
  "waiting.done": "Done",
  "waiting.empty": "Nothing waits for you.",
  "waiting.invitation": "{variant}, board {board}: a player offers you their seat",
  "waiting.no": "Decline",
  "waiting.none": "Nothing waits for you",
  "waiting.question.draw": "{variant}, board {board}: a player proposes to end the game without a winner",
  "waiting.question.handover": "{variant}, board {board}: a player wants to hand over their seat",
  "waiting.question.undo": "{variant}, board {board}: a player asks to take back a move",
  "waiting.refusal.draw": "{variant}, board {board}: your proposal of a draw is refused",
  "waiting.refusal.handover": "{variant}, board {board}: your hand-over is refused",
  "waiting.refusal.undo": "{variant}, board {board}: your undo is refused",
  "waiting.rematch": "{name} wants a rematch of {variant}",
  "waiting.seat.bot": "{variant}, board {board}: a bot plays your seat. You can take it back",
  "waiting.seat.table": "{variant}, board {board}: you are out of time, and the table plays your seat",
  "waiting.sit": "{name} asks you to play {variant}",
  "waiting.some": { one: "{count} thing waits for you", other: "{count} things wait for you" },
  "waiting.title": "What waits for you",
  "waiting.turn": "Your turn in {variant}, board {board}",
  "waiting.yes": "Take the seat",
});

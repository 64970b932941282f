/** The lobby: play now, tables to join, own games, games to watch. */

import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { get } from "../base/net.js";
import { notice } from "../base/notices.js";
import { choose, setting } from "../base/settings.js";
import { loading, showFailure, showWaiting, start } from "../base/shell.js";
import { followInbox } from "../base/stream.js";
import { showQueueLink } from "../disputes/queue-link.js";
import { actionButton } from "./forms.js";
import { finishedRow, gameRow, openTableRow, questionRow, tableRow } from "./lobby-rows.js";
import { playNow } from "./play-now.js";
import { variants } from "./words.js";

const LOOK_MS = 20_000;
const SHOWN = 10;
const FIRST = 4; // games that are offered at once

void start(async (main, session) => {
  const { items } = await variants();
  const zones = {
    mine: session.player && h("section", { class: "panel block wide" }, h("h2", null, t("lobby.mine")), rowsZone()),
    open: h("section", { class: "panel block" }, h("h2", null, t("lobby.open")), rowsZone()),
    watch: h("section", { class: "panel block" }, h("h2", null, t("lobby.watch")), h("p", { class: "hint" }, t("lobby.watch-hint")), rowsZone()),
    finished: session.player && h("section", { class: "panel block wide" }, h("h2", null, t("lobby.finished")), rowsZone()),
  };
  replace(main, "lobby", [hero(items, session), h("div", { class: "columns" }, zones.mine, zones.open, zones.watch, zones.finished)]);
  if (session.player && !session.player.guest) void showQueueLink().catch(() => {});
  await lists(zones, items, session);
});

/** Keep the lists up to date: at once when something happens to the player, and now and then for all else. */
async function lists(zones, items, session) {
  const context = { items, session };
  const update = () => Promise.all([mine(zones.mine, context), open(zones.open, context), watch(zones.watch, context), finished(zones.finished, context)]);
  let running = null;
  const again = () => {
    if (!document.hidden) running ??= update().finally(() => (running = null));
  };
  again();
  if (session.player)
    followInbox((entry) => {
      notice(entry);
      again();
    });
  setInterval(again, LOOK_MS);
  document.addEventListener("visibilitychange", again);
  window.addEventListener("online", again);
  await running;
}

/**
 * @param {Api.OfferedVariant[]} items
 * @param {Api.Session} session
 */
function hero(items, session) {
  const chosen = items.find((each) => each.name === setting("rules").last) ?? items[0];
  const picked = () => items.find((each) => each.name === /** @type {HTMLInputElement} */ (document.querySelector("input[name=variant]:checked")).value);
  const wait = h("p", { class: "hint", role: "status" });
  const play = async () => {
    choose("rules", { ...setting("rules"), last: picked().name });
    await playNow(picked(), session, (text) => replace(wait, text, text));
  };
  const may = session.player || session.guests;
  const name = h("p", { class: "chosen", "aria-hidden": "true" }, chosen.title); // the list may be longer than the window
  return h("section", { class: "hero" },
    h("div", null, h("h1", null, t("lobby.title")), h("p", { class: "lead" }, t("lobby.lead")), firstHand(session)),
    h("form", { class: "panel", onchange: () => replace(name, null, picked().title), onsubmit: (event) => [event.preventDefault(), document.getElementById("play-now")?.click()] },
      variantChoices(items, chosen),
      may
        ? [h("div", { class: "play-bar" }, name, h("p", { class: "buttons" }, actionButton(t("lobby.play"), play, { kind: "primary large", id: "play-now" }), h("a", { class: "button large", href: "/new" }, t("lobby.new")), h("a", { class: "button large", href: "/house-rules" }, t("lobby.house"))), wait),
          h("p", { class: "hint" }, t(session.player ? "lobby.play-hint" : "lobby.guest-hint"))]
        : h("p", { class: "buttons" }, h("a", { class: "button primary large", href: "/sign-in" }, t("lobby.sign-in")))));
}

/** The offer of a first hand: for guests and strangers, until they have begun it or sent it away. */
function firstHand({ player }) {
  if (setting("firstHand") || (player && !player.guest)) return null;
  const offer = h("p", { class: "first-hand" },
    h("a", { class: "button", href: "/first-hand" }, t("lobby.first-hand")), " ",
    h("button", { type: "button", class: "link", onclick: () => [choose("firstHand", true), offer.remove()] }, t("lobby.first-hand.no")));
  return offer;
}

/**
 * A few games, so that the button that begins stays in view, and all others a click away.
 *
 * @param {Api.OfferedVariant[]} items
 * @param {Api.OfferedVariant} chosen
 */
function variantChoices(items, chosen) {
  const choices = (shown) => h("div", { class: "variants" }, shown.map((item) => variantChoice(item, item === chosen)));
  const rest = items.slice(FIRST);
  return h("fieldset", { class: "games" }, h("legend", null, t("lobby.choose")), choices(items.slice(0, FIRST)),
    rest.length ? h("details", { class: "more-games", open: rest.includes(chosen) }, h("summary", null, t("lobby.more", { count: rest.length })), choices(rest)) : null);
}

/** @param {Api.OfferedVariant} item */
const variantChoice = (item, checked) =>
  h("label", { class: "variant" },
    h("input", { type: "radio", name: "variant", value: item.name, checked }),
    h("strong", null, item.title),
    h("span", null, item.says));

const rowsZone = () => h("div", { class: "rows-loading" }, loading());

/** Fill a block's rows, or say why it can't be done. A block that was filled once keeps its rows while it fails. */
async function fill(zone, read, row, empty) {
  const place = zone.lastElementChild;
  try {
    const rows = await read();
    replace(place, JSON.stringify(rows), () => (rows.length ? h("ul", { class: "rows" }, rows.map(row)) : h("p", { class: "empty" }, empty)));
    zone.dataset.filled = "yes";
    return rows;
  } catch (error) {
    if (!zone.dataset.filled) showFailure(place, error, () => void fill(zone, read, row, empty));
    return [];
  }
}

async function mine(zone, { items, session: { player } }) {
  if (!player) return;
  const name = encodeURIComponent(player.name);
  const read = async () => {
    const [questions, forming, active] = await Promise.all([get("/me/questions"), get(`/games?status=forming&player=${name}&limit=50`), get(`/games?status=active&player=${name}&limit=100`)]);
    const asked = new Set(questions.items.map((each) => each.id));
    const tables = forming.items.filter((each) => !asked.has(each.id));
    const waits = (game) => Number(game.waiting.includes(player.id));
    const games = [.../** @type {Api.LobbyGame[]} */ (active.items)].sort((a, b) => waits(b) - waits(a) || b.updated.localeCompare(a.updated));
    return [
      ...questions.items.map((item) => ({ kind: "question", item, names: questions.names, books: questions.rulebooks })),
      ...games.filter(waits).map((item) => ({ kind: "game", item, names: active.names, books: active.rulebooks })),
      ...tables.map((item) => ({ kind: "table", item, names: forming.names, books: forming.rulebooks })),
      ...games.filter((game) => !waits(game)).map((item) => ({ kind: "game", item, names: active.names, books: active.rulebooks })),
    ];
  };
  const row = ({ kind, item, names, books }) => ({ question: questionRow, game: gameRow, table: tableRow })[kind](item, names, { items, player, books });
  const rows = await fill(zone, read, row, t("lobby.mine-empty"));
  const count = rows.filter(({ kind, item }) => kind === "question" || (kind === "game" && item.waiting.includes(player.id))).length;
  replace(zone.firstElementChild, count, [t("lobby.mine"), count ? h("span", { class: "count" }, count, h("span", { class: "hidden-text" }, " ", t("lobby.waiting", { count }))) : null]);
  showWaiting(count);
}

const open = (zone, { items, session: { player } }) =>
  fill(zone, async () => {
    const { items: tables, names, rulebooks: books } = await get("/games?status=forming&limit=50");
    const free = (table) => table.seats.some((seat) => seat.state === "open") && !table.seats.some((seat) => player && seat.player === player.id);
    return tables.filter(free).slice(0, SHOWN).map((item) => ({ item, names, books }));
  }, ({ item, names, books }) => openTableRow(item, names, { items, books }), t("lobby.open-empty"));

const watch = (zone, { items, session: { player } }) =>
  fill(zone, async () => {
    const { items: games, names, rulebooks: books } = await get("/games?status=active&limit=50");
    const foreign = (game) => !game.seats.some((seat) => player && seat.player === player.id);
    return games.filter(foreign).slice(0, SHOWN).map((item) => ({ item, names, books }));
  }, ({ item, names, books }) => gameRow(item, names, { items, player: null, books }), t("lobby.watch-empty"));

const finished = (zone, { items, session: { player } }) =>
  player && fill(zone, async () => {
    const { items: games, names, rulebooks: books } = await get(`/games?status=finished&player=${encodeURIComponent(player.name)}&limit=${SHOWN}`);
    return games.map((item) => ({ item, names, books }));
  }, ({ item, names, books }) => finishedRow(item, names, { items, player, books }), t("lobby.finished-empty"));

define({
  "lobby.choose": "Which game?",
  "lobby.finished": "Finished games",
  "lobby.finished-empty": "None yet. Games that you finish are here, to look at again.",
  "lobby.first-hand": "New to Pitch? Play a first hand",
  "lobby.first-hand.no": "No, thanks",
  "lobby.guest-hint": "No form: you play as a guest, and can take a name later and keep your games.",
  "lobby.house": "House rules",
  "lobby.lead": "With friends or with bots. Every deal can be checked afterwards.",
  "lobby.mine": "Your games",
  "lobby.mine-empty": "No game is running. Press Play now, or sit down at an open table.",
  "lobby.more": { one: "{count} more game", other: "{count} more games" },
  "lobby.new": "Make a table",
  "lobby.open": "Open tables",
  "lobby.open-empty": "No table waits for players just now. Make one, and friends can join by a link.",
  "lobby.play": "Play now",
  "lobby.play-hint": "At a table that waits for one more player, or with bots.",
  "lobby.sign-in": "Sign in to play",
  "lobby.title": "Play a hand of cards",
  "lobby.waiting": { one: "game waits for you", other: "games wait for you" },
  "lobby.watch": "Watch",
  "lobby.watch-empty": "Nobody is playing at the moment.",
  "lobby.watch-hint": "A watcher sees the table, never a card that is still hidden. Tables with a delay show everything later.",
});

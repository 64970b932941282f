/** The scores of a game: a picture of the running scores and a table of the hands, as played and as ruled, live. */

import { ownPath } from "../base/address.js";
import { h, replace } from "../base/dom.js";
import { gameLink, gameLinks } from "../base/game-links.js";
import { list, t } from "../base/messages.js";
import { get, Problem } from "../base/net.js";
import { start } from "../base/shell.js";
import { follow } from "../base/stream.js";
import { isForming, nameOf, titleOf, variants } from "../pages/words.js";
import { minus } from "../table/texts.js";
import { handsTable } from "./hands-table.js";
import { drawNames, drawPicture } from "./picture.js";
import "./reasons.js";
import "./texts.js";
import { columnsOf, hasRulings, leadOf, outcomeOf, roundsOf } from "./sums.js";

const CHANGES = new Set(["HandScored", "GameEnded", "RulingGiven", "RulingDecided", "DelayJudged", "HandDealt", "SeatHandedOver", "SeatReturned", "SeatsDrawn"]);
const CAPTION = "score-caption";
const WAITS_MS = [0, 300, 700, 1500, 3000];

void start(async (main, session) => {
  const reference = ownPath().split("/")[2];
  const [{ items }, view] = await Promise.all([variants(), get(`/games/${reference}`)]);
  document.title = `${t("score.title", { board: view.board })} · trickbook`;
  if (isForming(view)) {
    replace(main, null, [h("h1", null, t("score.title", { board: view.board })), h("p", { class: "empty" }, t("score.absent")), links(view)]);
    return;
  }
  const page = { main, items, view, board: await get(`/games/${reference}/scoreboard`), asRuled: true, state: "live", me: session.player?.id };
  layOut(page);
  draw(page);
  new ResizeObserver(() => drawChart(page)).observe(page.zones.picture);
  if (view.status !== "finished") followGame(page);
});

function layOut(page) {
  page.zones = Object.fromEntries(["head", "which", "picture", "caption", "hands", "state"].map((name) => [name, h("div", { class: `score-${name}` })]));
  page.zones.caption.setAttribute("role", "status");
  page.zones.caption.id = CAPTION;
  replace(page.main, "score", h("div", { class: "score-page" },
    page.zones.head, page.zones.which,
    h("section", { class: "panel" }, h("h2", null, t("score.picture")), page.zones.picture, page.zones.caption, page.zones.state),
    h("section", { class: "panel" }, h("h2", null, t("score.hands")), page.zones.hands)));
}

function draw(page) {
  const { board, zones, view } = page;
  const asRuled = page.asRuled && hasRulings(board);
  const names = board.players.map((player) => (player === page.me ? t("score.you") : nameOf(player, board.names)));
  const columns = columnsOf(board);
  const rounds = roundsOf(board, asRuled);
  page.drawn = { names, columns, rounds, asRuled };
  replace(zones.head, null, [
    h("h1", null, t("score.title", { board: view.board })),
    h("p", { class: "lead" }, `${titleOf(page.items, view.variant)} · ${list(names)}`),
    board.unrated && h("p", { class: "unrated" }, h("span", { class: "tag" }, t(`unrated.${board.unrated}`))),
    links(view),
  ]);
  drawSwitch(page);
  drawChart(page);
  replace(zones.caption, null, captions(page).map((text) => h("p", null, text)));
  replace(zones.hands, null, rounds.length
    ? [h("p", { class: "hint" }, t("score.hands-hint"), hasGaps(rounds) ? ` ${t("score.gaps")}` : null), handsTable({ board, view, ...page.drawn })]
    : h("p", { class: "empty" }, t("score.none")));
  drawState(page);
}

function drawSwitch(page) {
  const shown = hasRulings(page.board);
  const option = (asRuled, text) => h("label", null, h("input", { type: "radio", name: "which", id: `which-${asRuled}`, checked: page.asRuled === asRuled, onchange: () => { page.asRuled = asRuled; draw(page); } }), " ", text);
  replace(page.zones.which, `${shown} ${page.asRuled}`, () => shown && h("fieldset", { class: "choices" },
    h("legend", null, t("score.which")),
    h("div", { class: "options" }, option(true, t("score.ruled")), option(false, t("score.played"))),
    h("p", { class: "hint" }, t("score.ruled-hint"))));
}

function drawChart(page) {
  const { names, columns, rounds } = page.drawn;
  const width = Math.floor(page.zones.picture.clientWidth);
  if (!width || !rounds.length) return;
  const lines = columns.map((seats) => ({ name: sideName(seats, names), totals: rounds.map(({ totals }) => totals[seats[0]]) }));
  const picture = { lines, hands: rounds.map(({ hand }) => hand.hand), goal: page.board.goal };
  replace(page.zones.picture, JSON.stringify([picture, width]), () => [drawPicture(picture, width, CAPTION), drawNames(lines, width)]);
}

/** Return the picture in words: the result or the lead, the scores, and how the lead changed. */
function captions({ board, drawn: { names, columns, rounds, asRuled } }) {
  const { scores, winners } = outcomeOf(board, asRuled);
  const led = (seats) => list(seats.map((seat) => names[seat]));
  const best = columns.filter(([seat]) => scores[seat] === Math.max(...scores));
  const first = winners.length ? winners : best.flat();
  const values = { names: led(first), score: minus(scores[first[0]]), count: scores[first[0]] };
  const texts = [board.result && !winners.length ? t("score.no-winner") : t(board.result ? "score.won" : "score.lead", values)];
  if (!rounds.length) return board.result ? texts : [];
  const ordered = columns.toSorted(([a], [b]) => scores[b] - scores[a]);
  texts.push(t("score.picture-text", { hand: rounds.at(-1).hand.hand, scores: ordered.map((seats) => t("score.row-score", { name: sideName(seats, names), score: minus(scores[seats[0]]) })) }));
  const { leader, since, changes } = leadOf(rounds, columns);
  if (leader) texts.push(t(changes ? "score.led" : "score.led-always", { names: led(leader), hand: since, count: changes }));
  return texts;
}

/** Return whether hands are missing between the scored ones: everybody passed. */
const hasGaps = (rounds) => rounds.at(-1).hand.hand > rounds.length;

const sideName = (seats, names) => seats.map((seat) => names[seat]).join(" & ");

function drawState({ zones, view, state, board }) {
  const playing = !board.result && view.hand && !board.hands.some(({ hand }) => hand === view.hand.number);
  const text = board.result ? null : state === "live" ? t("score.live") : t("score.stale");
  replace(zones.state, `${text} ${playing && view.hand.number}`, () => text && h("p", { class: "hint" }, playing ? `${t("score.playing", { hand: view.hand.number })} ` : null, text));
}

const links = (view) => (isForming(view) ? h("p", { class: "buttons" }, gameLink("table", view.board, { class: "button small" })) : gameLinks("score", view.board));

/** Draw the scores anew when something has happened that changes them. The list of scores follows a little later. */
function followGame(page) {
  let running = null;
  let again = false;
  const renew = () => {
    again = true;
    running ??= (async () => {
      while (again) {
        again = false;
        await reload(page, () => again);
      }
    })().finally(() => (running = null));
  };
  const end = follow(page.view.id, ({ event }) => {
    if (!event || CHANGES.has(event.fact)) renew();
    if (event?.fact === "GameEnded") setTimeout(() => end(), WAITS_MS.at(-1));
  }, { after: page.view.version, onState: (state) => { page.state = state; drawState(page); } });
}

async function reload(page, isStale) {
  for (const wait of WAITS_MS) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    if (isStale()) return;
    try {
      const [view, board] = await Promise.all([/** @type {Promise<Api.NamedView>} */ (get(`/games/${page.view.id}`)), get(`/games/${page.view.id}/scoreboard`)]);
      Object.assign(page, { view, board });
      draw(page);
      if ((view.last_hand?.hand ?? 0) <= (board.hands.at(-1)?.hand ?? 0) && !view.result === !board.result) return;
    } catch (error) {
      if (!(error instanceof Problem) || error.status < 500) return;
    }
  }
}

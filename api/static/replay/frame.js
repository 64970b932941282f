// The page of a replay: its frame, which stays, and its zones, which are drawn again when what they show has changed.

import { h, replace } from "../base/dom.js";
import { gameLinks } from "../base/game-links.js";
import { define, t } from "../base/messages.js";
import { adjust, makeControls } from "./controls.js";
import { drawKeyChoices } from "./keys.js";
import { drawPosition, makePosition } from "./position.js";
import { drawBanner, drawSandbox, drawSandboxEvents } from "./sandbox.js";
import { drawDoings, drawEmbed, drawEvents, drawStanding, drawViewer } from "./side.js";
import { momentText } from "./words.js";

const SAY_MS = 150; // texts of steps that follow each other faster aren't read out

// Make the page. It returns { page, draw, say, saySoon }.
export function makeFrame(replay) {
  const controls = makeControls({ act: (action) => replay.act(action), go: (version, isJump) => replay.go(version, isJump) });
  const said = h("p", { class: "hidden-text", role: "status", "aria-live": "polite", "data-say": "" });
  const page = framed(replay, controls, said);
  let timer = null;
  const say = (text) => {
    clearTimeout(timer);
    said.textContent = said.textContent === text ? `${text}\u00a0` : text;
  };
  const saySoon = (text) => {
    clearTimeout(timer);
    timer = setTimeout(() => say(text), SAY_MS);
  };
  return { page, say, saySoon, draw: (state) => draw(page, controls, state) };
}

function framed(replay, controls, said) {
  const zone = (name, attrs = {}) => h("div", { class: `zone zone-${name}`, "data-zone": name, ...attrs });
  return h(
    "div",
    { class: "table-page replay-page" },
    said,
    h(
      "div",
      { class: "table-main" },
      h("div", { class: "replay-top" }, h("h1", null, t("replay.title", { board: replay.board })), gameLinks("replay", replay.board)),
      zone("alerts"),
      zone("banner"),
      zone("moment"),
      controls.bar,
      makePosition(),
      zone("note"),
      zone("reasons"),
    ),
    h(
      "aside",
      { class: "table-side", "aria-label": t("replay.side") },
      h("section", { class: "replay-box" }, zone("viewer")),
      zone("doings"),
      fold("replay.events", zone("events"), true),
      fold("replay.why", zone("why")),
      replay.mine !== null && fold("my-moves", zone("my-moves")),
      fold("replay.scores", zone("standing")),
      fold("replay.embed", zone("embed")),
      fold("replay.keys", drawKeyChoices(() => replay.draw())),
    ),
  );
}

function fold(title, content, isOpen = false) {
  return h("details", { class: "menu", open: isOpen }, h("summary", { "data-key": title }, t(title)), content);
}

function draw(page, controls, replay) {
  const { sandbox, log, view } = replay;
  const model = replay.model;
  const state = { model, log, at: replay.at, seat: replay.seat, mine: replay.mine, board: replay.board, scoreboard: replay.scoreboard, branching: replay.branching };
  const fill = (name, key, content) => replace(page.querySelector(`[data-zone="${name}"]`), JSON.stringify(key), content);
  page.classList.toggle("in-sandbox", Boolean(sandbox));
  page.classList.toggle("watched", model.seat === null);
  page.classList.toggle("my-turn", Boolean(model.view.you?.legal.length));
  page.setAttribute("aria-busy", String(view.version !== replay.at && !replay.trouble));
  const now = momentText(log.telling(replay.at), { ...model, view: { ...model.view, version: replay.at } }, replay.size);
  const drawn = [view.version, view.you?.seat, replay.showsHands, log.size, replay.scoreboard !== null, sandbox && [sandbox.moves, sandbox.bots, sandbox.answer !== null, sandbox.marked], model.prefs];
  fill("alerts", [replay.trouble], () => drawTrouble(replay.trouble));
  fill("banner", [sandbox && [...drawn, sandbox.busy, sandbox.error?.message]], () => (sandbox ? drawBanner(sandbox) : null));
  fill("moment", [now, Boolean(sandbox)], () => (sandbox ? null : h("p", { class: "replay-now" }, now)));
  fill("note", [replay.note, Boolean(sandbox)], () => (sandbox ? null : drawNote(replay.note)));
  for (const [name, content] of Object.entries(drawPosition(model))) fill(name, drawn, content);
  const reasons = sandbox ? null : replay.reasons.draw(model);
  fill("reasons", [...drawn, reasons?.textContent], reasons);
  fill("actions", [...drawn, sandbox?.call], () => (sandbox ? drawSandbox(sandbox) : null));
  fill("viewer", [replay.showsHands, replay.at, replay.seat, log.size, log.revealed.size, model.view.seats.map(({ player }) => player)], () => drawViewer(state));
  fill("doings", [replay.at, replay.seat, replay.branching], () => drawDoings(state));
  fill("events", [drawn[5], replay.at, log.size], () => (sandbox ? drawSandboxEvents(sandbox) : drawEvents(state)));
  fill("why", [...replay.why.key(log, replay.at), model.names], () => replay.why.draw(state));
  if (replay.mine !== null) fill("my-moves", [...replay.myMoves.key, model.names], () => replay.myMoves.draw(model));
  fill("standing", drawn, () => drawStanding(state));
  fill("embed", [log.dealAt(replay.at)?.first, log.revealed.size], () => drawEmbed(state));
  controls.bar.hidden = Boolean(sandbox);
  adjust(controls, log, replay.at, replay.size, now, replay.player.isOn);
  keepInView(page);
}

function drawTrouble(trouble) {
  if (!trouble) return null;
  return h("div", { class: "alert" }, h("span", null, trouble.text, " "), h("button", { type: "button", class: "button small", "data-do": "again", "data-key": "again" }, t("replay.again")));
}

function drawNote(note) {
  if (!note) return null;
  const link = (key, version) => version && h("button", { type: "button", class: "link", "data-do": "event", "data-version": version, "data-key": `note ${key}` }, t(key, { version }));
  const about = note.text ?? [note.card, ": ", link("replay.note.given", note.given), note.given && note.played ? ", " : null, link("replay.note.played", note.played)];
  return h("p", { class: "replay-note" }, about);
}

// Scroll the list of events so that the present one is seen, without moving the page.
function keepInView(page) {
  const list = page.querySelector(".replay-events");
  const now = list?.querySelector("[aria-current]");
  if (now) list.scrollTop = now.offsetTop - list.clientHeight / 2;
}

define({
  "replay.again": "Try again",
  "replay.embed": "Embed this hand",
  "replay.events": "Events of this hand",
  "replay.keys": "Keys",
  "replay.note.given": "dealt in event {version}",
  "replay.note.played": "played in event {version}",
  "replay.scores": "Scores so far",
  "replay.side": "About this moment",
  "replay.title": "Replay of board {board}",
});

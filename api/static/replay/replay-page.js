/** Any moment of a game, as a seat or a watcher saw it: the page's frame, and what its buttons and keys do. */

import { ownPath } from "../base/address.js";
import { h } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { get } from "../base/net.js";
import { choose, onChoice } from "../base/settings.js";
import { start } from "../base/shell.js";
import { moveFocus } from "../live/keys.js";
import { isForming } from "../pages/words.js";
import { discardOf, markedCards } from "../table/hand.js";
import { sorted } from "../table/words.js";
import { asked, asksMyMoves, asksWhatIf, link, NOBODY } from "./address.js";
import { copied } from "./copy.js";
import { actionOf } from "./keys.js";
import { explainGrade } from "./grade.js";
import { makeFrame } from "./frame.js";
import { Replay } from "./replay.js";

void start(async (main, session) => {
  const [, , board] = ownPath().split("/");
  const view = await get(`/games/${board}`);
  if (isForming(view)) return main.replaceChildren(notDealt(board));
  document.title = `${t("replay.title", { board: view.board })} · trickbook`;
  const replay = new Replay(view, session.player);
  const frame = makeFrame(replay);
  replay.frame = frame;
  await replay.open(asked());
  main.replaceChildren(frame.page);
  replay.draw();
  listen(frame.page, replay);
  window.addEventListener("hashchange", () => atOnce(replay));
  await replay.loadRest();
  atOnce(replay);
});

// Play on differently at once, or open the comparison of own moves, if the address asks for it.
function atOnce(replay) {
  if (asksWhatIf() && !replay.branching) replay.enterSandbox();
  /** @type {HTMLDetailsElement | null} */
  const moves = document.querySelector("details:has([data-zone=my-moves])");
  if (!moves || !asksMyMoves()) return;
  moves.open = true;
  moves.scrollIntoView({ block: "nearest" });
}

function notDealt(board) {
  return h("section", { class: "state" }, h("h1", null, t("replay.forming")), h("p", null, t("replay.forming.text")), h("p", { class: "buttons" }, h("a", { class: "button primary", href: `/games/${board}` }, t("replay.table"))));
}

function listen(page, replay) {
  page.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (button && button.getAttribute("aria-disabled") !== "true") CLICKS[button.dataset.do]?.(replay, button);
    else if (button?.dataset.card) CLICKS[button.dataset.do](replay, button);
  });
  page.addEventListener("change", ({ target }) => CHANGES[target.dataset.do]?.(replay, target));
  document.addEventListener("keydown", (event) => keyed(event, page, replay));
  window.addEventListener("popstate", () => replay.goTo(asked()));
  window.addEventListener("online", () => replay.retry());
  onChoice(() => replay.draw());
}

function keyed(event, page, replay) {
  if (document.querySelector("dialog[open]")) return;
  const group = event.target.closest?.(".hand");
  if (group && page.contains(group) && moveFocus(event, group)) return;
  if (event.key === "Escape" && replay.sandbox) return replay.leaveSandbox();
  const action = replay.sandbox ? null : actionOf(event);
  if (!action) return;
  event.preventDefault();
  replay.act(action);
}

const CLICKS = {
  card: (replay, { dataset }) => replay.goToCard(dataset.card),
  play: (replay, { dataset }) => (replay.sandbox ? playInSandbox(replay.sandbox, dataset.card) : replay.goToCard(dataset.card)),
  mark: (replay, { dataset }) => (replay.sandbox ? mark(replay, dataset.card) : replay.goToCard(dataset.card)),
  event: (replay, { dataset }) => replay.go(Number(dataset.version), true),
  copy: (replay) => copied(link(replay.at, replay.seat)).then((done) => replay.say(t(done ? "replay.copied" : "replay.not-copied"))),
  "copy-iframe": (replay) => copied(/** @type {HTMLTextAreaElement} */ (document.querySelector("#replay-iframe")).value).then((done) => replay.say(t(done ? "replay.copied.line" : "replay.not-copied"))),
  again: (replay) => replay.retry(),
  "explain-grade": (_, button) => explainGrade(button),
  why: (replay) => replay.why.fetch(replay.log, replay.at),
  "my-moves": (replay) => replay.myMoves.fetch(),
  "what-if": (replay) => replay.enterSandbox(),
  "sandbox-leave": (replay) => replay.leaveSandbox(),
  "sandbox-bots": (replay) => replay.sandbox.finish(),
  "sandbox-undo": (replay) => replay.sandbox.takeBack(),
  move: (replay, { dataset }) => replay.sandbox?.move(JSON.parse(dataset.move)),
  discard: (replay) => replay.sandbox.move({ type: "discard", cards: markedCards(replay.sandbox.model) }),
  "mark-lowest": (replay) => markLowest(replay),
  "call-suit": (replay, { dataset }) => change(replay, { call: dataset.suit }),
};

const CHANGES = {
  seat: (replay, { value }) => replay.look(value === NOBODY ? null : Number(value)),
  skips: (_, { checked }) => choose("replaySkips", checked),
  hands: (_, { checked }) => choose("replayHands", checked),
};

function playInSandbox(sandbox, card) {
  const isLegal = sandbox.model.view.you?.legal.some((move) => move.type === "play" && move.card === card);
  if (isLegal) void sandbox.move({ type: "play", card });
}

function change(replay, changes) {
  Object.assign(replay.sandbox, changes);
  replay.draw();
}

function mark(replay, card) {
  const { marked, model } = replay.sandbox;
  if (discardOf(model)?.from.includes(card)) change(replay, { marked: marked.includes(card) ? marked.filter((other) => other !== card) : [...marked, card] });
}

// Mark as many more cards as must go, the lowest first.
function markLowest(replay) {
  const { marked, model } = replay.sandbox;
  const { from, min } = discardOf(model);
  const now = markedCards(model);
  const rest = sorted(from.filter((card) => !now.includes(card)), "ranks", null, !model.view.rules.reverse);
  change(replay, { marked: [...marked, ...rest.slice(0, Math.max(0, min - now.length))] });
}

define({
  "replay.copied": "The link to this moment is copied.",
  "replay.copied.line": "The line is copied.",
  "replay.forming": "Nothing to replay yet",
  "replay.forming.text": "This table hasn't been dealt. Its replay begins with the first deal.",
  "replay.not-copied": "The browser doesn't allow copying. The address of this page is the link.",
  "replay.table": "To the table",
});

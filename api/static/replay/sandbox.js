// What if: a revealed hand played on with other moves. The server works it out and keeps nothing of it.

import { h } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { ask } from "../base/net.js";
import { drawActions } from "../table/actions.js";
import { newModel, withView } from "../table/model.js";
import { Story } from "../table/story.js";
import { signed } from "../table/texts.js";
import { shortName } from "../table/words.js";
import { prefs } from "../live/prefs.js";

export class Sandbox {
  moves = [];
  bots = null;
  /** @type {Api.Branch | null} */
  answer = null;
  error = null;
  busy = false;
  marked = [];
  call = null;

  // A sandbox of a game that begins after the event `at`. `changed` is called when there is something else to show.
  /**
   * @param {string} game
   * @param {import("./log.js").Log} log
   * @param {number} at
   * @param {() => void} changed
   */
  constructor(game, log, at, changed) {
    this.game = game;
    this.log = log;
    this.at = at;
    this.changed = changed;
  }

  start() {
    return this.ask([], null);
  }

  // Make a move of the seat whose turn it is.
  move(move) {
    return this.ask([...this.moves, { ...move, seat: this.model.seat }], null);
  }

  // Let bots play the hand to its end.
  finish() {
    return this.ask(this.moves, "simple");
  }

  // Take back the last move, or what the bots played.
  takeBack() {
    return this.ask(this.bots ? this.moves : this.moves.slice(0, -1), null);
  }

  async ask(moves, bots) {
    if (this.busy) return;
    Object.assign(this, { busy: true, error: null });
    this.changed();
    try {
      const { body } = await ask("POST", `/games/${this.game}/branches`, { body: { at: this.at, moves, bots } });
      Object.assign(this, { moves, bots, answer: body, marked: [], call: null });
    } catch (error) {
      this.error = error;
    }
    this.busy = false;
    this.changed();
  }

  // What the table's drawing functions get: the view of the seat to move, or at the end everybody's.
  get model() {
    const turn = this.answer.views[0].view.turn.seats[0] ?? null;
    const { view } = this.answer.views.find(({ seat }) => seat === turn);
    const still = view.you ? { ...view, you: { ...view.you, may: [] } } : view;
    const model = withView({ ...newModel(prefs()), names: this.log.names, me: this.log.me, rules: this.log.rulesAt(this.at) }, still);
    return { ...model, marked: this.marked, call: this.call };
  }

  // Return what happened in the sandbox, in words.
  get lines() {
    const { hand, next, setting } = this.log.entry(this.at);
    const story = Object.assign(new Story(), { hand, trick: next, setting });
    const model = this.log.modelAt(this.at);
    return this.answer.facts.flatMap((fact) => story.add(fact, model) ?? []).map(({ text }) => text);
  }

  get text() {
    if (this.error) return this.error.message;
    if (this.busy || !this.answer) return t("sandbox.busy");
    return [this.lines.at(-1), this.isOver ? t("sandbox.over") : t("sandbox.turn", { name: shortName(this.model, this.model.seat) })].filter(Boolean).join(" ");
  }

  get isOver() {
    return this.answer.views[0].view.turn.seats.length === 0 || this.answer.score !== null;
  }
}

// Draw the banner of the sandbox, with the way back.
/** @param {Sandbox} sandbox */
export function drawBanner(sandbox) {
  return h(
    "section",
    { class: "sandbox-banner", "aria-label": t("sandbox.title") },
    h("h2", null, t("sandbox.title")),
    h("p", null, t("sandbox.text", { at: sandbox.at })),
    h("p", { class: "sandbox-now" }, sandbox.text),
    h("div", { class: "replay-row" },
      button("sandbox-leave", "primary", true),
      button("sandbox-bots", "", !sandbox.busy && sandbox.answer && !sandbox.isOver),
      button("sandbox-undo", "", !sandbox.busy && (sandbox.moves.length > 0 || sandbox.bots))),
  );
}

function button(name, look, isOn) {
  return h("button", { type: "button", class: `button ${look}`.trim(), "data-do": name, "data-key": name, "aria-disabled": isOn ? null : "true" }, t(`sandbox.${name}`));
}

// Draw the moves to choose from, and at the end the scores beside those of the game.
/** @param {Sandbox} sandbox */
export function drawSandbox(sandbox) {
  if (!sandbox.answer) return null;
  return sandbox.isOver ? drawScores(sandbox) : drawActions(sandbox.model);
}

/** @param {Sandbox} sandbox */
function drawScores({ answer, model }) {
  const { score, as_played: played } = answer;
  if (!score) return h("p", { class: "soft" }, t("sandbox.unscored"));
  const seats = model.view.seats.map((_, seat) => seat);
  const row = (name, changes) => h("tr", null, h("th", { scope: "row" }, t(name)), seats.map((seat) => h("td", null, changes ? signed(changes[seat]) : "–")));
  return h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": t("sandbox.scores") },
    h("table", { class: "score-table" },
      h("thead", null, h("tr", null, h("td"), seats.map((seat) => h("th", { scope: "col" }, shortName(model, seat))))),
      h("tbody", null, row("sandbox.score", score.changes), row("sandbox.played", played?.changes))));
}

// Draw what happened in the sandbox.
/** @param {Sandbox} sandbox */
export function drawSandboxEvents(sandbox) {
  if (sandbox.answer && !sandbox.lines.length) return h("p", { class: "empty-note" }, t("sandbox.nothing"));
  return sandbox.answer ? h("ol", { class: "replay-events plain" }, sandbox.lines.map((line) => h("li", null, h("p", null, line)))) : null;
}

define({
  "sandbox.busy": "The server works it out …",
  "sandbox.nothing": "Nothing has happened in the sandbox yet.",
  "sandbox.over": "The hand is over.",
  "sandbox.played": "As it was played",
  "sandbox.sandbox-bots": "Let bots play on",
  "sandbox.sandbox-leave": "Back to the game",
  "sandbox.sandbox-undo": "Take back",
  "sandbox.score": "In the sandbox",
  "sandbox.scores": "Scores of the hand",
  "sandbox.text": "You play every seat from event {at} on, with the cards that were really dealt. Nothing here counts or is kept.",
  "sandbox.title": "What if? A sandbox",
  "sandbox.turn": "{name} to move.",
  "sandbox.unscored": "The hand wasn't scored.",
});

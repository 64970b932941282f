// Why a strong bot played as it did: asked for by a button, once the hand is revealed.

import { h } from "../base/dom.js";
import { define, hundredths, t } from "../base/messages.js";
import { get } from "../base/net.js";
import { minus } from "../table/texts.js";
import { moveText, seatName } from "../table/words.js";

const STRONG = "bot:strong:";
const MOVES = ["BidMade", "BidPassed", "TrumpNamed", "PartnerCalled", "CardsDiscarded", "CardPlayed"];

export class Why {
  kept = new Map();

  // `found` is called when there is more to show.
  constructor(game, found) {
    this.game = game;
    this.found = found;
  }

  // What the panel shows at an event: changes with it.
  key(log, at) {
    return [at, canExplain(log, at), JSON.stringify(this.kept.get(at) ?? null)];
  }

  async fetch(log, at) {
    const { hand } = log.dealAt(at);
    const answer = get(`/games/${this.game}/hands/${hand}/choices?at=${at}`);
    const shown = await answer.then(({ choices }) => choices[0] ?? { error: t("replay.why.none") }, (error) => ({ error: error.message }));
    this.kept.set(at, shown);
    this.found();
  }

  draw({ model, log, at }) {
    const choice = this.kept.get(at);
    if (choice?.error) return h("p", { class: "soft" }, choice.error);
    if (choice) return drawChoice(model, choice);
    if (!canExplain(log, at)) return h("p", { class: "soft" }, t("replay.why.later"));
    return h("button", { type: "button", class: "button", "data-do": "why", "data-key": "why" }, t("replay.why.ask"));
  }
}

/** @param {import("./log.js").Log} log */
function canExplain(log, at) {
  const event = log.entry(at)?.event;
  const deal = log.dealAt(at);
  return Boolean(event?.by.startsWith(STRONG) && MOVES.includes(event.fact) && deal && log.revealed.has(deal.n));
}

/** @param {Page.Model} model */
function drawChoice(model, { seat, worlds, options, chosen, right, hurried, played }) {
  const name = seatName(model, seat);
  if (!worlds) return h("p", null, t("replay.why.only", { name, move: moveText(chosen, model.view) }));
  const best = options.toSorted((a, b) => b.gain - a.gain);
  const isChosen = ({ move }) => JSON.stringify(move) === JSON.stringify(chosen);
  const row = (option) =>
    h("tr", null,
      h("th", { scope: "row" }, moveText(option.move, model.view), isChosen(option) && h("span", { class: "soft" }, ` ${t("replay.why.chosen")}`)),
      h("td", null, String(option.best)),
      h("td", null, minus(hundredths(option.gain))));
  return [
    h("p", null, t("replay.why.said", { name, worlds, move: moveText(best[0].move, model.view), best: best[0].best })),
    h("p", { class: "soft" }, t("replay.why.gains")),
    h(
      "table",
      { class: "replay-why" },
      h("thead", null, h("tr", null, ["move", "best", "gain"].map((head) => h("th", { scope: "col" }, t(`replay.why.${head}`))))),
      h("tbody", null, best.map(row)),
    ),
    hurried ? h("p", null, t("replay.why.hurried", { move: moveText(played, model.view) })) : null,
    right || hurried ? null : h("p", { class: "alert" }, t("replay.why.wrong")),
  ];
}

define({
  "replay.why": "Why this move",
  "replay.why.ask": "Why did the bot play this?",
  "replay.why.best": "Best in",
  "replay.why.chosen": "(chosen)",
  "replay.why.gain": "Gain",
  "replay.why.gains": "The gain is the average of these deals: the points of the bot's side, less those of the others.",
  "replay.why.hurried": "It had no time to find that out, and played like the simple bot: {move}.",
  "replay.why.later": "Go to a move of a strong bot in a hand that is over.",
  "replay.why.move": "Move",
  "replay.why.none": "The bot had nothing to choose here.",
  "replay.why.only": "{name} could only {move}.",
  "replay.why.said": "Of {worlds} deals that {name} couldn't rule out, this was best in {best}: {move}.",
  "replay.why.wrong": "The record has another move than the bot chooses.",
});

// The table at a moment, drawn by the table's own functions. Cards are buttons that lead to the events they are in.

import { h } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { drawAsks } from "../table/asks.js";
import { drawHand } from "../table/hand.js";
import { drawForce, headlineText } from "../table/headline.js";
import { drawResult } from "../table/news.js";
import { drawSeat, drawSeats } from "../table/seats.js";
import { drawLast, drawTrick } from "../table/trick.js";
import { cardWords, isOwn, moveText } from "../table/words.js";

// Make the frame of the table: its zones are filled by `drawPosition`.
export function makePosition() {
  const zone = (name, attrs = {}) => h("div", { class: `zone zone-${name}`, "data-zone": name, ...attrs });
  return [
    zone("force"),
    zone("asks"),
    h("div", { class: "felt" }, zone("seats"), zone("trick"), h("div", { class: "felt-foot" }, zone("last"), zone("result"))),
    h("div", { class: "own-area" }, h("div", { class: "own-top" }, zone("own")), zone("actions"), zone("hand", { tabindex: "-1" })),
  ];
}

// Return what draws each zone at a moment.
/** @param {Page.Model} model */
export function drawPosition(model) {
  return {
    force: () => [waiting(model), drawForce(model)],
    asks: () => drawAsks({ ...model, seat: null }),
    seats: () => drawSeats(model),
    trick: () => withButtons(drawTrick(model), ".play", (model.shown ?? model.view.hand?.trick)?.plays),
    last: () => withButtons(drawLast(model), ".mini", (model.view.hand?.last_trick ?? model.before?.trick)?.plays),
    result: () => drawResult(model),
    own: () => (model.seat === null ? null : drawSeat(model, model.seat, "div")),
    hand: () => (model.view.sandbox ? drawHand(model) : leading(drawHand(model))),
  };
}

// Say what the table waited for, and which moves but cards there were.
/** @param {Page.Model} model */
function waiting(model) {
  if (model.view.sandbox && !model.view.turn.seats.length) return null;
  const moves = (model.view.you?.legal ?? []).filter(({ type }) => type !== "play").map((move) => moveText(move, model.view));
  const mine = model.view.seats.findIndex((_, seat) => isOwn(model, seat));
  const text = headlineText({ ...model, seat: mine < 0 ? null : mine });
  return h("p", { class: "replay-wait" }, moves.length ? t("replay.could", { text, moves }) : text);
}

// In a replay every card of the hand can be chosen, also those that couldn't be played: it leads to its events.
function leading(hand) {
  for (const button of hand.querySelectorAll("button")) {
    button.removeAttribute("aria-disabled");
    button.removeAttribute("aria-pressed");
    const card = cardWords(button.dataset.card);
    button.setAttribute("aria-label", t(button.classList.contains("dull") ? "replay.card.illegal" : "replay.card", { card }));
  }
  return hand;
}

// Turn the pictures of cards on the table into buttons.
function withButtons(node, selector, plays = []) {
  for (const [place, figure] of [...node.querySelectorAll(selector)].entries()) {
    const play = plays[place];
    const picture = figure.querySelector("svg");
    if (play && picture) picture.replaceWith(cardButton(play.card, selector, picture.cloneNode(true)));
  }
  return node;
}

function cardButton(card, where, picture) {
  return h("button", { type: "button", class: "card-button", "data-do": "card", "data-card": card, "data-key": `${where} ${card}`, "aria-label": t("replay.card", { card: cardWords(card) }) }, picture);
}

define({
  "replay.card": "{card}: go to its event",
  "replay.card.illegal": "{card}, couldn't be played: go to its event",
  "replay.could": "{text}. Possible: {moves}.",
});

/** The moment that is disputed: its trick as it lay, from the public events of the game. */

import { h } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { face, pip } from "../base/cards.js";
import { cardWords } from "../table/words.js";
import { trickOf } from "./record.js";
import "./texts.js";

/** Draw the trick of a hand at a version, or the trick that is accused; the accused card is marked. */
export function drawMoment(model, { hand, at, accused = null, seat = null }) {
  const deal = model.record.dealOf(hand, at);
  if (!deal) return h("p", { class: "soft" }, t("moment.undealt", { hand }));
  const trick = trickOf(deal, { number: accused?.trick ?? null, version: at });
  return [
    h("p", null, trick ? trickText(model, hand, trick) : t("moment.none", { hand }), deal.trump && [" ", trumpText(deal.trump)]),
    trick && h("ul", { class: "trick-line plain" }, trick.plays.map((play) => drawPlay(model, play, play.seat === accused?.seat && (!accused.card || accused.card === play.card)))),
    h("p", null, h("a", { href: replayAddress(model, at, seat) }, t("dispute.replay"))),
  ];
}

/** Return the address of the replay at a version, as a seat saw it. */
export const replayAddress = (model, at, seat = null) => `/games/${model.view.board}/replay?at=${at}${seat === null ? "" : `&seat=${seat}`}`;

function trickText(model, hand, trick) {
  const { seat } = trick.plays[0];
  const name = model.nameOfSeat(seat);
  const isTaken = trick.taker !== null;
  const led = isTaken && trick.taker !== seat ? t("moment.taken", { name, taker: model.nameOfSeat(trick.taker) }) : t(isTaken ? "moment.kept" : "moment.led", { name });
  return t("moment.trick", { trick: trick.number, hand, led });
}

const trumpText = (suit) => h("span", { class: "trump" }, t("moment.trump", { suit: t(`moment.suit.${suit}`) }), " ", pip(suit));

const drawPlay = (model, { seat, card }, isDisputed) =>
  h("li", { class: isDisputed ? "played disputed" : "played" },
    face(card),
    h("span", { class: "played-name" }, model.nameOfSeat(seat), h("span", { class: "hidden-text" }, `: ${cardWords(card)}`)),
    isDisputed && h("span", { class: "tag waits" }, t("moment.disputed")));

define({
  "moment.suit.C": "clubs",
  "moment.suit.D": "diamonds",
  "moment.suit.H": "hearts",
  "moment.suit.S": "spades",
});

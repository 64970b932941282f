// The trick as it lies, and the last trick, which is always in view.

import { h } from "../base/dom.js";
import { lettersOf } from "../base/avatar.js";
import { back, face } from "../base/cards.js";
import { lastTrick } from "./model.js";
import { placeOf } from "./seats.js";
import { t } from "./texts.js";
import { bidWords, cardWords, seatName, seatText, shortName } from "./words.js";

// Draw the cards on the table. While a trick that was just gathered is still shown, `model.shown` is that trick.
/** @param {Page.Model} model */
export function drawTrick(model) {
  /** @type {Page.Trick | null} */
  const trick = model.shown ?? model.view.hand?.trick ?? null;
  const plays = trick?.plays ?? [];
  const title = trick ? t("trick.title", { number: trick.number }) : t("trick.empty");
  return h(
    "div",
    { class: `trick of-${model.view.seats.length}${model.seat === null ? " watched" : ""}` },
    h("h2", { class: "hidden-text" }, title),
    plays.length ? plays.map((play) => drawPlay(model, play, trick.taker)) : h("p", { class: "trick-empty" }, emptyText(model, trick)),
  );
}

/** @param {Page.Model} model */
function emptyText(model, trick) {
  const { view } = model;
  if (view.status === "finished" || !view.hand) return "";
  if (view.phase === "auction") return biddingText(model);
  if (!trick) return "";
  return seatText(model, "trick.first", trick.leader, { number: trick.number });
}

// How far the bidding is: the highest bid, or how many of the tricks are bid where each seat bids its own.
/** @param {Page.Model} model */
function biddingText(model) {
  const { seats, hand } = model.view;
  const made = hand.bids.filter((bid) => bid !== null);
  if (!made.length) return t("bidding.none");
  if (model.rules?.tally === "exact") return t("bidding.tricks", { sum: made.reduce((a, b) => a + b), tricks: seats[hand.eldest].count });
  const highest = Math.max(...made);
  return seatText(model, "bidding.highest", hand.bids.lastIndexOf(highest), { bid: bidWords(model.view, highest) });
}

/** @param {Page.Model} model */
function drawPlay(model, { seat, card }, taker) {
  const name = shortName(model, seat);
  const look = `play at-${placeOf(model, seat)}${seat === taker ? " taker" : ""}`;
  return h(
    "figure",
    { class: look, "data-seat": seat },
    face(card),
    h("figcaption", {}, h("span", { class: "play-name" }, name), h("span", { class: "hidden-text" }, `: ${cardWords(card)}`)),
  );
}

// Draw the last trick. In the first trick of a hand it's that of the hand before.
/** @param {Page.Model} model */
export function drawLast(model) {
  const { trick, hand } = lastTrick(model) ?? { trick: null };
  return h(
    "section",
    { class: "last", "aria-label": t("last.title") },
    h("h2", { class: "last-title" }, t("last.title")),
    h("div", { class: "last-cards" }, trick ? drawTaken(model, trick) : [back()]),
    h("p", { class: "last-text" }, lastText(model, trick, hand)),
  );
}

/** @param {Page.Model} model */
function drawTaken(model, trick) {
  if (!trick.plays.length) return [back()];
  return trick.plays.map(({ seat, card }) =>
    h(
      "figure",
      { class: `mini${seat === trick.seat ? " taker" : ""}`, title: t("trick.play", { name: seatName(model, seat), card: cardWords(card) }) },
      face(card, true),
      h("figcaption", { "data-letters": lettersFor(shortName(model, seat)) }, h("span", { class: "mini-name" }, shortName(model, seat)), h("span", { class: "hidden-text" }, `: ${cardWords(card)}`)),
    ),
  );
}

// Where a name would be cut, the letters of the picture stand for it.
function lettersFor(name) {
  return name.length > 3 ? lettersOf(name) : name;
}

// Return in words who took the last trick.
/** @param {Page.Model} model */
export function lastText(model, trick, hand = null) {
  if (!trick) return t("last.none");
  const text = seatText(model, trick.plays.length ? "last.taken" : "last.down", trick.seat, { number: trick.number });
  return hand ? `${text}, ${t("last.hand", { hand })}` : text;
}

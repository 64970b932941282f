// The seats round the table: name, score, bid, cards left, dealer, turn; in the blind hand the others' faces too.

import { avatar } from "../base/avatar.js";
import { botKind } from "../base/bots.js";
import { h, s } from "../base/dom.js";
import { face } from "../base/cards.js";
import { term } from "../base/terms.js";
import { seatClock } from "./clock.js";
import { minus, t } from "./texts.js";
import { bidWords, cardWords, leftOf, ownOrName, seatName, strategyOf } from "./words.js";

// Where the seats sit, by their number; the first one is the own seat, the others follow to its left.
const PLACES = {
  1: ["s"],
  2: ["s", "n"],
  3: ["s", "nw", "ne"],
  4: ["s", "w", "n", "e"],
  5: ["s", "w", "nw", "ne", "e"],
  6: ["s", "w", "nw", "n", "ne", "e"],
  7: ["s", "sw", "w", "nw", "ne", "e", "se"],
};

// Return the place of a seat as this viewer looks at the table: s, w, n, e or between.
/** @param {Page.Model} model */
export function placeOf(model, seat) {
  const { seats } = model.view;
  return PLACES[seats.length][leftOf(model.seat ?? 0, seat, seats.length)];
}

// Draw the others in the order to the left of the viewer. A spectator sees all seats so.
/** @param {Page.Model} model */
export function drawSeats(model) {
  const { seats } = model.view;
  const first = model.seat ?? 0;
  const order = seats.map((_, step) => (first + step) % seats.length).slice(model.seat === null ? 0 : 1);
  return h("ul", { class: `seats of-${seats.length}${model.seat === null ? " all" : ""}` }, order.map((seat) => drawSeat(model, seat)));
}

// Draw one seat. The own one is drawn beside the own hand.
/**
 * @param {any} model
 * @param {number} seat
 * @param {keyof HTMLElementTagNameMap} [tag]
 */
export function drawSeat(model, seat, tag = "li") {
  const { view } = model;
  const one = view.seats[seat];
  const turn = view.turn.seats.includes(seat);
  const look = ["seat", `at-${placeOf(model, seat)}`, turn && "turn", one.state !== "in" && "gone", seat === model.seat && "own"];
  return h(
    tag,
    { class: look.filter(Boolean).join(" "), "data-seat": seat },
    h("div", { class: "seat-face" }, avatar(one.player, seatName(model, seat), one.kind === "bot"), presenceMark(model.presence[seat])),
    h("div", { class: "seat-top" }, h("span", { class: "seat-name" }, ownOrName(model, seat)), drawScore(one)),
    h("div", { class: "seat-notes" }, noteTexts(model, seat).map(([text, look]) => h("span", { class: `note ${look}` }, EXPLAINED[text] ? term(EXPLAINED[text], text) : text))),
    h("div", { class: model.view.you?.sees?.[seat] ? "seat-cards seen" : "seat-cards" }, drawCount(model, seat)),
  );
}

// The mark of a player who is at the table (a disk), away (a crescent) or offline (a ring), for those who sit there, too.
function presenceMark(state) {
  if (!state) return null;
  return s("svg", { class: `presence is-${state}`, viewBox: "0 0 12 12", role: "img", "aria-label": t(`presence.${state}`) }, s("title", null, t(`presence.${state}`)), s("circle", { class: "presence-back", cx: 6, cy: 6, r: 6 }), s("path", { d: PRESENCE[state] }));
}

const PRESENCE = {
  table: "M6 2a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
  away: "M7.5 2a4.2 4.2 0 1 0 2.6 6.2A4.4 4.4 0 0 1 7.5 2z",
  offline: "M6 2a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0 1.6a2.4 2.4 0 1 1 0 4.8 2.4 2.4 0 0 1 0-4.8z",
};

function drawScore(one) {
  return h("span", { class: "seat-score" }, h("span", { class: "hidden-text" }, t("seat.score", { n: "" })), minus(one.score));
}

const ABSENT = new Set(["away", "offline"]);

// The notes that are words of the table, and explain themselves.
const EXPLAINED = { [t("seat.dealer")]: "dealer", [t("seat.pitcher")]: "pitcher", [t("seat.partner")]: "partner" };

// Return what is said of a seat, as [text, look]; a text may be a list with nodes.
/** @param {Page.Model} model */
function noteTexts(model, seat) {
  const { view } = model;
  const { hand, ceremony } = view;
  const one = view.seats[seat];
  const mates = view.sides.find((side) => side.includes(seat));
  const isPartner = model.seat !== null && seat !== model.seat && mates.includes(model.seat);
  return [
    view.turn.seats.includes(seat) && [t("seat.turn"), "hidden-text"], // the frame says it
    view.result?.winners.includes(seat) && [t("seat.winner"), "note-turn"],
    one.state !== "in" && [t(`seat.left.${one.state}`), "note-gone"],
    hand?.dealer === seat && [t("seat.dealer"), ""],
    hand?.pitcher === seat && [t("seat.pitcher"), "note-pitcher"],
    isPartner && [t("seat.partner"), "note-partner"],
    ceremony && view.status === "active" && cutNote(ceremony, seat),
    bidNote(view, seat),
    hand && playing(view) && one.tricks > 0 && one.state === "in" && !isPromise(view, seat) && [t("seat.took", { n: one.tricks }), "note-took"],
    ABSENT.has(model.presence[seat]) && [t(`presence.${model.presence[seat]}`), ""],
    seatClock(view, seat),
    one.kind === "bot" && [t("seat.bot", { strategy: botKind(strategyOf(one.player)) }), "hidden-text"], // so does the shape of the picture
  ].filter(Boolean);
}

function cutNote(ceremony, seat) {
  if (ceremony.cuts.includes(seat)) return [t("seat.cut"), "note-partner"];
  return ceremony.waits_for.includes(seat) && [t("seat.cutting"), "note-turn"];
}

/** @param {Page.View} view */
function bidNote(view, seat) {
  const { hand } = view;
  if (!hand) return null;
  if (isPromise(view, seat) && playing(view)) return [[t("seat.took.of", { n: view.seats[seat].tricks, bid: hand.bids[seat] }), h("span", { class: "note-noun" }, " ", t("seat.took.noun", { n: hand.bids[seat] }))], "note-bid"];
  const said = (bid) => [t("seat.bid", { bid: bidWords(view, bid) }), hand.pitcher === null ? "note-bid" : "note-bid won"];
  if (hand.pitcher !== null) return seat === hand.pitcher && said(hand.bid);
  if (hand.bids[seat] !== null) return said(hand.bids[seat]);
  return hand.passed.includes(seat) && [t("seat.pass"), "note-bid"];
}

// Return whether a seat's bid is a number of tricks that it promises.
/** @param {Page.View} view */
function isPromise({ hand }, seat) {
  return hand.pitcher === null && (hand.bids[seat] ?? null) !== null;
}

/** @param {Page.View} view */
function playing(view) {
  return view.phase === "play" || view.phase === "over" || Boolean(view.hand.last_trick);
}

/** @param {Page.Model} model */
function drawCount(model, seat) {
  const seen = model.view.you?.sees?.[seat];
  if (seen) return seen.map((card) => h("span", { class: "seen-card", role: "img", "aria-label": cardWords(card) }, face(card)));
  const { count } = model.view.seats[seat];
  return [fan(count), h("span", { class: "hidden-text" }, t("seat.cards", { n: count }))];
}

// Three backs that lie over each other, with the number of cards.
function fan(count) {
  if (!count) return null;
  const back = (turn) => s("rect", { x: 8, y: 2, width: 18, height: 25, rx: 2.5, transform: `rotate(${turn} 17 40)` });
  return s("svg", { class: "fan", viewBox: "5 0 24 29", "aria-hidden": "true" }, count > 2 && back(-12), count > 1 && back(12), back(0), s("text", { x: 17, y: 20, "text-anchor": "middle" }, count));
}

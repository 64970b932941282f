// What matters now, beside the table: bids, tricks and scores of this hand, the points so far, and its tricks one by one.

import { h } from "../base/dom.js";
import { GAME_COUNT, pip, rankOf, suitOf } from "../base/cards.js";
import { minus, t } from "./texts.js";
import { bidWords, cardWords, pointName, seatName, shortName } from "./words.js";

const LATEST = 6; // lines of the story

// Return what the drawing depends on.
/** @param {Page.Model} model */
export function usesOfNow({ view, story, names, rules }) {
  const { hand } = view;
  const told = hand && tricksOf({ view, story }).length ? null : story.lines.at(-1)?.version;
  return [told, hand && [hand.number, hand.redeal, hand.trump, hand.pitcher, hand.bid, hand.bids, hand.passed], view.seats.map(({ player, score, tricks }) => [player, score, tricks]), view.last_hand?.hand, view.sides, view.status, story.tricks.at(-1)?.version, names, rules?.points];
}

/** @param {Page.Model} model */
export function drawNow(model) {
  const { hand } = model.view;
  const tricks = tricksOf(model);
  return h(
    "section",
    { class: "now", "aria-label": t("now.title") },
    h("h2", { class: "now-title" }, hand ? t("now.hand", { hand: hand.number }) : t("now.title")),
    drawSeatRows(model),
    drawPoints(model, tricks),
    tricks.length ? drawTricks(model, tricks) : drawLatest(model),
  );
}

// Return the tricks of this hand that have been taken, as far as the page knows of them.
/** @param {Pick<Page.Model, "view" | "story">} model */
function tricksOf({ view: { hand, version }, story }) {
  return hand ? story.tricks.filter((each) => each.hand === hand.number && each.version <= version).map(({ trick }) => trick) : [];
}

// A row for each seat, in the order round the table.
/** @param {Page.Model} model */
function drawSeatRows(model) {
  const { view } = model;
  const seats = view.seats.map((_, step) => ((model.seat ?? 0) + step) % view.seats.length);
  const head = ["name", "bid", "tricks", "score"].map((name) => h("th", { scope: "col" }, name === "name" ? h("span", { class: "hidden-text" }, t("now.name")) : t(`now.${name}`)));
  return h("table", { class: "now-seats" }, h("thead", null, h("tr", null, head)), h("tbody", null, seats.map((seat) => drawSeatRow(model, seat))));
}

/** @param {Page.Model} model */
function drawSeatRow(model, seat) {
  const { view } = model;
  const one = view.seats[seat];
  const look = [view.hand?.pitcher === seat && "pitching", seat === model.seat && "own"].filter(Boolean).join(" ");
  return h(
    "tr",
    { class: look || null, "data-row": seat },
    h("th", { scope: "row" }, h("span", { class: "now-name" }, shortName(model, seat))),
    h("td", null, bidText(view, seat)),
    h("td", null, view.hand ? String(one.tricks) : ""),
    h("td", { class: "now-score" }, minus(one.score)),
  );
}

// What a seat bid: the pitcher's bid stands, and a pass is a line.
/** @param {Page.View} view */
function bidText(view, seat) {
  const { hand } = view;
  if (!hand) return "";
  const bid = hand.pitcher === seat ? hand.bid : hand.bids[seat];
  if (bid !== null && bid !== undefined) return String(bidWords(view, bid));
  return hand.passed.includes(seat) ? t("seat.pass") : "";
}

// The points of the hand that can be told from the tricks so far. Where won cards lie face down, players remember them.
/** @param {Page.Model} model */
function drawPoints(model, tricks) {
  const { rules, view } = model;
  if (view.result || !rules?.points.length || rules.won_face_down || !view.hand?.trump || !tricks.length) return null;
  const owner = ownersOf(tricks);
  const isOver = view.last_hand?.hand === view.hand.number;
  const rows = rules.points.filter(({ award }) => SO_FAR[award]).map((point) => [point, SO_FAR[point.award](model, point, owner)]);
  const known = rows.filter(([, found]) => found !== null);
  return known.length ? [h("h3", { class: "now-part" }, t(isOver ? "now.points.over" : "now.points")), h("ul", { class: "now-points" }, known.map(([point, found]) => h("li", { class: found.length ? null : "open" }, h("span", { class: "now-point" }, pointName(point.name)), " ", found.length ? h("span", null, found) : h("span", { class: "now-open" }, t(isOver ? "now.nobody" : "now.open")))))] : null;
}

// Return whose each card of the tricks is: the taker's, or that of a player who kept it.
function ownersOf(tricks) {
  return new Map(tricks.flatMap(({ seat, plays, kept = [] }) => plays.map(({ card }) => [card, kept.find((each) => each.card === card)?.seat ?? seat])));
}

const SO_FAR = {
  card: (model, { rank, off }, owner) => (off ? null : heldCards(model, [`${rank}${model.view.hand.trump}`], owner)),
  jokers: (model, _, owner) => heldCards(model, ["X1", "X2"], owner),
  highest: (model, _, owner) => extreme(model, owner, 1),
  lowest: (model, _, owner) => (model.view.rules.dirty === false ? null : extreme(model, owner, -1)),
  count: countSoFar,
};

/** @param {Page.Model} model */
function heldCards(model, cards, owner) {
  return cards.filter((card) => owner.has(card)).map((card, place) => [place > 0 && ", ", cardlet(card), " ", h("span", { class: "now-holder" }, shortName(model, owner.get(card)))]);
}

// The highest or the lowest trump so far, if no card but those of the trump suit is one.
/** @param {Page.Model} model */
function extreme(model, owner, sign) {
  const { rules, view } = model;
  if (rules.jokers || rules.off.length) return null;
  const way = view.rules.reverse ? -sign : sign;
  const trumps = [...owner.keys()].filter((card) => suitOf(card) === view.hand.trump);
  const order = trumps.toSorted((a, b) => way * (rules.ranks.indexOf(/** @type {any} */ (rankOf(b))) - rules.ranks.indexOf(/** @type {any} */ (rankOf(a)))));
  return heldCards(model, order.slice(0, 1), owner);
}

/** @param {Page.Model} model */
function countSoFar(model, _, owner) {
  const { sides } = model.view;
  const count = (side) => [...owner].reduce((sum, [card, seat]) => sum + (side.includes(seat) ? (suitOf(card) === "X" ? model.rules.joker_count : (GAME_COUNT[rankOf(card)] ?? 0)) : 0), 0);
  const counts = sides.map((side) => [side, count(side)]).filter(([, sum]) => sum > 0).sort(([, a], [, b]) => b - a);
  return counts.map(([side, sum], place) => [place > 0 && ", ", h("span", { class: "now-holder" }, side.map((seat) => shortName(model, seat)).join(" + ")), h("span", { class: "now-count" }, ` ${sum}`)]);
}

// Before the first trick: what was done last, such as the bids.
/** @param {Page.Model} model */
function drawLatest({ story }) {
  const lines = story.lines.slice(-LATEST).toReversed();
  return lines.length ? [h("h3", { class: "now-part" }, t("now.latest")), h("ol", { class: "now-latest" }, lines.map(({ text }) => h("li", null, text)))] : null;
}

// The tricks, the last one first.
/** @param {Page.Model} model */
function drawTricks(model, tricks) {
  return [h("h3", { class: "now-part" }, t("now.tricks.title")), h("ol", { class: "now-tricks", tabindex: "0" }, tricks.toReversed().map((trick) => drawTrickRow(model, trick)))];
}

/** @param {Page.Model} model */
function drawTrickRow(model, { number, seat, plays }) {
  const isDown = Boolean(model.rules?.won_face_down);
  const cards = isDown ? null : plays.map((play) => h("li", { class: play.seat === seat ? "taker" : null, title: t("trick.play", { name: seatName(model, play.seat), card: cardWords(play.card) }) }, cardlet(play.card)));
  return h("li", null, h("span", { class: "now-number" }, String(number)), cards && h("ul", { class: "now-cards" }, cards), h("span", { class: "now-taker" }, shortName(model, seat)));
}

// A card as small as a word.
function cardlet(card) {
  const isJoker = suitOf(card) === "X";
  return h("span", { class: `cardlet suit-${suitOf(card)}` }, h("span", { "aria-hidden": "true" }, isJoker ? `X${card[1]}` : rankOf(card)), !isJoker && pip(suitOf(card)), h("span", { class: "hidden-text" }, cardWords(card)));
}

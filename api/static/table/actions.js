// What the seat can do in its turn: bids, trump, a card to call, the cards to throw away. Everything is driven by what the
// view offers.

import { h } from "../base/dom.js";
import { face, pip, RANKS, SUITS } from "../base/cards.js";
import { withTerms } from "../base/terms.js";
import { discardOf, markedCards } from "./hand.js";
import { t } from "./texts.js";
import { cardWords, pointWords, totalOf } from "./words.js";

// Draw the choices of the turn, or nothing.
/** @param {Page.Model} model */
export function drawActions(model) {
  const { you } = model.view;
  if (!you || model.busy) return [];
  const groups = [bids(model, you.legal), suits(you.legal), calls(model, you.choose), discards(model)].filter(Boolean);
  return groups;
}

function group(label, look, ...inside) {
  const id = `ask-${look}`;
  return h("div", { class: `choice ${look}`, role: "group", "aria-labelledby": id }, h("h2", { id, class: "choice-title" }, label), h("div", { class: "choice-buttons" }, inside));
}

/** @param {Page.Model} model */
function bids(model, legal) {
  const offered = legal.filter(({ type }) => type === "bid" || type === "pass");
  if (!offered.length) return null;
  const isTricks = model.rules?.tally === "exact";
  const title = model.rules ? t(isTricks ? "bid.title.tricks" : "bid.title.points") : t("turn.auction");
  const shown = isTricks ? everyBid(model, offered) : offered;
  const buttons = shown.map((move) => (offered.includes(move) ? bidButton(move, allOf(model), model.view.rules.moon) : refusedBid(move)));
  const drawn = group(title, "bids", buttons);
  drawn.firstElementChild.after(...[pointsNote(model, isTricks)].filter(Boolean));
  return drawn;
}

// Say in the first hand what the points are, or null where the bids are tricks.
/** @param {Page.Model} model */
function pointsNote({ view, rules }, isTricks) {
  if (!rules || isTricks || view.hand.number > 1) return null;
  return h("p", { class: "choice-note" }, withTerms(t("bid.names", { names: rules.points.map(pointWords) }), { points: true }));
}

// Return the bids from none to all of the tricks, also those that aren't offered: the last to bid may not bid each.
/** @param {Page.Model} model */
function everyBid({ view, seat }, offered) {
  const count = view.seats[seat].count;
  return Array.from({ length: count + 1 }, (_, bid) => offered.find((move) => move.bid === bid) ?? { type: "bid", bid });
}

// Draw a bid that can't be made, as a button that says why.
function refusedBid(move) {
  const text = String(move.bid);
  return h("button", { type: "button", class: "button", "data-do": "refused", "data-tried": JSON.stringify(move), "data-key": `refused ${text}`, "aria-disabled": "true", "aria-label": t("bid.label.refused", { bid: text }) }, text);
}

// Return the bid that is all the points, or null where the bids are tricks.
/** @param {Page.Model} model */
function allOf(model) {
  const { rules } = model.view;
  if (rules.most_bid) return rules.most_bid;
  const points = model.rules?.points ?? [];
  return points.length ? totalOf(model.rules) : null;
}

function bidButton(move, all, moon) {
  if (move.type === "pass") return moveButton(move, t("bid.pass"), "bid-pass");
  if (move.bid === moon) return moveButton(move, t("bid.moon"), "bid bid-moon", t("bid.label.moon", { all }));
  const isAll = move.bid === all;
  const label = t(isAll ? "bid.label.all" : "bid.label", { bid: move.bid });
  return moveButton(move, isAll ? t("bid.all", { bid: move.bid }) : String(move.bid), "bid", label);
}

// Draw a button that makes a move as it stands.
export function moveButton(move, text, look = "", label = null) {
  const sent = JSON.stringify(move);
  return h("button", { type: "button", class: `button ${look}`.trim(), "data-do": "move", "data-move": sent, "data-key": sent, "aria-label": label }, text);
}

function suits(legal) {
  const offered = legal.filter(({ type }) => type === "name_trump");
  if (!offered.length) return null;
  return group(t("name.title"), "suits", offered.map((move) => moveButton(move, [pip(move.suit), t(`suit.${move.suit}`)], "suit")));
}

// A card to call: first its suit, then its rank.
/** @param {Page.Model} model */
function calls(model, choose) {
  if (choose?.type !== "call_partner") return null;
  const chosen = model.call ?? "S";
  const inDeck = (card) => !model.rules?.removed?.includes(card);
  const cards = (chosen === "X" ? ["X1", "X2"] : RANKS.map((rank) => rank + chosen)).filter(inDeck);
  const groups = model.rules?.jokers === false ? SUITS : [...SUITS, "X"];
  return group(
    t("call.title"),
    "calls",
    h("div", { class: "call-suits", role: "group", "aria-label": t("call.suit") }, groups.map((suit) => suitButton(suit, suit === chosen))),
    h("div", { class: "call-cards" }, cards.toReversed().map(callButton)),
  );
}

function suitButton(suit, isChosen) {
  const inside = suit === "X" ? [t("call.jokers")] : [pip(suit), t(`suit.${suit}`)];
  return h("button", { type: "button", class: "button suit", "data-do": "call-suit", "data-suit": suit, "data-key": `suit ${suit}`, "aria-pressed": String(isChosen) }, inside);
}

function callButton(card) {
  const move = { type: "call_partner", card };
  return moveButton(move, [face(card)], "call", t("call.do", { card: cardWords(card) }));
}

/** @param {Page.Model} model */
function discards(model) {
  const discard = discardOf(model);
  if (!discard) return null;
  const { min, max } = discard;
  const marked = markedCards(model);
  const n = marked.length;
  const isReady = n >= min && n <= max;
  const text = n < min ? t("discard.few", { n: min - n }) : n > max ? t("discard.many", { n: n - max }) : t(n ? "discard.do" : "discard.none", { n });
  const title = min === max ? t("discard.title.exact", { min }) : t("discard.title.range", { min, max });
  return group(
    title,
    "discards",
    discard.must.length ? h("p", { class: "choice-note" }, t("discard.must", { n: discard.must.length })) : null,
    h("span", { class: "marked-count" }, t("discard.marked", { n })),
    h("button", { type: "button", class: "button", "data-do": "mark-lowest", "data-key": "lowest", hidden: n >= min }, t("discard.cheap")),
    h("button", { type: "button", class: "button primary", "data-do": "discard", "data-key": "discard", "aria-disabled": isReady ? null : "true" }, text),
  );
}

// The own hand: one tab stop, with the legal cards lit. The others can be reached, and say why they can't be played.

import { h } from "../base/dom.js";
import { back, face } from "../base/cards.js";
import { t } from "./texts.js";
import { cardWords, sorted } from "./words.js";

// Return the discard that the seat must choose now, or null.
/** @param {Page.Model} model */
export function discardOf(model) {
  const choose = model.busy ? null : model.view.you?.choose;
  return choose?.type === "discard" ? choose : null;
}

// Return the cards that may be played now.
/** @param {Page.Model} model */
export function playable(model) {
  return (model.busy ? [] : (model.view.you?.legal ?? [])).filter((move) => move.type === "play").map((move) => move.card);
}

// Return the cards that are marked to be thrown away: those that must go, and those that the player chose.
/** @param {Page.Model} model */
export function markedCards(model) {
  const discard = discardOf(model);
  if (!discard) return [];
  return [...discard.must, ...model.marked.filter((card) => discard.from.includes(card))];
}

// Return the own cards in the player's order.
/** @param {Page.Model} model */
export function ownCards(model) {
  const { you, hand, rules } = model.view;
  return sorted(you?.cards ?? [], model.prefs.order, hand?.trump ?? null, Boolean(rules.reverse) !== Boolean(model.prefs.ascending));
}

// Return whether cards can be chosen before the turn has come: they are played in that order, as soon as each may be.
/** @param {Page.Model} model */
export function canPlan({ view, busy, seat }) {
  return view.status === "active" && view.phase === "play" && Boolean(view.you?.cards?.length) && (busy || !view.turn.seats.includes(seat));
}

const LAST_CARDS = 3;

// Draw what is said of the cards that are chosen already, and the offer to choose the last ones. It's there in every hand,
// so that it tells nobody anything.
/** @param {Page.Model} model */
export function drawPlan(model) {
  const { view, plan } = model;
  if (view.status !== "active" || view.phase !== "play" || !view.you?.cards?.length) return [];
  const n = view.you.cards.length;
  if (!plan.length && (n < 2 || n > LAST_CARDS)) return [];
  if (!plan.length) return h("button", { type: "button", class: "button small", "data-do": "rest", "data-key": "rest", "aria-label": t("plan.rest.label", { n }) }, t("plan.rest", { n }));
  return [h("span", { class: "plan-text" }, t("plan.next", { card: cardWords(plan[0]), n: plan.length })), h("button", { type: "button", class: "button small", "data-do": "no-plan", "data-key": "rest" }, t("plan.stop"))];
}

// Draw the hand. Without a seat there is none.
/** @param {Page.Model} model */
export function drawHand(model) {
  const { you, hand } = model.view;
  if (!you) return h("div", { class: "no-hand" });
  if (you.cards === null && hand && model.view.status === "active") return drawBlind(model);
  const cards = ownCards(model);
  const state = { legal: playable(model), discard: discardOf(model), marked: markedCards(model), plan: model.plan, isFree: canPlan(model) };
  const at = Math.max(0, cards.indexOf(cards.includes(model.focus) ? model.focus : cards.find((card) => state.legal.includes(card))));
  return h(
    "div",
    { class: `hand ${sizeOf(cards.length)}`, role: "toolbar", id: "own-hand", "aria-label": t("hand.yours", { n: cards.length }) },
    cards.length ? cards.map((card, place) => drawOwn(card, state, place === at)) : h("p", { class: "hand-empty" }, t("hand.empty")),
  );
}

/** @param {Page.Model} model */
function drawBlind(model) {
  const held = model.view.seats[model.seat].count > 0;
  return h(
    "div",
    { class: "hand few blind", id: "own-hand", role: "group", "aria-label": t("hand.blind") },
    held ? h("span", { class: "own-card", role: "img", "aria-label": t("hand.blind"), tabindex: "0" }, back()) : null,
    h("p", { class: "hand-empty" }, held ? t("hand.blind") : t("hand.empty")),
  );
}

function sizeOf(n) {
  return n <= 6 ? "few" : n <= 9 ? "some" : n <= 13 ? "many" : n <= 18 ? "most" : "all";
}

function drawOwn(card, state, isStop) {
  const { look, label, pressed, dull } = shownAs(card, state);
  return h(
    "button",
    {
      type: "button",
      class: `own-card ${look}`,
      "data-do": state.discard ? "mark" : "play",
      "data-card": card,
      "data-key": `card ${card}`,
      "aria-label": label,
      "aria-pressed": pressed === null ? null : String(pressed),
      "aria-disabled": dull ? "true" : null,
      tabindex: isStop ? "0" : "-1",
    },
    face(card),
    state.plan.includes(card) && h("span", { class: "plan-place", "aria-hidden": "true" }, String(state.plan.indexOf(card) + 1)),
  );
}

// Return how a card looks and what is said of it.
function shownAs(card, { legal, discard, marked, plan, isFree }) {
  const words = cardWords(card);
  const place = plan.indexOf(card) + 1;
  if (place) return { look: "planned", label: t("hand.planned", { card: words, place }), pressed: true, dull: false };
  if (discard) {
    const isMarked = marked.includes(card);
    const isFree = discard.from.includes(card);
    const label = isFree ? (isMarked ? "hand.marked" : "hand.kept") : isMarked ? "hand.must" : "hand.keep";
    return { look: isMarked ? "marked" : isFree ? "lit" : "dull", label: t(label, { card: words }), pressed: isMarked, dull: !isFree };
  }
  const isLegal = legal.includes(card);
  const look = isLegal ? "lit" : legal.length ? "dull" : "idle";
  return { look, label: isLegal || !legal.length ? words : t("hand.illegal", { card: words }), pressed: null, dull: !isLegal && !isFree };
}

// What the page has to say: that it isn't connected, that a move isn't sent yet, why one was refused, and how the last hand
// was scored.

import { h } from "../base/dom.js";
import { either, translationOf } from "../base/messages.js";
import { signed, t } from "./texts.js";
import { cardWords, moveText, pointName, shortName } from "./words.js";

// A page that is still connecting says nothing, so that nothing shifts.
export const AWAY = new Set(["lost", "offline", "reconnecting"]);

// Draw the state of the connection, of a move that waits, and of the record.
/** @param {Page.Model} model */
export function drawAlerts(model) {
  const { link, pending, log } = model;
  const alerts = [
    log.wrong && h("p", { class: "alert wrong" }, t("log.wrong", { version: log.wrong.version, why: t(`log.${log.wrong.why}`) })),
    log.insecure && h("p", { class: "alert" }, t("log.insecure")),
    (AWAY.has(link) || link === "back") && h("p", { class: "alert" }, t(`link.${link}`)),
    pending?.state === "unsent" && h("p", { class: "alert" }, t("send.unsent", { move: moveText(pending.move, model.view) })),
  ];
  return alerts.filter(Boolean);
}

// The server names cards by their codes, as clients and the record do.
const CODES = /\b(?:(?:10|[2-9JQKA])[CDHS]|X[12])\b/g;

// Return the server's sentence with cards in words: "You can play the four of diamonds."
export const inWords = (text) => text.replace(CODES, (card) => t("card.the", { card: cardWords(card) }));

// Return a refusal of a move in words. The server's sentence says what the player can do; one in another language is by the
// code alone, so the page adds that.
/** @param {Page.View} view */
export function refusalWords(code, says, view) {
  const own = translationOf(`refusal.${code}`);
  return own ? [own, ...movesWords(view)].join(" ") : inWords(says);
}

function movesWords(view) {
  const legal = view.you?.legal ?? [];
  const cards = legal.filter(({ type }) => type === "play").map(({ card }) => t("card.the", { card: cardWords(card) }));
  if (cards.length) return [t("refused.play", { cards: either(cards) })];
  return legal.length ? [t("refused.moves", { moves: either(legal.map((move) => moveText(move, view))) })] : [];
}

// Draw a refusal with a link to its rule, or a hint.
/** @param {Page.Model} model */
export function drawNews(model) {
  if (!model.notice) return [];
  const { text, clauses, kind } = model.notice;
  const dismiss = h("button", { type: "button", class: "dismiss", "data-do": "dismiss", "data-key": "dismiss", "aria-label": t("news.dismiss") }, "×");
  return h("div", { class: `refusal ${kind}` }, h("span", {}, text, " "), clauses?.length > 0 && clauseLink(model, clauses[0], t("clause.read")), dismiss);
}

// Link to a clause of the rules. Clauses whose letter is P hold in every game.
/** @param {Page.Model} model */
export function clauseLink(model, clause, text = t("clause.see", { clause })) {
  const sheet = clause.replace(/^R-/, "")[0] === "P" ? "common" : model.view.variant;
  return h("a", { class: "clause", href: `/rules/${sheet}#${clause}` }, text);
}

// Draw how the last hand changed the scores.
/** @param {Page.Model} model */
export function drawResult(model) {
  const last = model.view.last_hand;
  if (!last) return h("p", { class: "result-none" });
  const scored = model.board?.hands.find(({ hand }) => hand === last.hand);
  return h(
    "section",
    { class: "last-hand", "aria-label": t("result.title", { hand: last.hand }) },
    h("h2", { class: "last-title" }, t("result.title", { hand: last.hand })),
    h("ul", {}, last.changes.map((change, seat) => h("li", {}, h("span", { class: "result-name" }, shortName(model, seat)), " ", h("span", { class: "result-points" }, pointsOf(scored, seat)), " ", h("span", { class: "change" }, signed(change))))),
  );
}

/** Return what a seat won in a scored hand: its points, or its tricks if those are bid. */
export function pointsOf(scored, seat) {
  const line = scored?.lines[seat];
  if (!line) return "";
  if (line.exact !== null) return t("result.tricks", { bid: line.bid, tricks: line.tricks });
  return line.pegs.filter(({ credited }) => credited).map(({ point }) => pointName(point)).join(", ");
}

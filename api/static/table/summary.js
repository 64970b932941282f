// What the table says before it goes on: how a hand was scored, how the game ended, or in one sentence what has changed.

import { face } from "../base/cards.js";
import { h } from "../base/dom.js";
import { gameLink } from "../base/game-links.js";
import { headlineText } from "./headline.js";
import { query } from "../replay/address.js";
import { minus, signed, t } from "./texts.js";
import { bidWords, cardWords, ownOrName, pointName, seatText } from "./words.js";

// Return what is shown over the felt: "hand", "game", "sentence", or null.
/** @param {Page.Model} model */
export function summaryOf({ view, summary, dismissed, busy }) {
  if (summary) return summary.kind;
  return view.result && !busy && !dismissed ? "game" : null;
}

/** @param {Page.Model} model */
export function drawSummary(model) {
  const kind = summaryOf(model);
  if (!kind) return [];
  if (kind === "sentence") return h("p", { class: "summary-sentence" }, sentence(model));
  const scored = model.scored?.hand === model.view.hand?.number ? model.scored : null;
  return h(
    "section",
    { class: `summary of-${kind}`, role: "group", "aria-labelledby": "summary-title", tabindex: "0", "data-key": "summary" },
    h("h2", { id: "summary-title", class: "summary-title" }, kind === "game" ? headlineText(model) : t("result.title", { hand: scored.hand })),
    kind === "game" && h("p", { class: "summary-text" }, t(`reason.${model.view.result.reason}`)),
    scored && [bidLine(model), model.rules?.tally === "exact" ? null : points(model)],
    scored ? scores(model) : finalScores(model),
    h("div", { class: "summary-buttons" }, kind === "game" ? afterGame(model) : afterHand(model)),
  );
}

/** @param {Page.Model} model */
function bidLine(model) {
  const { hand } = model.view;
  const { made } = model.scored;
  if (made === null || hand.pitcher === null) return null;
  return h("p", { class: `summary-bid ${made ? "made" : "set"}` }, seatText(model, made ? "summary.made" : "summary.set", hand.pitcher, { bid: bidWords(model.view, hand.bid) }));
}

// Each point: its name, the card, and the side that won it.
/** @param {Page.Model} model */
function points(model) {
  const { pegs, counts } = model.scored;
  const game = pegs.some(({ point }) => point === "game") ? h("p", { class: "summary-counts" }, t("summary.counts", { counts: counts.map((count, seat) => `${ownOrName(model, seat)} ${count}`) })) : null;
  return [h("ul", { class: "summary-points" }, pegs.map((peg) => point(model, peg))), game];
}

/** @param {Page.Model} model */
function point(model, { point: name, worth, seat, card, credited }) {
  const words = pointName(name);
  return h(
    "li",
    { class: credited ? "point" : "point lost" },
    h("span", { class: "point-card" }, card ? face(card, true) : null),
    h("span", { class: "point-name" }, words, card && h("span", { class: "hidden-text" }, `, ${cardWords(card)}`), worth > 1 && ` × ${worth}`),
    h("span", { class: "point-seat" }, sideName(model, seat)),
    !credited && h("span", { class: "point-note" }, t(isSet(model, seat) ? "summary.point.set" : "summary.point.stopped")),
  );
}

/** @param {Page.Model} model */
function isSet(model, seat) {
  const { hand } = model.view;
  return model.scored.made === false && sideOf(model, seat).includes(hand.pitcher);
}

/** @param {Page.Model} model */
function sideOf({ view }, seat) {
  return view.sides.find((side) => side.includes(seat)) ?? [seat];
}

/** @param {Page.Model} model */
function sideName(model, seat) {
  return namesOf(model, sideOf(model, seat));
}

/** @param {Page.Model} model */
function namesOf(model, side) {
  return side.map((seat) => ownOrName(model, seat)).join(" + ");
}

// The scores before and after. Partners who have the same ones share a line.
/** @param {Page.Model} model */
function scores(model) {
  const { scored, rules } = model;
  const isExact = rules?.tally === "exact";
  const rows = lines(model.view, scored.scores, scored.changes).map((side) => {
    const [seat] = side;
    const change = scored.changes[seat];
    const after = scored.scores[seat];
    const names = namesOf(model, side);
    const bid = isExact && h("td", {}, t("result.tricks", { bid: scored.bids[seat], tricks: scored.tricks[seat] }));
    const hit = isExact && scored.bids[seat] === scored.tricks[seat];
    const isWinner = model.view.result?.winners.includes(seat);
    return h("tr", { class: isWinner || hit ? "won" : "" }, h("th", { scope: "row" }, names), bid, h("td", {}, minus(after - change)), h("td", { class: "change" }, signed(change)), h("td", { class: "sum" }, minus(after)));
  });
  const heads = [sideKey(model), ...(isExact ? ["summary.bid"] : []), "summary.before", "summary.change", "summary.after"];
  return h("table", { class: "summary-scores" }, h("thead", {}, h("tr", {}, heads.map((key) => h("th", { scope: "col" }, t(key))))), h("tbody", {}, rows));
}

// The scores of a game that ended in the middle of a hand.
/** @param {Page.Model} model */
function finalScores(model) {
  const { result } = model.view;
  const rows = lines(model.view, result.scores).map((side) => h("tr", { class: result.winners.includes(side[0]) ? "won" : "" }, h("th", { scope: "row" }, namesOf(model, side)), h("td", { class: "sum" }, minus(result.scores[side[0]]))));
  return h("table", { class: "summary-scores" }, h("thead", {}, h("tr", {}, [sideKey(model), "summary.after"].map((key) => h("th", { scope: "col" }, t(key))))), h("tbody", {}, rows));
}

/** @param {Page.Model} model */
const sideKey = ({ view }) => (view.sides.every((side) => side.length === 1) ? "summary.player" : "summary.side");

// The sides as they are listed: one line for partners whose numbers are the same, else one for each seat.
/** @param {Page.View} view @param {number[][]} numbers */
function lines(view, ...numbers) {
  const isOne = (side) => numbers.every((each) => side.every((seat) => each[seat] === each[side[0]]));
  return view.sides.flatMap((side) => (isOne(side) ? [side] : side.map((seat) => [seat]))).toSorted(([a], [b]) => a - b);
}

/** @param {Page.Model} model */
function afterHand(model) {
  return [h("button", { type: "button", class: "button primary", "data-do": "next", "data-key": "next" }, t("summary.next")), again(model)];
}

/** @param {Page.Model} model */
function afterGame(model) {
  const { board } = model.view;
  const isPlayer = model.seat !== null;
  const close = h("button", { type: "button", class: "button", "data-do": "close-summary", "data-key": "close summary" }, t("summary.close"));
  const rest = [again(model), isPlayer && gameLink("replay", board, { class: "button" }), gameLink("score", board, { class: "button" })];
  return [
    model.rematch && h("p", { class: "summary-rematch" }, t("ask.rematch", { name: model.rematch })),
    isPlayer && h("button", { type: "button", class: "button primary", "data-do": "rematch", "data-key": "summary rematch" }, rematchText(model)),
    isPlayer ? h("a", { class: "button", href: `/games/${board}/replay#my-moves` }, t("summary.moves")) : gameLink("replay", board, { class: "button" }),
    close,
    h("details", { class: "summary-more" }, h("summary", { class: "button", "data-key": "summary more" }, t("summary.more")), h("div", { class: "summary-rest" }, rest)),
  ];
}

/** @param {Page.Model} model */
export const rematchText = ({ rematch }) => (rematch ? t("menu.rematch.with", { name: rematch }) : t("menu.rematch"));

// A link to the first moment of the hand, in another tab as long as the game goes on.
/** @param {Page.Model} model */
function again({ view, story, seat, scored }) {
  const at = scored && story.deals.get(scored.hand);
  return at ? h("a", { class: "button", href: `/games/${view.board}/replay${query(at, seat)}`, target: view.result ? null : "_blank", "data-key": "again" }, t("summary.again")) : null;
}

// Say in plain words what stopped the table for a moment.
/** @param {Page.Model} model */
function sentence({ story, summary }) {
  const change = story.changes.find(({ version }) => version === summary.version);
  return change ? changeSentence(change) : story.lines.find(({ version }) => version === summary.version)?.text ?? "";
}

function changeSentence({ before, after }) {
  const said = [];
  if (before.reverse !== after.reverse) said.push(t(`plain.reverse.${after.reverse ? "on" : "off"}`));
  if (before.total !== after.total || before.points !== after.points) said.push(t("plain.points", { before: before.total, after: after.total }));
  if (before.dirty !== after.dirty) said.push(t(`plain.dirty.${after.dirty ? "on" : "off"}`));
  if (before.partners !== after.partners) said.push(t(`plain.partners.${after.partners}`));
  return said.length ? said.join(" ") : t("plain.same");
}

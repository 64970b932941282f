// Whose turn it is, how long it may take, and what is in force: the lines above the table.

import { h, s } from "../base/dom.js";
import { pip } from "../base/cards.js";
import { explain } from "./dialogs.js";
import { leftText, untilText } from "./clock.js";
import { minus, t } from "./texts.js";
import { ruleChips } from "./rules-line.js";
import { bidWords, cardWords, seatName, seatNames, seatText } from "./words.js";

// Return whether the own seat is awaited.
/** @param {Page.Model} model */
export function isMyTurn(model) {
  return model.seat !== null && model.view.turn.seats.includes(model.seat);
}

// Return in one sentence what the table waits for.
/** @param {Page.Model} model */
export function headlineText(model) {
  const { view } = model;
  if (view.status === "finished") return overText(model);
  if (view.ceremony?.waits_for.length) return t("wait.cuts", { names: seatNames(model, view.ceremony.waits_for) });
  if (view.ceremony) return t("wait.beacon");
  if (isMyTurn(model)) return t(pitches(model) ? "turn.pitch" : `turn.${view.phase}`);
  if (view.phase === "waiting" && view.hand && view.last_hand?.hand === view.hand.number) return t("wait.scored", { hand: view.hand.number });
  const names = seatNames(model, view.turn.seats);
  return names.length ? t(`wait.${view.phase}`, { names }) : t(view.phase === "play" ? "wait.trick" : "wait.table");
}

// Return whether the card that is led next makes trump.
/** @param {Page.Model} model */
function pitches({ rules, view }) {
  return view.phase === "play" && rules?.trump === "pitched" && view.hand.trump === null;
}

/** @param {Page.Model} model */
function overText(model) {
  const { winners, scores } = model.view.result;
  if (winners.length === 0) return t("over.nobody");
  const n = scores[winners[0]];
  const score = minus(n);
  if (!winners.includes(model.seat)) return t("over.won", { names: winners.map((seat) => seatName(model, seat)), score, n });
  const others = winners.filter((seat) => seat !== model.seat).map((seat) => seatName(model, seat));
  return others.length ? t("over.with", { names: others, score, n }) : t("over.you", { score, n });
}

// Draw the sentence, and at the end the reason.
/** @param {Page.Model} model */
export function drawHeadline(model) {
  const mine = isMyTurn(model);
  const notes = [];
  if (model.view.result && model.dismissed) notes.push(t(`reason.${model.view.result.reason}`));
  if (model.seat === null) notes.push(t("watching"));
  return h(
    "div",
    { class: `headline${mine ? " mine" : ""}` },
    h("h1", { class: "headline-text" }, headlineText(model)),
    notes.map((note) => h("span", { class: "headline-note" }, note)),
  );
}

// Return how much time a turn or a window has left at a moment, in words; "" without a limit.
/** @param {Page.Model} model */
export function clockText(model, now) {
  const { view } = model;
  const deadline = view.ceremony ? view.ceremony.deadline : view.turn.deadline;
  if (!deadline || view.status === "finished") return "";
  const seconds = Math.floor((Date.parse(deadline) - now) / 1000);
  if (seconds > A_DAY && isAmongBots(view)) return "";
  if (seconds <= 0) return view.ceremony ? "" : t("clock.out");
  const left = t(view.ceremony ? "clock.cut" : "clock.move", { left: leftText(seconds) });
  return [left, untilText(view, now)].filter(Boolean).join(", ");
}

const A_DAY = 86_400;

// Return whether only bots wait for a person, who can take days without a clock that says so.
/** @param {Page.View} view */
function isAmongBots({ seats }) {
  return seats.filter(({ kind }) => kind !== "bot").length === 1;
}

// Draw trump, bid, points and whatever else is in force.
/** @param {Page.Model} model */
export function drawForce(model) {
  const { rules } = model.view;
  return h("ul", { class: "force" }, handChips(model), rules.points ? ruleChips(model) : null);
}

// Draw what is in force in this hand, and whether the game counts. Rules that can change have a line of their own.
/** @param {Page.Model} model */
export function drawDeal(model) {
  return h("ul", { class: "force" }, handChips(model), model.view.unrated ? unratedChip(model.view) : null);
}

/** @param {Page.Model} model */
function handChips(model) {
  const { hand, rules } = model.view;
  return [handChip(model), ...(hand ? dealChips(model) : []), !rules.points && rules.dirty === false && chip(t(lowKey(model)))];
}

// Low cards that can't be lost count for those who were dealt them, or stay with them, as the rules say.
/** @param {Page.Model} model */
function lowKey({ rules }) {
  return rules?.keeps ? "force.dirty.off" : "force.low.dealt";
}

/** @param {Page.Model} model */
function handChip({ view }) {
  const { hand, rules } = view;
  if (!hand) return rules.goal ? chip(t("force.to", { goal: rules.goal })) : null;
  const number = rules.hands ? t("force.of", { hand: hand.number, hands: rules.hands }) : t("force.hand", { hand: hand.number });
  const redeal = hand.redeal ? ` (${t("force.redeal")})` : "";
  const goal = rules.goal ? ` · ${t("force.to", { goal: rules.goal })}` : "";
  return chip(number + redeal + goal);
}

/** @param {Page.Model} model */
function dealChips(model) {
  const { hand } = model.view;
  return [
    trumpChip(hand, model.rules?.trump),
    hand.pitcher !== null && chip(seatText(model, "force.bid", hand.pitcher, { bid: bidWords(model.view, hand.bid) })),
    hand.upcard && chip(t("force.upcard", { card: cardWords(hand.upcard) })),
    hand.called && chip(t(isCalled(model) ? "force.called.you" : "force.called", { card: cardWords(hand.called) }), "strong"),
    hand.first_joker && chip(t("force.first_low", { card: cardWords(hand.first_joker) })),
    gradeChip(hand),
  ];
}

// Return whether the own seat holds the card that another one called. Nobody else sees that.
/** @param {Page.Model} model */
function isCalled({ view, seat }) {
  return view.hand.pitcher !== seat && Boolean(view.you?.cards?.includes(view.hand.called));
}

// The grade of the deal, which says what it means. Pages that show a table elsewhere need no listener for it.
/** @param {Api.TableHand} hand */
function gradeChip({ grade, beacon }) {
  const title = t("force.grade", { grade });
  const round = beacon ? ` ${t(beacon.counts ? "grade.beacon" : "grade.beacon.missing", { source: beacon.source })}` : "";
  const open = () => explain(title, t(`grade.${grade}`) + round);
  return h("li", { class: "chip" }, h("button", { type: "button", class: "chip-button", "data-key": "grade", onclick: open }, shield(), title));
}

function shield() {
  return s("svg", { class: "pip", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: SHIELD }));
}

const SHIELD = "M12 1 3 4.5V11c0 5.6 3.8 9.7 9 12 5.2-2.3 9-6.4 9-12V4.5zm-1.2 15.2-4-4 1.6-1.6 2.4 2.4 5-5 1.6 1.6z";

// Where trump is turned up, a hand without it has none; elsewhere somebody still makes it.
function trumpChip(hand, how) {
  if (hand.trump) return h("li", { class: "chip trump" }, pip(hand.trump), t("force.trump", { suit: t(`suit.${hand.trump}`) }));
  return chip(how === "turned_up" ? t("force.notrump") : t("force.open"));
}

// Say that the game doesn't count, and on a click why.
/** @param {Page.View} view */
function unratedChip({ unrated }) {
  const title = t("unrated.chip");
  const open = () => explain(title, t(`unrated.${unrated}`));
  return h("li", { class: "chip" }, h("button", { type: "button", class: "chip-button", "data-key": "unrated", onclick: open }, title));
}

function chip(text, look = "") {
  return h("li", { class: `chip ${look}`.trim() }, text);
}

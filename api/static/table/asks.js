// What the table asks of the seat beside its turn: proposals, hand-overs, votes; cuts. And what was ruled.

import { h } from "../base/dom.js";
import { moveButton } from "./actions.js";
import { LANGUAGE } from "../base/messages.js";
import { minus, signed, t } from "./texts.js";
import { ownOrName, playerName, seatName, seatNames } from "./words.js";

// Draw every open question.
/** @param {Page.Model} model */
export function drawAsks(model) {
  const asked = [lent(model), proposal(model), handover(model), delay(model), cuts(model)];
  return asked.filter(Boolean);
}

function box(look, text, note, ...buttons) {
  const shown = buttons.filter(Boolean);
  return h(
    "div",
    { class: `ask ${look}` },
    h("p", {}, text, note ? h("span", { class: "ask-note" }, note) : null),
    shown.length ? h("div", { class: "ask-buttons" }, shown) : null,
  );
}

/** @param {Page.Model} model */
function may(model, type) {
  return model.view.you?.may.includes(type) ?? false;
}

/** @param {Page.Model} model */
function proposal(model) {
  const { proposal: open } = model.view;
  if (!open) return null;
  const mine = open.seat === model.seat;
  const agreed = open.accepted.filter((seat) => seat !== open.seat);
  const note = agreed.length ? t("ask.accepted", { names: seatNames(model, agreed) }) : "";
  return box(
    "proposal",
    t(`ask.${open.kind}${mine ? ".mine" : ""}`, { name: seatName(model, open.seat) }),
    note,
    may(model, "accept") && moveButton({ type: "accept" }, t("ask.accept"), "primary"),
    may(model, "reject") && moveButton({ type: "reject" }, t(mine ? "ask.withdraw" : "ask.reject")),
  );
}

// Somebody else has the seat that the player lent, such as a bot since their time was over: they can take it back (R-P14).
/** @param {Page.Model} model */
function lent({ seat, me, view }) {
  if (seat !== null || !me || view.result) return null;
  const mine = view.seats.find(({ state, earlier }) => state === "in" && earlier.some(({ player }) => player === me.id));
  if (!mine) return null;
  return box("lent", t(`ask.lent.${mine.kind}`), "", h("button", { type: "button", class: "button primary", "data-do": "take-back", "data-seat": mine.seat, "data-key": "take-back" }, t("ask.lent.back")));
}

/** @param {Page.Model} model */
function handover(model) {
  const { handover: open } = model.view;
  if (!open) return null;
  const mine = open.seat === model.seat;
  const values = { name: seatName(model, open.seat), to: playerName(model, open.to) };
  const canAnswer = may(model, "answer_handover");
  return box(
    "handover",
    t(mine ? "ask.hand.mine" : "ask.hand", values),
    "",
    canAnswer && moveButton({ type: "answer_handover", accept: true }, t("ask.accept"), "primary"),
    canAnswer && moveButton({ type: "answer_handover", accept: false }, t("ask.reject")),
  );
}

/** @param {Page.Model} model */
function delay(model) {
  const { delay: open } = model.view;
  if (!open) return null;
  const votes = open.votes.map(({ seat, guilty }) => t(guilty ? "vote.guilty" : "vote.innocent", { name: seatName(model, seat) }));
  const values = { name: seatName(model, open.seat), accused: seatName(model, open.accused), seconds: Math.floor(open.waited_ms / 1000) };
  const canVote = may(model, "vote");
  return box(
    "delay",
    t("ask.delay", values),
    t("ask.votes", { votes }),
    canVote && moveButton({ type: "vote", guilty: true }, t("ask.guilty"), "primary"),
    canVote && moveButton({ type: "vote", guilty: false }, t("ask.innocent")),
  );
}

// The page cuts by itself; this says what it does, and offers the cut as a button where that is switched off.
/** @param {Page.Model} model */
function cuts(model) {
  const { ceremony } = model.view;
  const { cutting } = model;
  const failed = cutting.failed ? t(`cut.${cutting.failed}`, { hand: cutting.hand, ...sentText(cutting.sent) }) : "";
  if (!ceremony) return failed ? box("cut late", failed, "", help()) : null;
  if (model.seat === null) return null;
  const waits = ceremony.waits_for.filter((seat) => seat !== model.seat);
  const done = ceremony.cuts.includes(model.seat);
  const names = waits.length ? seatNames(model, waits) : [roundOrNobody(ceremony.beacon)];
  const text = done ? t("cut.done", { names }) : cutText(model);
  const canCut = may(model, "cut") && !model.prefs.cuts && !cutting.busy;
  return box("cut", text, failed, canCut && h("button", { type: "button", class: "button primary", "data-do": "cut", "data-key": "cut" }, t("cut.do")), help());
}

function sentText(sent) {
  return sent ? { cut: sent.cut, time: new Date(sent.at).toLocaleTimeString(LANGUAGE) } : {};
}

// Return what a deal waits for after all cuts have come: the round of the beacon, or nobody.
function roundOrNobody(beacon) {
  return beacon && !beacon.recorded ? t("cut.round", { source: beacon.source }) : t("nobody");
}

/** @param {Page.Model} model */
function cutText(model) {
  if (model.cutting.busy) return t("cut.doing");
  return t(model.prefs.cuts ? "cut.on" : "cut.off");
}

function help() {
  return h("button", { type: "button", class: "button plain", "data-do": "explain-cuts", "data-key": "explain" }, t("cut.how"));
}

// Draw the latest disputes in one box, with the scores as ruled. They stay, so they have a place beside the table.
/** @param {Page.Model} model */
export function drawRulings(model) {
  const { disputes: all, ruled: scores, result } = model.view;
  const shown = result?.ruled ?? scores;
  if (!all.length && !shown) return [];
  const lines = all.slice(-LATEST).map((one) => t(`dispute.${one.status}`, { hand: one.hand, decision: one.decision ? decision(model, one) : "" }));
  if (all.length > LATEST) lines.unshift(t("dispute.earlier", { n: all.length - LATEST }));
  if (shown) lines.push(ruledText(model, shown));
  return h(
    "div",
    { class: "ask dispute" },
    h("ul", {}, lines.map((line) => h("li", {}, line))),
  );
}

const LATEST = 2;

/** @param {Page.Model} model */
function decision(model, one) {
  const changes = (one.changes ?? []).map((change, seat) => change && `${ownOrName(model, seat)} ${signed(change)}`).filter(Boolean);
  return t(`decision.${one.decision}`, { changes });
}

/** @param {Page.Model} model */
function ruledText(model, { scores, winners }) {
  const list = scores.map((score, seat) => `${ownOrName(model, seat)} ${minus(score)}`);
  const won = winners.length ? ` ${t("over.ruled", { names: seatNames(model, winners) })}` : "";
  return t("ruled.scores", { scores: list }) + won;
}

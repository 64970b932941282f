// What the page has to say: that it isn't connected, that a move isn't sent yet, why one was refused, what has changed in the
// rules, and how the last hand was scored.

import { h } from "../base/dom.js";
import { signed, t } from "./texts.js";
import { moveText, seatName } from "./words.js";

// Draw the state of the connection, of a move that waits, and of the record.
export function drawAlerts(model) {
  const { link, pending, log } = model;
  const alerts = [
    log.wrong && h("p", { class: "alert wrong" }, t("log.wrong", { version: log.wrong.version, why: t(`log.${log.wrong.why}`) })),
    link !== "live" && h("p", { class: "alert" }, t(`link.${link}`)),
    pending?.state === "unsent" && h("p", { class: "alert" }, t("send.unsent", { move: moveText(pending.move) })),
  ];
  return alerts.filter(Boolean);
}

// Draw a refusal with its clauses, and the changes of the rules since the own last move.
export function drawNews(model) {
  const { notice, story, news } = model;
  const changes = story.changes.filter(({ version }) => version > news).slice(-3);
  return [changes.length > 0 && drawChanges(changes), notice && drawNotice(model, notice)];
}

function drawChanges(changes) {
  const lines = changes.map(({ text, why }) => h("li", {}, h("strong", {}, text), " ", h("span", { class: "why" }, why)));
  return h("div", { class: "change-note" }, h("ul", {}, lines), dismiss());
}

function drawNotice(model, { text, clauses, kind }) {
  return h("div", { class: `refusal ${kind}` }, h("span", {}, text, " "), (clauses ?? []).map((clause) => clauseLink(model, clause)), dismiss());
}

function dismiss() {
  return h("button", { type: "button", class: "dismiss", "data-do": "dismiss", "data-key": "dismiss", "aria-label": t("news.dismiss") }, "×");
}

// Link to a clause of the rules. Clauses whose letter is P hold in every game.
export function clauseLink(model, clause) {
  const sheet = clause.replace(/^R-/, "")[0] === "P" ? "common" : model.view.variant;
  return h("a", { class: "clause", href: `/rules/${sheet}#${clause}` }, t("clause.see", { clause }));
}

// Draw how the last hand changed the scores.
export function drawResult(model) {
  const last = model.view.last_hand;
  if (!last) return h("p", { class: "result-none" });
  const scored = model.board?.hands.find(({ hand }) => hand === last.hand);
  return h(
    "section",
    { class: "last-hand", "aria-label": t("result.title", { hand: last.hand }) },
    h("h2", { class: "last-title" }, t("result.title", { hand: last.hand })),
    h("ul", {}, last.changes.map((change, seat) => h("li", {}, h("span", { class: "result-name" }, seatName(model, seat)), " ", h("span", { class: "result-points" }, pointsOf(scored, seat)), " ", h("span", { class: "change" }, signed(change))))),
  );
}

function pointsOf(scored, seat) {
  const line = scored?.lines[seat];
  if (!line) return "";
  if (line.exact !== null) return t("result.tricks", { bid: line.bid, tricks: line.tricks });
  return line.pegs.filter(({ credited }) => credited).map(({ point }) => point.replaceAll("_", " ")).join(", ");
}

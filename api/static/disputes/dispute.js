/** One dispute on the page: what is disputed, the moment, the evidence, the ruling, and what this viewer may do. */

import { h, replace } from "../base/dom.js";
import { ago, t } from "../base/messages.js";
import { cardWords } from "../table/words.js";
import { attachedEvidence } from "./evidence.js";
import { drawEvidence } from "./evidence-list.js";
import { drawMoment } from "./moment.js";
import { drawAnswerForm, drawAppealForm, drawDecisionForm, drawRulingForm, drawWithdrawForm } from "./ruling-forms.js";
import { drawChanges } from "./scores.js";
import "./texts.js";

/** A dispute's place on the page. `update()` redraws only what has changed, so that a form keeps what was typed. */
export class DisputePanel {
  constructor(number, seat) {
    this.seat = seat;
    this.zones = { facts: h("div"), evidence: h("section", { class: "evidence-part" }), answers: h("div"), answer: h("div"), rulings: h("div"), act: h("div", { class: "act", tabindex: -1 }) };
    this.node = h("article", { class: "panel dispute", id: `dispute-${number}`, tabindex: -1 }, Object.values(this.zones));
  }

  update(model, item, done) {
    const { opened, ruling, appeal, decision } = item;
    const { deals } = model.record;
    const hand = deals.filter((deal) => deal.hand === opened.hand);
    replace(this.zones.facts, JSON.stringify([item.status, opened, hand]), () => drawFacts(model, item, this.seat));
    replace(this.zones.rulings, JSON.stringify([ruling, appeal, decision]), () => [ruling && drawRuling(model, item), appeal && drawAppeal(model, item), decision && drawDecision(model, item)]);
    replace(this.zones.answers, JSON.stringify(item.answers ?? []), () => (item.answers ?? []).map((each) => drawAnswer(model, each)));
    const own = ownAnswer(model, item);
    replace(this.zones.answer, JSON.stringify(own), () => own && drawAnswerForm(model, item, own.text, done));
    const act = actOf(model, item);
    replace(this.zones.act, JSON.stringify([act, item.status, act.form === "rule" && opened.hand === model.liveHand]), () => drawAct(model, item, act, done));
    void this.showEvidence(model, opened);
  }

  async showEvidence(model, opened) {
    const found = await attachedEvidence(model, opened).catch(() => null);
    if (found === null) return;
    const drawn = drawEvidence(model, found);
    replace(this.zones.evidence, JSON.stringify(found), () => drawn && [h("h3", null, t("dispute.evidence")), drawn]);
  }
}

/**
 * @param {Page.DisputeModel} model
 * @param {Api.ShownDispute} item
 */
function drawFacts(model, item, seat) {
  const { opened, status, dispute } = item;
  const accused = opened.details?.accused ?? null;
  return [
    h("header", { class: "dispute-head" }, h("h2", null, t("dispute.title", { number: dispute, hand: opened.hand })), h("span", { class: status === "open" || status === "appealed" ? "tag waits" : "tag" }, t(`status.${status}`))),
    h("p", { class: "soft" }, t(`kind.${opened.kind}`), ". ", t("dispute.opened", { name: model.nameOfSeat(opened.seat), when: ago(opened.at) })),
    drawText(opened),
    accused && h("p", { class: "accused" }, accusedText(model, accused)),
    h("section", { class: "moment" }, h("h3", null, t("dispute.moment")), drawMoment(model, { hand: opened.hand, at: opened.at_version, accused, seat })),
  ];
}

/**
 * @param {Page.DisputeModel} model
 * @param {Api.AccusedPlay} accused
 */
function accusedText(model, { seat, trick, card }) {
  const name = model.nameOfSeat(seat);
  if (card && trick) return t("dispute.accused-card", { name, trick, card: cardWords(card) });
  return trick ? t("dispute.accused-trick", { name, trick }) : t("dispute.accused", { name });
}

/** Draw a text, or say why it isn't here. */
function drawText(part, needed = true) {
  if (part.text) return h("blockquote", { class: "said" }, part.text);
  if (part.erased) return h("p", { class: "gone" }, t("dispute.text-erased"));
  if (part.withheld) return h("p", { class: "gone" }, t("dispute.text-withheld"));
  if (!("text" in part) && needed) return h("p", { class: "gone" }, t("dispute.text-hidden"));
  return null;
}

/**
 * @param {Page.DisputeModel} model
 * @param {Api.ShownDispute} item
 */
function drawRuling(model, { ruling, opened, status }) {
  const { decision, voids, basis, standard, evidence, changes } = ruling;
  const effect = decision === "void" && voids !== null ? "void-live" : decision;
  return h("section", { class: status === "reversed" ? "ruling over" : "ruling" },
    h("h3", null, t("dispute.ruling")),
    h("p", null, h("strong", null, t(`ruling.${effect}`, { hand: opened.hand })), status === "reversed" && [" ", t("ruling.reversed")]),
    drawChanges(model, changes),
    drawText(ruling),
    h("p", { class: "soft" }, t("ruling.by", { name: model.nameOf(ruling.by), when: ago(ruling.at) }), " ", basis && [t("ruling.basis", { clause: basis }), " "], t(`ruling.${standard}`), " ", t("ruling.evidence", { size: evidence.size })));
}

/**
 * @param {Page.DisputeModel} model
 * @param {Api.ShownDispute} item
 */
const drawAppeal = (model, { appeal, decision }) =>
  h("section", { class: "ruling" },
    h("h3", null, t("dispute.appeal")),
    drawText(appeal, false),
    h("p", { class: "soft" }, t(decision ? "appeal.was" : "appeal.by", { name: model.nameOfSeat(appeal.seat), when: ago(appeal.at) })));

/**
 * @param {Page.DisputeModel} model
 * @param {Api.ShownDispute} item
 */
function drawDecision(model, { decision, ruling }) {
  const outcome = decision.decision === "reversed" && ruling.voids !== null ? "reversed-live" : decision.decision;
  return h("section", { class: "ruling" },
    h("h3", null, t("dispute.decision")),
    h("p", null, h("strong", null, t(`decision.${outcome}`))),
    drawText(decision, false),
    h("p", { class: "soft" }, t("decision.by", { name: model.nameOf(decision.by), when: ago(decision.at) })));
}

const drawAnswer = (model, answer) =>
  h("section", { class: "ruling" },
    h("h3", null, t("dispute.answer", { name: model.nameOfSeat(answer.seat) })),
    drawText(answer),
    h("p", { class: "soft" }, ago(answer.at)));

/** Return what this player has answered so far, as { text }; null if they can't answer. */
function ownAnswer(model, { status, opened, answers = [] }) {
  if (model.seat === null || opened.by === model.me.id || (status !== "open" && status !== "appealed")) return null;
  const mine = answers.find(({ by }) => by === model.me.id);
  return mine?.erased ? null : { text: mine?.text ?? "", isAccused: opened.details?.accused?.seat === model.seat };
}

/** Return what the viewer may do: { form } or the reason why they can't: { note }. */
/** @returns {{ form?: string, note?: string }} */
function actOf(model, { status, opened, ruling }) {
  if (status === "open" && opened.by === model.me?.id) return { form: "withdraw" };
  if (status === "open") return model.isArbiter ? { form: "rule" } : { note: "rule.not-arbiter" };
  if (status === "ruled") return model.seat !== null ? { form: "appeal" } : { note: model.me ? "appeal.players" : "appeal.sign-in" };
  if (status !== "appealed") return {};
  if (!model.isArbiter) return { note: "decide.waits" };
  return ruling.by === model.me.id ? { note: "decide.same" } : { form: "decide" };
}

const FORMS = { withdraw: drawWithdrawForm, rule: drawRulingForm, appeal: drawAppealForm, decide: drawDecisionForm };

/**
 * @param {any} model
 * @param {any} item
 * @param {ReturnType<typeof actOf>} act
 * @param {() => unknown} done
 */
function drawAct(model, item, { form, note }, done) {
  if (note) return h("p", { class: "hint" }, t(note));
  if (!form) return null;
  const drawn = FORMS[form](model, item, done);
  return h("section", null, form === "appeal" || form === "withdraw" ? h("details", { class: "more" }, h("summary", null, t(`${form}.title`)), drawn) : [h("h3", null, t(`${form}.title`)), drawn]);
}

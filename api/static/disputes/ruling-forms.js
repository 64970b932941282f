/** The forms of arbiters, with a preview of what a ruling changes, and the form of an appeal. */

import { h, replace } from "../base/dom.js";
import { t } from "../base/messages.js";
import { ask, send } from "../base/net.js";
import { field, form, valuesOf } from "../pages/forms.js";
import { isVoid, turned, voidChanges } from "./effect.js";
import { choices, textArea } from "./fields.js";
import { drawPreview } from "./scores.js";
import "./texts.js";

const MOST_POINTS = 1000;

/**
 * Draw the form for the first ruling.
 *
 * @param {Page.DisputeModel} model
 * @param {Api.ShownDispute} item
 */
export function drawRulingForm(model, item, done) {
  const { dispute, opened } = item;
  const id = `rule-${dispute}`;
  const isLive = opened.hand === model.liveHand;
  const nothing = model.view.seats.map(() => 0);
  const points = h("fieldset", { class: "points", hidden: true, disabled: true }, h("legend", { class: "hidden-text" }, t("rule.adjust")), h("p", { class: "hint" }, t("rule.points-hint")), model.sides.map((side, at) =>
    field({ name: `points-${at}`, id: `${id}-points-${at}`, label: t("rule.points", { names: side.map((seat) => model.nameOfSeat(seat)) }), type: "number", min: -MOST_POINTS, max: MOST_POINTS, step: 1, required: false })));
  const changesOf = (values) => {
    if (values.decision === "void") return isLive ? nothing : (voidChanges(model, opened) ?? nothing);
    if (values.decision !== "adjust") return nothing;
    return nothing.map((_, seat) => Number(values[`points-${model.sides.findIndex((side) => side.includes(seat))}`]) || 0);
  };
  return previewed({
    id, dispute, done, path: "ruling", sent: "rule.sent", button: t("rule.send"), title: t("rule.preview"), model, changesOf,
    fields: [
      choices({ id: `${id}-decision`, name: "decision", legend: t("rule.decision"), value: "none", items: decisions(model, opened, isLive) }),
      points,
      choices({ id: `${id}-standard`, name: "standard", legend: t("rule.standard"), value: "recorded", items: ["recorded", "likely"].map((value) => ({ value, text: t(`rule.${value}`) })) }),
      field({ name: "basis", id: `${id}-basis`, label: t("rule.basis"), hint: t("rule.basis-hint"), required: false, maxlength: 8, pattern: "(R-)?[A-Z][0-9]{1,3}", autocapitalize: "characters", spellcheck: "false" }),
      textArea({ id: `${id}-text`, label: t("rule.text") }),
    ],
    onRead: ({ decision }) => (points.hidden = points.disabled = decision !== "adjust"),
    bodyOf: (values) => ({ decision: values.decision, basis: values.basis || null, standard: values.standard, text: values.text, ...(values.decision === "adjust" ? { changes: changesOf(values) } : {}) }),
  });
}

/**
 * @param {Page.DisputeModel} model
 * @param {Api.DisputeOpening} opened
 */
function decisions(model, opened, isLive) {
  const { hand } = opened;
  return [
    { value: "none", text: t(isLive ? "rule.none-live" : "rule.none") },
    { value: "adjust", text: t("rule.adjust"), disabled: isLive, hint: isLive ? t("rule.no-adjust") : null },
    { value: "void", text: t(isLive ? "rule.void-live" : "rule.void", { hand }), ...voidNote(model, opened, isLive) },
  ];
}

/**
 * Say what a void means here, or why there can be none.
 *
 * @param {Page.DisputeModel} model
 * @param {Api.DisputeOpening} opened
 */
function voidNote(model, opened, isLive) {
  const deal = model.record.dealOf(opened.hand, opened.at_version);
  if (isLive) return deal?.isAgain ? { disabled: true, hint: t("rule.no-void-gone") } : { hint: t("rule.void-hint") };
  if (isVoid(model, opened.hand)) return { disabled: true, hint: t("rule.no-void-again") };
  return voidChanges(model, opened) ? {} : { disabled: true, hint: t("rule.no-void") };
}

/**
 * Draw the form for the decision on an appeal.
 *
 * @param {Page.DisputeModel} model
 * @param {Api.ShownDispute} item
 */
export function drawDecisionForm(model, item, done) {
  const { dispute, ruling } = item;
  const id = `decide-${dispute}`;
  return previewed({
    id, dispute, done, path: "decision", sent: "decide.sent", button: t("decide.send"), title: t("rule.preview-decision"), model,
    changesOf: (values) => (values.decision === "reversed" ? turned(ruling.changes) : ruling.changes.map(() => 0)),
    fields: [
      choices({ id: `${id}-decision`, name: "decision", legend: t("decide.decision"), value: "upheld", items: ["upheld", "reversed"].map((value) => ({ value, text: t(`decide.${value}`) })) }),
      textArea({ id: `${id}-text`, label: t("rule.text-optional"), required: false }),
    ],
    bodyOf: (values) => ({ decision: values.decision, ...optional(values.text) }),
  });
}

/**
 * Draw the form that withdraws an own dispute.
 *
 * @param {Page.DisputeModel} model
 * @param {Api.ShownDispute} item
 */
export function drawWithdrawForm(model, { dispute }, done) {
  return [h("p", null, t("withdraw.may")), sentForm({ model, dispute, path: "withdrawal", sent: "withdraw.sent", button: t("withdraw.send"), done, fields: [], bodyOf: () => ({}) })];
}

/**
 * Draw the form of an appeal.
 *
 * @param {Page.DisputeModel} model
 * @param {Api.ShownDispute} item
 */
export function drawAppealForm(model, item, done) {
  const { dispute, ruling } = item;
  return [
    h("p", null, t("appeal.may"), ruling.appeal_until && [" ", t("appeal.until", { time: new Date(ruling.appeal_until) })]),
    sentForm({ model, dispute, path: "appeal", sent: "appeal.sent", button: t("appeal.send"), done, fields: textArea({ id: `appeal-${dispute}-text`, label: t("appeal.text"), required: false }), bodyOf: ({ text }) => optional(text) }),
  ];
}

/**
 * Draw the form in which another player says their side. It takes the place of what they said before.
 *
 * @param {Page.DisputeModel} model
 * @param {Api.ShownDispute} item
 */
export function drawAnswerForm(model, { dispute, opened }, text, done) {
  const isAccused = opened.details?.accused?.seat === model.seat;
  const submit = async (values) => {
    await ask("PUT", `/games/${model.view.id}/disputes/${dispute}/answer`, { body: { text: values.text } });
    await done(t("answer.sent"));
  };
  const drawn = form({ fields: textArea({ id: `answer-${dispute}-text`, label: t("answer.text"), value: text }), button: t("answer.send"), submit });
  return h("details", { class: "more", open: isAccused && !text }, h("summary", null, t(isAccused ? "answer.accused" : "answer.title")), h("p", { class: "hint" }, t("answer.may")), drawn);
}

const optional = (text) => (text.trim() ? { text } : {});

/**
 * Return a form that shows, as it's filled in, what it would change.
 *
 * @param {Parameters<typeof sentForm>[0] & { id: string, title: string, changesOf: (values: any) => number[], onRead?: (values: any) => void }} options
 */
function previewed({ id, title, changesOf, onRead = () => {}, fields, model, ...rest }) {
  const preview = h("div", { class: "preview", "aria-live": "polite" });
  const whole = sentForm({ ...rest, model, fields: [fields, h("section", { class: "preview-box", "aria-labelledby": `${id}-preview` }, h("h4", { id: `${id}-preview` }, title), preview)] });
  const update = () => {
    const values = valuesOf(whole);
    onRead(values);
    const changes = changesOf(values);
    replace(preview, JSON.stringify(changes), () => drawPreview(model, changes));
  };
  whole.addEventListener("input", update);
  update();
  return whole;
}

/** @param {{ path: "ruling" | "withdrawal" | "appeal" | "decision" } & Record<string, any>} options */
function sentForm({ model, dispute, path, sent, button, done, fields, bodyOf }) {
  const wait = h("p", { class: "hint", role: "status" });
  const submit = async (values) => {
    await send("POST", `/games/${model.view.id}/disputes/${dispute}/${path}`, bodyOf(values), { onWait: (text) => replace(wait, null, text) });
    await done(t(sent));
  };
  const whole = form({ fields, button, submit });
  whole.append(wait);
  return whole;
}

/** The form that opens a dispute. It shows the moment and the evidence as they will be sent. */

import { h, replace } from "../base/dom.js";
import { t } from "../base/messages.js";
import { send } from "../base/net.js";
import { form, valuesOf } from "../pages/forms.js";
import { cardWords } from "../table/words.js";
import { evidenceFor, references } from "./evidence.js";
import { drawFound } from "./evidence-list.js";
import { selection, textArea } from "./fields.js";
import { drawMoment } from "./moment.js";
import { playedBy, trickOf } from "./record.js";
import "./texts.js";

/** @type {Api.NewDispute["kind"][]} */
const KINDS = ["revoke", "deal", "score", "turn", "delay", "rules", "consent", "conduct", "other"];

/** Return the hands that this player can dispute, the newest first: those that they haven't disputed yet. */
export function openHands(model) {
  const own = new Set(model.disputes.filter(({ opened, withdrawal }) => opened.seat === model.seat && !withdrawal).map(({ opened }) => opened.hand));
  const hands = new Set([...model.record.deals.map((deal) => deal.hand), ...(model.liveHand === null ? [] : [model.liveHand])]);
  return [...hands].filter((hand) => !own.has(hand)).sort((a, b) => b - a);
}

/**
 * Draw the form. `moment` is { at, seat } of the address, `done()` is called after it was sent, `cancel()` closes it.
 *
 * @param {Page.DisputeModel} model
 */
export function drawOpenForm(model, moment, { done, cancel }) {
  const hands = openHands(model);
  const asked = moment.at === null ? null : model.record.handAt(moment.at);
  const zones = { card: h("div"), moment: h("div", { class: "moment" }), evidence: h("div", { class: "found", "aria-live": "polite" }), hint: h("p", { class: "hint" }), wait: h("p", { class: "hint", role: "status" }) };
  const choice = new Choice(model, moment);
  let found = null;
  const update = async () => {
    choice.read(whole);
    drawCard(zones.card, choice, () => void update());
    choice.read(whole);
    replace(zones.moment, null, drawMoment(model, { ...choice, seat: moment.seat }));
    replace(zones.hint, null, t(choice.hand === model.liveHand ? "open.text-live" : "open.text-hint"));
    const { kind, hand, at, accused } = choice;
    found = null; // if the server doesn't answer, no evidence of another choice is sent
    const answer = await evidenceFor(model, { kind, hand, at, accused }).catch(() => null);
    if (answer === null || !choice.is({ kind, hand, at, accused })) return;
    found = answer;
    replace(zones.evidence, null, drawFound(model, answer));
  };
  const change = () => void update();
  const submit = async ({ text }) => {
    await update();
    const details = { ...(choice.accused ? { accused: choice.accused } : {}), ...(found ? references(found) : {}) };
    const body = { hand: choice.hand, at_version: choice.at, kind: choice.kind, text, ...(Object.keys(details).length ? { details } : {}) };
    await send("POST", `/games/${model.view.id}/disputes`, body, { onWait: (waiting) => replace(zones.wait, null, waiting) });
    await done(t("open.sent"));
  };
  const whole = form({
    fields: [
      h("div", { class: "open-fields" },
        selection({ id: "open-kind", name: "kind", label: t("open.kind"), options: KINDS.map((kind) => [kind, t(`kind.${kind}`)]), onchange: change }),
        selection({ id: "open-hand", name: "hand", label: t("open.hand"), options: hands.map((hand) => [hand, handText(model, hand)]), value: hands.includes(asked) ? asked : hands[0], onchange: change }),
        selection({ id: "open-accused", name: "accused", label: t("open.accused"), options: [["", t("open.nobody")], ...model.view.seats.filter(({ seat }) => seat !== model.seat).map(({ seat }) => [seat, model.nameOfSeat(seat)])], onchange: change }),
        zones.card),
      zones.moment,
      zones.evidence,
      textArea({ id: "open-text", label: t("open.text") }),
      zones.hint,
    ],
    button: t("open.send"),
    submit,
    extra: h("button", { type: "button", class: "button", onclick: cancel }, t("open.cancel")),
  });
  whole.append(zones.wait);
  void update();
  return whole;
}

/** What is chosen in the form. */
class Choice {
  kind = KINDS[0];
  hand = null;
  accused = null;
  at = null;
  card = "";

  constructor(model, moment) {
    this.model = model;
    this.moment = moment;
  }

  read(whole) {
    const values = valuesOf(whole);
    this.kind = values.kind;
    this.hand = Number(values.hand);
    const seat = values.accused === "" ? null : Number(values.accused);
    this.plays = seat === null || !this.deal ? [] : playedBy(this.deal, seat);
    const play = this.plays.find((each) => String(each.version) === values.card) ?? null;
    this.accused = seat === null ? null : { seat, ...(play ? { trick: play.trick, card: play.card } : {}) };
    this.at = play?.version ?? this.usualAt;
  }

  is({ kind, hand, at, accused }) {
    return this.kind === kind && this.hand === hand && this.at === at && JSON.stringify(this.accused) === JSON.stringify(accused);
  }

  get deal() {
    return this.model.record.dealOf(this.hand, this.isAsked ? this.moment.at : this.model.record.version);
  }

  /** Whether the address names a moment of the hand that is chosen. */
  get isAsked() {
    const { record } = this.model;
    return this.moment.at !== null && this.moment.at <= record.version && record.handAt(this.moment.at) === this.hand && this.moment.at >= (record.dealOf(this.hand, this.moment.at)?.first ?? 0);
  }

  get usualAt() {
    return this.isAsked ? this.moment.at : (this.deal?.last ?? this.model.record.version);
  }
}

/** Draw the cards that the accused has played, beginning with the trick of the moment. */
function drawCard(zone, choice, onchange) {
  const trick = choice.deal && trickOf(choice.deal, { version: choice.usualAt });
  const asked = choice.isAsked ? choice.plays.find((play) => play.trick === trick?.number) : null;
  const options = choice.plays.map((play) => [play.version, t("open.card-option", { trick: play.trick, card: cardWords(play.card) })]);
  replace(zone, JSON.stringify([choice.hand, choice.accused?.seat ?? null, options]), () =>
    options.length ? selection({ id: "open-card", name: "card", label: t("open.card"), options: [["", t("open.no-card")], ...options], value: asked?.version ?? "", onchange }) : null);
}

function handText(model, hand) {
  const isLive = hand === model.liveHand;
  const deal = model.record.dealOf(hand, model.record.version);
  return t(isLive ? (deal && deal.last === null ? "open.hand-live" : "open.hand-waits") : "open.hand-option", { hand });
}

/** Evidence from the log: cards that didn't follow, draws, and the cards that each side took, in words. */

import { t } from "../base/messages.js";
import { signed } from "../table/texts.js";
import { cardWords } from "../table/words.js";
import "./texts.js";

const QUESTIONS = {
  revoke: ["revokes"],
  score: ["score"],
  deal: ["draws"],
  rules: ["draws"],
  other: ["revokes", "draws"],
};
const MOST = 60;

/** Return the evidence for a dispute: { revokes, draws, points, unknown }, items of the server's answers. `unknown` is the text why not yet, or null. */
export async function evidenceFor(model, { kind, hand, at, accused = null }) {
  const asked = QUESTIONS[kind] ?? [];
  const [revokes, draws, score] = await Promise.all(["revokes", "draws", "score"].map((each) => (asked.includes(each) ? model.ask(each, hand) : null)));
  const deal = model.record.dealOf(hand, at);
  return {
    revokes: (revokes?.cards ?? []).filter((card) => isNamed(card, accused) && isIn(deal, card.version)).slice(0, MOST),
    draws: (draws?.draws ?? []).filter((draw) => (draw.fired !== false || draw.right === false) && isIn(deal, draw.version, hand)).slice(0, MOST),
    points: (score?.hands ?? []).filter((each) => isIn(deal, each.version)).flatMap((each) => each.sides.map((side) => ({ ...each, side }))),
    unknown: hand !== model.liveHand ? null : asked.includes("score") ? "evidence.unscored" : revokes?.cannot_tell.length ? "evidence.unrevealed" : null,
    asks: asked.length > 0,
  };
}

/** Return the evidence that a dispute has attached, and what the log has on it beside. */
export async function attachedEvidence(model, opened) {
  const { revokes = [], draws = [], accused = null } = opened.details ?? {};
  const found = await evidenceFor(model, { kind: opened.kind, hand: opened.hand, at: opened.at_version, accused });
  const all = {
    revokes: revokes.length ? ((await model.ask("revokes", opened.hand))?.cards ?? []) : [],
    draws: draws.length ? ((await model.ask("draws", opened.hand))?.draws ?? []) : [],
  };
  const attached = { revokes: all.revokes.filter((each) => revokes.includes(each.version)), draws: all.draws.filter((each) => draws.includes(each.version)) };
  const isNew = (list, item) => !list.some((each) => each.version === item.version);
  return {
    ...found,
    attached,
    revokes: found.revokes.filter((item) => isNew(attached.revokes, item)),
    draws: found.draws.filter((item) => isNew(attached.draws, item)),
  };
}

/** Return the evidence in sentences. */
export const evidenceLines = (model, { revokes, draws, points = [] }) => [...revokes.map((card) => revokeText(model, card)), ...draws.map((draw) => drawText(model, draw)), ...points.map((side) => pointsText(model, side))];

/** Return the body's part for what is attached. */
export function references({ revokes, draws }) {
  const versions = (items) => [...new Set(items.map((each) => each.version))];
  return { ...(revokes.length ? { revokes: versions(revokes) } : {}), ...(draws.length ? { draws: versions(draws) } : {}) };
}

const isNamed = (card, accused) => accused === null || (card.seat === accused.seat && (accused.trick === undefined || card.trick === accused.trick));

/** Draws before the first deal belong to hand 1. */
const isIn = (deal, version, hand = 0) => deal !== null && (version >= deal.first || hand === 1) && (deal.last === null || version <= deal.last);

function revokeText(model, card) {
  const values = { name: model.nameOfSeat(card.seat), trick: card.trick, card: cardWords(card.card), led: cardWords(card.led), cards: card.following.map(cardWords) };
  const how = card.could_follow ? (card.allowed ? "allowed" : "revoke") : "none";
  return t(`evidence.${how}`, values) + (card.taken_back ? ` ${t("evidence.back")}` : "");
}

function pointsText(model, { side, taken, recorded, recomputed }) {
  const cards = side.flatMap((seat) => taken[seat]);
  const counted = pointsOf(recorded, side);
  const changes = side.map((seat) => signed(recorded.changes[seat])).join(", ");
  const values = { names: side.map((seat) => model.nameOfSeat(seat)).join(", "), cards: cards.map(cardWords), points: counted || t("evidence.no-points"), changes };
  const isRight = counted === pointsOf(recomputed, side) && side.every((seat) => recorded.changes[seat] === recomputed.changes[seat]);
  return `${t(cards.length ? "evidence.took" : "evidence.took-none", values)} ${t(isRight ? "evidence.adds-up" : "evidence.adds-up-not")}`;
}

const pointsOf = ({ pegs }, side) => pegs.filter((peg) => side.includes(peg.seat)).map((peg) => (peg.credited ? peg.point : `(${peg.point})`)).join(", ");

function drawText(model, draw) {
  const right = t(draw.right === null ? "evidence.unknown" : draw.right ? "evidence.right" : "evidence.wrong");
  if (draw.label === "seats") return t("evidence.seats", { right });
  if (draw.label === "dealer" || draw.label === "coin") return t(`evidence.${draw.label}`, { name: model.nameOfSeat(draw.recorded), right });
  const odds = draw.odds ? t("evidence.odds", { chances: draw.odds[0], of: draw.odds[1] }) : t("evidence.draw");
  const came = t(draw.came === null ? "evidence.nothing" : "evidence.came", { version: draw.came });
  return t("evidence.chance", { label: draw.label, odds, came, right });
}

// What the table's drawing functions get for a moment of a replay: the view of the seat, and what the record says of it.

import { prefs } from "../live/prefs.js";
import { newModel, trickBefore, withView } from "../table/model.js";
import { sorted } from "../table/words.js";

// Return the model of a moment. Nothing can be done out of turn in it, as it's over.
/** @param {Page.View} view */
export function modelAt(view, log, board = null) {
  const { version } = view;
  const still = view.you ? { ...view, you: { ...view.you, may: [] } } : view;
  const model = withView({ ...newModel(prefs()), names: log.names, me: log.me, rules: log.rulesAt(version), board }, still);
  const last = log.trickAt(version);
  model.story.tricks = last ? [last] : [];
  return { ...model, before: trickBefore(model), shown: gathered(log.entry(version)), focus: null };
}

// Return the model with the cards of all seats, beside those of the seat that looks.
/** @param {Page.Model} model */
export function withHands(model, held) {
  const { view, seat, prefs } = model;
  const sees = Object.fromEntries(held.map((cards, each) => [each, sorted(cards, prefs.order, view.hand?.trump ?? null, Boolean(view.rules.reverse))]));
  if (seat !== null) delete sees[seat];
  /** @type {any} */
  const you = view.you ?? { cards: [], legal: [], may: [], choose: null };
  return { ...model, view: { ...view, you: { ...you, sees: { ...sees, ...you.sees } } } };
}

// At the moment a trick is gathered it still lies on the table.
function gathered(entry) {
  if (entry?.event?.fact !== "TrickTaken") return null;
  const { trick, plays, seat } = entry.event.data;
  return { number: trick, leader: plays[0].seat, plays, taker: seat };
}

// Return the scoreboard as it stood at a moment: the hands scored until then, and the scores as played.
/**
 * @param {Api.Scoreboard | null} board
 * @param {Page.View} view
 */
export function boardAt(board, view) {
  const last = view.last_hand?.hand;
  const at = board ? board.hands.findLastIndex(({ hand }) => hand === last) : -1;
  if (at < 0) return null;
  return { ...board, hands: board.hands.slice(0, at + 1), totals: view.seats.map(({ score }) => score) };
}

// What a moment is in words: the line under the heading, which is also read out.

import { define, list, t } from "../base/messages.js";
import { cardWords, isOwn, seatName } from "../table/words.js";

// Return what happened at a moment, as the seat that looks saw it.
export function factText(entry, model) {
  if (!entry) return t("replay.fact.loading");
  if (!entry.event) return t("replay.fact.withheld");
  return entry.text ?? plainText(entry.event, model);
}

// Say where in the game a moment is and what happened: "Event 57 of 508, hand 2: ...".
export function momentText(entry, model, size) {
  const { version } = model.view;
  const isInTrick = Boolean(entry?.trick);
  return t(isInTrick ? "replay.moment.hand" : "replay.moment", { at: version, size, hand: entry?.hand ?? 0, text: factText(entry, model) });
}

// The events of which the table says nothing.
function plainText({ fact, data }, model) {
  if (fact === "CardsDealt" || fact === "CardsTaken") return givenText(fact, data, model);
  if (fact === "CardsBuried") return t(`replay.fact.CardsBuried${ownKey(data.seat, model)}`, { name: seatName(model, data.seat), count: data.cards.length });
  return PLAIN.has(fact) ? t(`replay.fact.${fact}`) : `${fact.replace(/(?<=.)([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)}.`;
}

function givenText(fact, { seat, cards }, model) {
  const values = { name: seatName(model, seat), count: cards.length };
  const own = ownKey(seat, model);
  return seat === model.seat && model.view.you.cards ? t(`replay.fact.given${own}`, { ...values, cards: list(cards.map(cardWords)) }) : t(`replay.fact.${fact}${own}`, values);
}

// The end of a key whose text is in the second person for the own seat.
function ownKey(seat, model) {
  return isOwn(model, seat) ? ".you" : "";
}

const PLAIN = new Set(["GameOpened", "SeatsDrawn", "CeremonyOpened", "SeedKept", "StockLaid", "CeremonyRevealed", "CeremonyVoided", "TurnTimed"]);

define({
  "replay.fact.CardsBuried": { one: "{name} throws {count} card away, face down.", other: "{name} throws {count} cards away, face down." },
  "replay.fact.CardsDealt": { one: "{name} is dealt {count} card.", other: "{name} is dealt {count} cards." },
  "replay.fact.CardsTaken": { one: "{name} gets {count} card.", other: "{name} gets {count} cards." },
  "replay.fact.CardsBuried.you": { one: "You throw {count} card away, face down.", other: "You throw {count} cards away, face down." },
  "replay.fact.CardsDealt.you": { one: "You are dealt {count} card.", other: "You are dealt {count} cards." },
  "replay.fact.CardsTaken.you": { one: "You get {count} card.", other: "You get {count} cards." },
  "replay.fact.CeremonyOpened": "The server publishes its promise for the next shuffle.",
  "replay.fact.CeremonyRevealed": "The seed of the shuffle is published, and with it every card of the deal.",
  "replay.fact.CeremonyVoided": "A shuffle that wasn't used is published.",
  "replay.fact.GameOpened": "The game is opened.",
  "replay.fact.SeatsDrawn": "The seats are drawn.",
  "replay.fact.SeedKept": "The server keeps the seed of the shuffle to itself.",
  "replay.fact.StockLaid": "The other cards are the stock.",
  "replay.fact.TurnTimed": "The clock of the turn starts.",
  "replay.fact.given": "{name} gets {cards}.",
  "replay.fact.given.you": "You get {cards}.",
  "replay.fact.loading": "Loading …",
  "replay.fact.withheld": "This event is hidden until the hand is over.",
  "replay.moment": "Event {at} of {size}: {text}",
  "replay.moment.hand": "Event {at} of {size}, hand {hand}: {text}",
});

// What a moment is in words: the line under the heading, which is also read out.

import { define, list, t } from "../base/messages.js";
import { cardWords, seatName } from "../table/words.js";

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
  if (fact === "CardsBuried") return t("replay.fact.CardsBuried", { name: seatName(model, data.seat), count: data.cards.length });
  return PLAIN.has(fact) ? t(`replay.fact.${fact}`) : fact.replace(/(?<=.)([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`) + ".";
}

function givenText(fact, { seat, cards }, model) {
  const values = { name: seatName(model, seat), count: cards.length };
  return seat === model.seat && model.view.you.cards ? t("replay.fact.given", { ...values, cards: list(cards.map(cardWords)) }) : t(`replay.fact.${fact}`, values);
}

const PLAIN = new Set(["GameOpened", "SeatsDrawn", "CeremonyOpened", "SeedKept", "StockLaid", "CeremonyRevealed", "CeremonyVoided", "TurnTimed"]);

define({
  "replay.fact.CardsBuried": { one: "{name} throws {count} card away, face down.", other: "{name} throws {count} cards away, face down." },
  "replay.fact.CardsDealt": { one: "{name} is dealt {count} card.", other: "{name} is dealt {count} cards." },
  "replay.fact.CardsTaken": { one: "{name} gets {count} card.", other: "{name} gets {count} cards." },
  "replay.fact.CeremonyOpened": "The server publishes its promise for the next shuffle.",
  "replay.fact.CeremonyRevealed": "The seed of the shuffle is published, and with it every card of the deal.",
  "replay.fact.CeremonyVoided": "A shuffle that wasn't used is published.",
  "replay.fact.GameOpened": "The game is opened.",
  "replay.fact.SeatsDrawn": "The seats are drawn.",
  "replay.fact.SeedKept": "The server keeps the seed of the shuffle to itself.",
  "replay.fact.StockLaid": "The other cards are the stock.",
  "replay.fact.TurnTimed": "The clock of the turn starts.",
  "replay.fact.given": "{name} gets {cards}.",
  "replay.fact.loading": "Loading …",
  "replay.fact.withheld": "This event is hidden until the hand is over.",
  "replay.moment": "Event {at} of {size}: {text}",
  "replay.moment.hand": "Event {at} of {size}, hand {hand}: {text}",
});

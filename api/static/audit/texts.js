// The texts of the pages that check a game.

import { define } from "../base/messages.js";
import "./check-texts.js";
import "./deal-texts.js";

define({
  "audit.seat": "seat {seat}",
  "audit.seat-of": "{name} (seat {seat})",
  "audit.joker": "joker {number}",
  "audit.deal": "the deal of hand {hand}",
  "audit.redeal": "redeal {redeal} of hand {hand}",
  "audit.draw.game": "the draw for the seats or the first dealer",
  "audit.draw.coin": "the coin for the tie",
  "audit.event.opened": "the game begins",
  "audit.event.promise": "the server promises the next deal",
  "audit.event.seed": "the server keeps the seed",
  "audit.event.beacon": "the public number is recorded",
  "audit.event.cut": "{name} cuts",
  "audit.event.dealt": "hand {hand} is dealt",
  "audit.event.cards": "{name} gets cards",
  "audit.event.stock": "the stock is laid aside",
  "audit.event.bid": "{name} bids {bid}",
  "audit.event.pass": "{name} passes",
  "audit.event.card": "{name} plays {card}",
  "audit.event.trick": "{name} takes trick {trick}",
  "audit.event.scored": "hand {hand} is scored",
  "audit.event.revealed": "the seed is opened",
  "audit.event.ended": "the game ends",
  "audit.event.other": "{fact}",
  "audit.in-deal": "in {deal}",
  "audit.in-hand": "in hand {hand}",
  "audit.before": "at the beginning of the game",

  "cause.at": "event {version}",
  "cause.at-event": "event {version} (“{event}”)",
  "cause.between": "between “{before}” and “{after}”",
  "cause.nothing": "nothing that can be read",
  "cause.missing": {
    one: "Event {from} is missing {where}. Its line was deleted, or the file was damaged.",
    other:
      "{count} events are missing, from {from} to {last}, {where}. Their lines were deleted, or the file was damaged.",
  },
  "cause.missing-end": {
    one: "The last event, {from}, is missing. Its line was deleted, or the file was damaged.",
    other: "The last {count} events are missing, from {from} on. Their lines were deleted, or the file was damaged.",
  },
  "cause.twice": "Event {from} is in the file twice ({where}).",
  "cause.moved": {
    one: "Event {versions} isn't in its place ({where}). Lines changed places.",
    other: "{count} events aren't in their places: {versions} ({where}). Lines changed places.",
  },
  "cause.changed": "Event {from} was changed after it was written ({where}). The file now says: {event}.",
  "cause.renumbered": "The line of event {version} has another number than the event itself ({where}).",
  "cause.replaced":
    "Event {from} was replaced by another one, or its hash was ({where}). The next event was written for a different one.",
  "cause.link":
    "The line of event {from} doesn't name the events before it correctly ({where}). Only this line was changed.",
  "cause.unreadable": "Where event {from} should be, there is a line that can't be read ({where}).",
  "cause.cut-off": "The file is cut off, or it lost its last line. It ends after event {last}.",
  "cause.hash": "Event {from} doesn't fit the hash beside it ({where}). The hash was changed, or the event.",
  "cause.trailer": "The last line doesn't fit the events. It was changed, or the last event was replaced.",
  "cause.header": "The first line names another game than the events.",
  "cause.deals": "{count} deals aren't what their seeds give: {deals}.",
  "cause.deal.promise": "The seed of {deal} isn't the one that the server promised before.",
  "cause.deal.cards": "In {deal}, the log gives other cards than the seed to: {names}.",
  "cause.deal.missing": "In {deal}, the log lacks cards. The seed gives some to: {names}.",
  "cause.deal.other": "The log says something else about {deal} than the seed gives.",
  "cause.deal.stock": "the stock",
  "cause.finding": "{where}: {says}.",
  "cause.finding-file": "The file: {says}.",
  "cause.more": {
    one: "One more check fails, which can follow from this",
    other: "{count} more checks fail, which can follow from this",
  },
  "cause.places": {
    one: "one line that isn't where its number says",
    other: "{count} lines that aren't where their numbers say",
  },
  "cause.event": "Event {version}: {says}",
  "cause.too-many": { one: "and one more", other: "and {count} more" },
});

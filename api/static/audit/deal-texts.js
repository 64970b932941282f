// The texts of deals and their steps, and words that are explained in place.

import { define } from "../base/messages.js";

define({
  "deal.title.hand": "Hand {hand}",
  "deal.title.redeal": "Hand {hand}, dealt again",
  "deal.title.game": "Seats and first dealer",
  "deal.title.coin": "Coin for the tie",
  "deal.title.unknown": "Draw {n}",
  "deal.state.right": "As promised",
  "deal.state.wrong": "Not as promised",
  "deal.state.unrevealed": "Not revealed yet",
  "deal.state.broken": "Can't be judged: the log is broken here",
  "deal.dealer": "{name} deals",
  "deal.ended.scored": "scored",
  "deal.ended.thrown-in": "thrown in",
  "deal.ended.misdealt": "misdeal",
  "deal.ended.void": "void by a ruling",
  "deal.ended.voided": "never dealt",
  "deal.ended.drawn": "drawn",
  "deal.ended.not-dealt": "waits for cuts",
  "deal.ended.in-play": "in play",
  "deal.ended.broken-off": "broken off",
  "deal.points": "{name} {points}",

  "deal.promise": "The promise",
  "deal.promise.says": "First, the server chose a secret number, the seed, and published its fingerprint:",
  "deal.cuts": "The cuts",
  "deal.cuts.none": "Nobody cut. The deck follows from the seed alone.",
  "deal.cuts.says": "Then players mixed in numbers of their own, which the server couldn't know:",
  "deal.cut": "{name} cut with {cut}.",
  "deal.cut.sealed": "{name} cut with {cut}, which fits the seal from before the promise.",
  "deal.cut.broken": "{name} cut with {cut}, which doesn't fit the seal from before the promise.",
  "deal.cut.beacon": "The public number {source} is {cut}. Its signature isn't checked here: trickbook game verify does that.",
  "deal.missing": "{names} sealed a cut and didn't make it.",
  "deal.seed": "The seed",
  "deal.seed.waits":
    "The seed stays secret until the hand is over. Then everybody can deal this hand again, here or with a program of their own.",
  "deal.seed.says": "Afterwards, the server opened the seed:",
  "deal.seed.right": "This browser computed its fingerprint: the same as promised.",
  "deal.seed.wrong": "This browser computed its fingerprint, and it's another one than promised:",
  "deal.shuffle": "The shuffle",
  "deal.shuffle.says":
    "Seed and cuts make a stream of numbers. Each one exchanges two cards of the sorted deck: first the card in place {place} with the one in place {other}, then {rest}, and so on down to place 2. This browser did all {count} exchanges and got this deck:",
  "deal.shuffle.pair": "{place} with {other}",
  "deal.cards": "The cards",
  "deal.cards.says": "One card at a time, beginning with {name}, to the left of the dealer:",
  "deal.cards.fit": "as in the log",
  "deal.cards.differ": "not as in the log",
  "deal.cards.missing": "missing in the log",
  "deal.cards.log": "The log says:",
  "deal.stock": "The rest, not dealt",
  "deal.changes": {
    one: "One change of the rules happened in this hand. If it was drawn, it was drawn again from the same seed.",
    other:
      "{count} changes of the rules happened in this hand. Those that were drawn were drawn again from the same seed.",
  },
  "deal.draws": "The draw",
  "deal.drawn.SeatsDrawn": "The seats: {names}.",
  "deal.drawn.DealerDrawn": "The first dealer: {name}.",
  "deal.drawn.CoinFlipped": "The coin: {name} wins the tie.",
  "deal.draw.right": "This browser drew again from the seed: the same.",
  "deal.draw.wrong": "This browser drew again from the seed, and got something else.",
  "deal.failed": "The facts of this deal can't be computed with.",
  "deal.no-seed": "The log lacks what it takes to compute this deal.",
  "deal.grade": "Grade {grade}",
  "grade.F0":
    "Only the server's promise: it couldn't change the deal afterwards. But nobody cut, so it could have tried seeds before, until it liked one.",
  "grade.F1":
    "At least one player cut after the promise, so the server couldn't choose the deal freely. It could have chosen among the decks that come from leaving out cuts, or together with the last player who cut.",
  "grade.F2":
    "Every person cut, and had sealed their cut before the promise. Nobody could choose the deal, except by keeping back a cut, and that shows.",
  "grade.F3": "As F2, and a public random number was mixed in that nobody could know before.",
  "grade.title": "What do F0 to F3 mean?",

  "word.title": "Words on this page",
  "word.log": "Log",
  "word.log.says":
    "Everything that happened in the game, as a list of numbered events: each deal, bid, card, trick, and score.",
  "word.hash": "Fingerprint, hash",
  "word.hash.says":
    "64 digits and letters computed from some data. Other data has another hash, and nobody can find data for a hash that is given.",
  "word.root": "Root",
  "word.root.says":
    "The hash of the whole log up to an event. Every answer to a move carries it, so whoever keeps one can prove later what the log was.",
  "word.receipt": "Receipt",
  "word.receipt.says":
    "The server's signature on a root. You get one after each hand. If the log is changed later, your receipt shows it.",
  "word.seed": "Seed, promise",
  "word.seed.says":
    "The seed is a secret number from which the deck follows. The promise is its hash, published before the deal: it binds the server without showing the cards.",
  "word.cut": "Cut, seal",
  "word.cut.says":
    "A cut is a number that a player mixes into the shuffle after the promise. A seal is its hash, given one deal earlier, so that nobody can wait to see the other cuts.",
  "word.export": "Export",
  "word.export.says": "The log as a file. It ends in .ndjson. A program of anybody can check it, without the server.",
});

// The texts of verdicts and checks.

import { define } from "../base/messages.js";

define({
  "verdict.right": "Everything fits",
  "verdict.running": "Everything fits so far",
  "verdict.wrong": "Something is wrong",
  "verdict.undecided": "This can't be decided",
  "verdict.causes": {
    one: "There is one cause. Everything else that doesn't fit can follow from it.",
    other: "There are {count} causes. Everything else that doesn't fit can follow from them.",
  },
  "verdict.single": "One thing doesn't fit.",
  "verdict.alone":
    "The file agrees with itself. No receipt of yours was compared, so somebody could have made up the whole file. Compare it with a receipt that you kept.",
  "verdict.compared": {
    one: "The file agrees with itself, and with what you kept.",
    other: "The file agrees with itself, and with all {count} things that you kept.",
  },
  "verdict.compared-keys": "The signatures are by keys that you gave.",
  "verdict.live": {
    one: "The game isn't over: one deal isn't revealed yet. Check again after the hand.",
    other: "The game isn't over: {count} deals aren't revealed yet. Check again after the hand.",
  },
  "verdict.live-none": "The game isn't over. Check again at its end.",
  "verdict.unread": {
    one: "One event is of a later version than this page knows. Use the page of a newer server.",
    other: "{count} events are of a later version than this page knows. Use the page of a newer server.",
  },
  "verdict.unsigned":
    "The file agrees with itself, but it holds no receipt: its end can be missing, and nobody answers for it. Compare it with a receipt that you kept, or get the file from the server again.",
  "verdict.line-ends":
    "Only the line ends differ from the server's file ({how}): a program has changed them, and no event depends on them.",
  "verdict.receipt-unknown": "A receipt can't be checked: {says}.",

  "check.state.right": "fits",
  "check.state.wrong": "doesn't fit",
  "check.state.waits": "not yet known",
  "check.state.none": "not checked",
  "check.log": "The log",
  "check.log.right": {
    one: "The log is the list of all that happened, one event. It carries its own hash.",
    other:
      "The log is the list of all that happened, {count} events. Each is tied to all those before it by a hash, a fingerprint of their bytes. All {count} were computed again: nothing before the last is missing, changed, or moved.",
  },
  "check.log.withheld": {
    one: "One of them is hidden from you until the hand is over: only its hash is here.",
    other: "{count} of them are hidden from you until the hand is over: only their hashes are here.",
  },
  "check.log.wrong":
    "Each event is tied to all those before it by a hash, a fingerprint of their bytes. They don't fit together, or some are missing.",
  "check.deals": "The deals",
  "check.deals.right": {
    one: "One deal was dealt again from its seed: the same cards for each player.",
    other:
      "{count} deals and draws were made again from their seeds: the same cards for each player, in the same order.",
  },
  "check.deals.waits": { one: "One deal isn't revealed yet.", other: "{count} deals aren't revealed yet." },
  "check.deals.wrong": {
    one: "One of {all} deals and draws doesn't follow from its seed.",
    other: "{count} of {all} deals and draws don't follow from their seeds.",
  },
  "check.deals.order": "The cards follow from their seeds, but something else about a deal isn't in order: see above.",
  "check.deals.broken": {
    one: "One of {all} deals and draws can't be judged, because the log is broken there.",
    other: "{count} of {all} deals and draws can't be judged, because the log is broken there.",
  },
  "check.deals.none": "Nothing was dealt yet.",
  "check.play": "Cards, tricks, and scores",
  "check.play.right":
    "Every player held each card that they played, and played it once. Each trick holds the cards that were played to it. Scores add up.",
  "check.play.wrong": "Cards, tricks, or scores don't add up.",
  "check.play.broken": "This can't be judged after the place where the log is broken.",
  "check.receipts": "Receipts",
  "check.receipts.none":
    "There is none. A receipt is the server's signature on the log as it was; only a receipt that you kept yourself shows that nothing was changed since.",
  "check.receipts.beside": "Receipts prove nothing here, since something else is wrong: see above.",
  "check.receipts.file":
    "You gave no receipt to compare. The file brings one along, which its author could have made too.",
  "check.receipts.kept": {
    one: "What you kept was compared with the log: it fits.",
    other: "{count} things that you kept were compared with the log: they fit.",
  },
  "check.receipts.wrong": "A receipt doesn't fit this log.",
  "check.receipts.waits": "A receipt can't be checked.",
  "check.receipts.server": {
    one: "The server kept one receipt that it gave in this game. The log still has what it signs.",
    other: "The server kept {count} receipts that it gave in this game. The log still has what they sign.",
  },
  "check.rules": "The rules",
  "check.rules.page":
    "This page doesn't know the rules of each game: who had to follow suit, who wins a trick, what scores. The server checks them, and so does the command “trickbook game verify”.",
  "check.rules.right": {
    one: "One move was judged again by today's rules, with the same result: its legality, the trick, and the points.",
    other:
      "{count} moves were judged again by today's rules, with the same results: whether each was legal, who took each trick, and what it scored.",
  },
  "check.rules.waits": {
    one: "One move was judged again by today's rules, with the same result. The rest waits until cards are revealed.",
    other:
      "{count} moves were judged again by today's rules, with the same results. The rest waits until cards are revealed.",
  },
  "check.rules.wrong": "Today's rules judge some moves differently.",
  "check.rules.none": "The rules weren't checked: the log can't be read.",
  "check.rulings": "Disputes",
  "check.rulings.right": {
    one: "There is one dispute. What was ruled on it quotes this log, and the scores as ruled add up.",
    other: "There are {count} disputes. What was ruled on them quotes this log, and the scores as ruled add up.",
  },
  "check.rulings.wrong": "A ruling doesn't fit this log.",
  "check.restored": "Backups",
  "check.restored.says": {
    one: "The server was restored from a backup once, at {at}. Events after the backup are gone; receipts show whether this game lost any.",
    other:
      "The server was restored from backups {count} times, last at {at}. Events after a backup are gone; receipts show whether this game lost any.",
  },
  "check.lost": "Lost events",
  "check.lost.says":
    "Since {at}, the host serves a log that lacks events of this or other games. Receipts show whether this game lost any.",
  "check.people": "The people",
  "check.people.page":
    "No check shows that nobody looked at the cards, that names are right, or when something happened. Whoever runs the server can see live cards.",
  "check.seen": "What this browser saw",
  "check.seen.right": "At the table, this browser followed the log up to event {size}. The log still is what it saw.",
  "check.seen.wrong":
    "At the table, this browser followed the log up to event {size}. The server's log is another one now.",
  "check.by.server": "by the server",
  "check.by.browser": "by this browser",
  "check.by.both": "by the server and by this browser",
  "check.by.differ": "The server and this browser disagree here.",

  "receipt.kept": "A receipt that you kept",
  "receipt.trailer": "The receipt in the file",
  "receipt.of": "{whose}, after event {size}",
  "receipt.right.keys": "It fits: the log was the same then. A key that you gave signed it.",
  "receipt.right.file": "It fits: the log was the same then. The key that signed it is one that only the file names.",
  "receipt.right.server": "It fits: the log was the same then. A key of this server signed it.",
  "receipt.wrong.root":
    "It doesn't fit: the server signed something else. An event up to {size} was changed, added, or removed after the receipt was given.",
  "receipt.wrong.short": "It doesn't fit: the log must have {size} events, and some are gone.",
  "receipt.wrong.game": "It's for another game.",
  "receipt.wrong.signature": "Its signature is wrong: the receipt was changed, or never came from the server.",
  "receipt.beside": "The log had this hash then, but something else is wrong: it proves nothing here.",
  "receipt.other": "{says}.",
});

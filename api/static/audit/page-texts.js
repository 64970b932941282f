// The texts of the two pages themselves, and of the fields.

import { define } from "../base/messages.js";

define({
  "part.checks": "What was checked, and what wasn't",
  "part.receipts": "Receipts",
  "part.deals": "Hand by hand",
  "part.deals.says": "Open a hand to see how its cards follow from the seed. This browser computes every step.",
  "part.checks.audit": "What was compared",
  "audit.tab": "Check board {board} · trickbook",
  "audit.title": "Check board {board}",
  "audit.says":
    "The server checks this game, and this browser checks it again, with another program, from the log alone. Open a hand to follow its deal.",
  "audit.forming": "This table still waits for players. Once cards are dealt, the game can be checked here.",
  "audit.again": "Check again",
  "audit.kept.says":
    "A receipt, a root, or an export that you kept shows whether the server's log is still the one that you played in.",
  "audit.server.checks": {
    one: "The server checks every event of the game: one second so far…",
    other: "The server checks every event of the game: {count} seconds so far…",
  },
  "audit.server.wrong": "The server finds a fault in its own log.",
  "audit.server.findings": { one: "What the server found: one fault", other: "What the server found: {count} faults" },
  "audit.server.deal": "What the server says about this deal",
  "audit.server.only": "Only the server checked the game; this browser couldn't.",
  "audit.browser.loads": "This browser loads the log…",
  "audit.browser.checks": "This browser checks the log…",
  "audit.browser.only": "Only this browser checked the game; the server couldn't.",
  "audit.both": "The server and this browser checked the game separately, and agree.",
  "audit.compared": {
    one: "It's also the game of what you kept.",
    other: "It's also the game of all {count} things that you kept.",
  },
  "audit.compared-keys": {
    one: "It's also the game of what you kept, by the keys that you gave.",
    other: "It's also the game of all {count} things that you kept, by the keys that you gave.",
  },
  "heavy.429": {
    one: "This server takes only some checks at a time from each address. It's asked again in a second.",
    other: "This server takes only some checks at a time from each address. It's asked again in {count} seconds.",
  },
  "heavy.503": {
    one: "The server is busy with other checks. It's asked again in a second.",
    other: "The server is busy with other checks. It's asked again in {count} seconds.",
  },
  "receipt.title": "Keep a receipt",
  "receipt.says":
    "A receipt is the server's signature on the log as it is now. Keep it: if anybody changes the log later, it shows that.",
  "receipt.none-yet": "There is no receipt yet. The server signs one after each hand.",
  "receipt.newest": "The newest one covers events 1 to {size}:",
  "receipt.make": "Make one of the log as it is now",
  "receipt.save": "Save the receipt",
  "receipt.copy": "Copy it",
  "receipt.copied": "The receipt is copied.",
  "receipt.not-copied": "This browser doesn't allow copying here. Select the text instead.",
  "take.title": "Take the game along",
  "take.export": "Download the export",
  "take.export.says": "The whole log that you may see, as a file that ends in .ndjson.",
  "take.verify": "Check a file",
  "take.verify.says": "The same page on another server checks your export as well, and sends it nowhere.",
  "take.keys": "Download the server's keys",
  "take.keys.says": "With keys that you got before a dispute, nobody can slip you receipts of others.",
  "progress.label": "Progress of the check",
  "game.title": "Board {board}, {variant}: {names}",
  "game.title-alone": "Board {board}, {variant}",

  "verify.title": "Check a game",
  "verify.says":
    "Was the deal fair, and has nothing been changed since? Choose the file of a game. It's checked in this browser, and goes nowhere.",
  "verify.file": "Export of a game, a file that ends in .ndjson",
  "verify.drop":
    "You can also drop it anywhere on this page. The menu of each table and the page of its check let you download it.",
  "verify.none": "No file has been chosen yet.",
  "verify.reading": "Reading {name}…",
  "verify.checking": "Checking {name}…",
  "verify.checked": "{name} has been checked. {verdict}.",
  "verify.many": "Checking {name}: game {place} of {count}…",
  "verify.checked-many": "{name} has been checked: {counted}.",
  "verify.too-large": "it's larger than 64 MB",
  "verify.choose-first": "Choose the file of a game first.",
  "verify.not-an-export":
    "{name} can't be checked: {says}. An export is a text file; its first line says “trickbook-export/1”. Download it again from the table.",
  "verify.failed": "{name} can't be checked: {says}.",
  "verify.no-crypto": "This page needs https, or localhost: browsers can't compute hashes on other pages.",

  "kept.title": "Compare with a receipt that you kept",
  "kept.says": "Without one, the whole file may be made up, even if everything in it agrees.",
  "kept.text": "Receipts or roots",
  "kept.hint": "Paste a whole receipt, a root of 64 digits and letters, or an answer of the server.",
  "kept.files": "Or files of them, such as an earlier export",
  "kept.keys": "Keys of the server",
  "kept.keys.hint":
    "One in each line, or the whole text of keys.json. Without any, the keys that the file names count, and they prove nothing about its author.",
  "kept.compare": "Compare",
  "kept.unreadable": "What you kept can't be compared: {says}.",

  "many.counted": "{right} right, {wrong} wrong, {other} undecided",
  "many.title": "{count} games: {counted}",
  "many.says": "Choose a game to see its whole report. What you kept is compared with the game that you choose.",
  "many.unreadable": "Game {place} of the file can't be read: {says}",
});

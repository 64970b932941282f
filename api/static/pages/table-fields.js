/** What holds at a table beside the rules of the game: taking back, cuts, watching, chat, time. */

import { h } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { SEALED } from "../live/cuts.js";

/** @type {[string, string[]][]} */
const CHOICES = [
  ["undo", ["consent", "practice", "none"]],
  ["cuts", ["sealed", "open", "beacon", "none"]],
  ["reveal", ["hand", "game"]],
  ["watch", ["public", "delayed", "private"]],
  ["chat", ["open", "between-hands"]],
  ["time", ["weeks", "days", "bank", "day", "live", "blitz", "none"]],
  ["late", ["forfeit", "claim", "bot"]],
];
const DELAY = 20;
const HOUR = 3600;
const TIMES = {
  weeks: {},
  days: { nag_days: 1, forfeit_days: 3 },
  none: { nag_days: null, forfeit_days: null },
  bank: { nag_days: 2, pace: { kind: "bank", base_s: 240 * HOUR, move_s: 36 * HOUR, cap_s: 300 * HOUR } },
  day: { nag_days: null, pace: { kind: "daily", move_s: 24 * HOUR } },
  live: { nag_days: null, pace: { kind: "live", base_s: 600, increment_s: 15 } },
  blitz: { nag_days: null, pace: { kind: "live", base_s: 120, increment_s: 5 } },
};
const LATE = { forfeit: "forfeit", claim: "claim", bot: "bot:simple" };
const CUTS = { none: { cuts: "none" }, open: { ...SEALED, cuts: "open" }, sealed: SEALED, beacon: { ...SEALED, window_s: 30, beacon: "drand/quicknet" } };
const WATCH = { public: { public: true, delay: 0 }, delayed: { public: true, delay: DELAY }, private: { public: false, delay: 0 } };

/** Return { node, value() }; `value()` is a part of the body that opens a game. */
export function tableFields() {
  const selects = Object.fromEntries(CHOICES.map(([name, values]) => [name, h("select", { id: `table-${name}` }, values.map((value) => h("option", { value }, t(`table.${name}.${value}`))))]));
  const node = CHOICES.map(([name]) => h("div", { class: "option" }, h("div", { class: "option-line" }, h("div", null, h("label", { for: `table-${name}` }, h("strong", null, t(`table.${name}`))), h("p", { class: "says" }, t(`table.${name}.says`))), selects[name])));
  const value = () => ({
    undo: selects.undo.value,
    reveal: selects.reveal.value,
    chat: /** @type {Api.NewGame["chat"]} */ (selects.chat.value),
    fairness: CUTS[selects.cuts.value],
    watch: WATCH[selects.watch.value],
    timing: TIMES[selects.time.value],
    autopilot: LATE[selects.late.value],
  });
  return { node, value };
}

define({
  "table.chat": "Chat",
  "table.chat.between-hands": "between hands",
  "table.chat.open": "always",
  "table.chat.says": "In partnerships, a chat during the hand can tell too much.",
  "table.cuts": "Cuts",
  "table.cuts.beacon": "sealed, and a public beacon",
  "table.cuts.none": "none",
  "table.cuts.open": "open",
  "table.cuts.sealed": "sealed",
  "table.cuts.says": "Players cut each deck, so that not even the server can choose a deal. Your browser does it for you. With sealed cuts, one that is left out shows. A beacon mixes in a public random number, so that nobody can; each deal then takes some seconds.",
  "table.late": "Out of time",
  "table.late.bot": "a bot plays on",
  "table.late.claim": "others may claim",
  "table.late.forfeit": "the seat is lost",
  "table.late.says": "A bot plays until the player is back. Until others claim the time, a late move counts.",
  "table.reveal": "Hidden cards are shown",
  "table.reveal.game": "after the game",
  "table.reveal.hand": "after each hand",
  "table.reveal.says": "Then everybody can check the deal.",
  "table.time": "Time for a move",
  "table.time.bank": "ten days, and a day and a half a move",
  "table.time.blitz": "two minutes, and 5 seconds a move",
  "table.time.day": "one day",
  "table.time.days": "three days",
  "table.time.live": "ten minutes, and 15 seconds a move",
  "table.time.none": "no limit",
  "table.time.says": "The clocks of one day and of ten days stop in the hours that a player has closed.",
  "table.time.weeks": "three weeks",
  "table.undo": "Taking back",
  "table.undo.consent": "if the others agree",
  "table.undo.none": "never",
  "table.undo.practice": "freely, alone with bots",
  "table.undo.says": "A move that was a slip.",
  "table.watch": "Watching",
  "table.watch.delayed": "anybody, later",
  "table.watch.private": "nobody",
  "table.watch.public": "anybody",
  "table.watch.says": "Watchers never see a hidden card. A private table is seen by its players alone.",
});

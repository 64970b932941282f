/** What holds at a table beside the rules of the game: taking back, cuts, watching, chat, time. */

import { h } from "../base/dom.js";
import { define, t } from "../base/messages.js";

const CHOICES = [
  ["undo", ["consent", "practice", "none"]],
  ["cuts", ["sealed", "open", "none"]],
  ["reveal", ["hand", "game"]],
  ["watch", ["public", "delayed", "private"]],
  ["chat", ["open", "between-hands"]],
  ["time", ["weeks", "days", "none"]],
];
const DELAY = 20;
const TIMES = { weeks: {}, days: { nag_days: 1, forfeit_days: 3 }, none: { nag_days: null, forfeit_days: null } };
const WATCH = { public: { public: true, delay: 0 }, delayed: { public: true, delay: DELAY }, private: { public: false, delay: 0 } };

/** Return { node, value() }; `value()` is a part of the body that opens a game. */
export function tableFields() {
  const selects = Object.fromEntries(CHOICES.map(([name, values]) => [name, h("select", { id: `table-${name}` }, values.map((value) => h("option", { value }, t(`table.${name}.${value}`))))]));
  const node = CHOICES.map(([name]) => h("div", { class: "option" }, h("div", { class: "option-line" }, h("div", null, h("label", { for: `table-${name}` }, h("strong", null, t(`table.${name}`))), h("p", { class: "says" }, t(`table.${name}.says`))), selects[name])));
  const value = () => ({
    undo: selects.undo.value,
    reveal: selects.reveal.value,
    chat: selects.chat.value,
    fairness: { cuts: selects.cuts.value },
    watch: WATCH[selects.watch.value],
    timing: TIMES[selects.time.value],
  });
  return { node, value };
}

define({
  "table.chat": "Chat",
  "table.chat.between-hands": "between hands",
  "table.chat.open": "always",
  "table.chat.says": "In partnerships, a chat during the hand can tell too much.",
  "table.cuts": "Cuts",
  "table.cuts.none": "none",
  "table.cuts.open": "open",
  "table.cuts.sealed": "sealed",
  "table.cuts.says": "Players cut each deck, so that not even the server can choose a deal. Your browser does it for you.",
  "table.reveal": "Hidden cards are shown",
  "table.reveal.game": "after the game",
  "table.reveal.hand": "after each hand",
  "table.reveal.says": "Then everybody can check the deal.",
  "table.time": "Time for a move",
  "table.time.days": "three days",
  "table.time.none": "no limit",
  "table.time.says": "Whoever takes longer is out of the game.",
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

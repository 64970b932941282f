/** The hands of a game as a table: bids, what each player or side won, running totals, and what changed in between. */

import { h } from "../base/dom.js";
import { list, t } from "../base/messages.js";
import { minus, signed, t as tableText } from "../table/texts.js";
import { pointName, settingChanges } from "../table/words.js";
import { outcomeOf } from "./sums.js";
import "./texts.js";

/** Draw the table. `columns` are lists of seats, `names` the names by seat, `rounds` what `roundsOf` returns. */
export function handsTable({ board, view, columns, names, rounds, asRuled }) {
  const bids = board.hands.some((hand) => hand.pitcher !== null);
  const width = columns.length + 1 + Number(bids);
  const heads = columns.map((seats) => h("th", { scope: "col", class: "number" }, list(seats.map((seat) => names[seat]))));
  const body = rounds.flatMap((round, place) => [
    settingRow(board.hands[place - 1]?.setting ?? null, round.hand, width),
    handRow(round, { view, columns, names, bids }),
    ...delayRows(board, round.hand.hand, names, width),
  ]);
  const { scores } = outcomeOf(board, asRuled);
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("score.hands") },
    h("table", { class: "list hands" },
      h("thead", null, h("tr", null, h("th", { scope: "col" }, t("score.hand")), bids ? h("th", { scope: "col" }, t("score.bid")) : null, heads)),
      h("tbody", null, body),
      h("tfoot", null, h("tr", null, h("th", { scope: "row", colspan: bids ? 2 : 1 }, t("score.total")), columns.map(([seat]) => h("td", { class: "number" }, minus(scores[seat])))))));
}

function handRow({ hand, changes, totals, ruled }, { view, columns, names, bids }) {
  const at = hand.last_version;
  const number = at === null || at > view.version ? hand.hand : h("a", { href: `/games/${view.board}/replay?at=${at}`, "aria-label": t("score.replay", { hand: hand.hand }) }, hand.hand);
  return h("tr", null,
    h("th", { scope: "row" }, number),
    bids ? h("td", null, bidText(hand, names), ruled && ruledNote(ruled, columns, names)) : null,
    columns.map((seats) => h("td", { class: "number" },
      h("span", { class: "pair" }, h("span", { class: "change" }, signed(changes[seats[0]])), " ", h("span", { class: "sum" }, minus(totals[seats[0]]))),
      h("span", { class: "why" }, whyText(hand, seats)),
      !bids && ruled && seats === columns[0] ? ruledNote(ruled, columns, names) : null)));
}

const bidText = (hand, names) =>
  hand.pitcher === null ? "" : t(hand.made ? "score.bid-made" : "score.bid-set", { name: names[hand.pitcher], bid: hand.bid });

const ruledNote = (ruled, columns, names) =>
  h("span", { class: "ruled-note" }, t("score.ruled-by", {
    changes: columns.filter(([seat]) => ruled[seat]).map((seats) => `${list(seats.map((seat) => names[seat]))} ${signed(ruled[seats[0]])}`),
  }));

/** Return what a column's points are for: tricks and bid where bids promise tricks, otherwise the points it was credited. */
function whyText(hand, seats) {
  const lines = seats.map((seat) => hand.lines[seat]);
  if (lines[0].exact !== null) {
    const [{ tricks, bid, exact }] = lines;
    return t("score.taken", { tricks, bid }) + (exact ? ` ${t("score.exact")}` : "");
  }
  const points = lines.flatMap(({ pegs }) => pegs.filter(({ credited }) => credited).map(({ point }) => point));
  const place = (point) => [...hand.words, ...hand.marks].indexOf(point);
  return points.sort((a, b) => place(a) - place(b)).map(pointName).join(", ");
}

/** Say which rules hold from a hand on, where they can change: all of them at first, then what changed. */
function settingRow(before, hand, width) {
  const { setting } = hand;
  if (!setting) return null;
  const changes = before ? settingChanges(before, setting) : [tableText("force.points", setting), tableText(`force.partners.${setting.partners}`), tableText(`force.dirty.${setting.dirty ? "on" : "off"}`)];
  if (!changes.length) return null;
  return h("tr", { class: "note" }, h("td", { colspan: width }, t("score.setting", { hand: hand.hand, setting: changes.join(" · ") })));
}

const delayRows = (board, hand, names, width) =>
  board.delays.filter((delay) => delay.hand === hand && delay.change).map((delay) =>
    h("tr", { class: "note" }, h("td", { colspan: width }, t("score.delay", { name: names[delay.seat], change: signed(delay.change) }))));

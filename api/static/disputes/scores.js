/** Tables of scores: as played, as ruled, and with a ruling that isn't given yet. */

import { h } from "../base/dom.js";
import { list, t } from "../base/messages.js";
import { minus, signed } from "../table/texts.js";
import { netChanges, scoresWith } from "./effect.js";
import "./texts.js";

/** Draw the scores as played and as ruled; nothing if they are the same. */
export function drawScores(model) {
  const { ruled, result, seats } = model.view;
  if (!ruled) return null;
  const rows = seats.map((seat, at) => [model.nameOfSeat(at), minus(seat.score), minus(ruled.scores[at])]);
  const names = (winners) => (winners.length ? list(winners.map((seat) => model.nameOfSeat(seat))) : t("scores.nobody"));
  return h("section", { class: "panel" },
    h("h2", null, t("scores.title")),
    table(t("scores.title"), [t("scores.player"), t("scores.played"), t("scores.ruled")], rows),
    result && h("p", { class: "winners" }, t("scores.winners-played", { names: names(result.winners) }), " ", t("scores.winners-ruled", { names: names(ruled.winners) })));
}

/** Draw what changes would do to the scores as they are now. */
export function drawPreview(model, changes) {
  if (!changes.some(Boolean)) return h("p", null, t("rule.no-change"));
  const net = netChanges(model);
  const after = scoresWith(model, changes);
  const rows = model.view.seats.map((seat, at) => [model.nameOfSeat(at), minus(seat.score + net[at]), signed(changes[at]), minus(after[at])]);
  return [
    table(t("scores.title"), [t("scores.player"), t("scores.now"), t("scores.change"), t("scores.after")], rows),
    model.view.result && h("p", { class: "hint" }, t("rule.winners")),
  ];
}

/** Draw what a ruling changed, by seat; nothing if it changed no score. */
export const drawChanges = (model, changes) =>
  changes.some(Boolean) ? h("ul", { class: "changes plain" }, changes.map((change, seat) => change !== 0 && h("li", null, model.nameOfSeat(seat), " ", h("strong", null, signed(change))))) : null;

const table = (title, heads, rows) =>
  h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": title }, h("table", { class: "list scores" },
    h("thead", null, h("tr", null, heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", null, rows.map(([name, ...cells]) => h("tr", null, h("th", { scope: "row" }, name), cells.map((cell) => h("td", null, cell)))))));

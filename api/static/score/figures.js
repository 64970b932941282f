/** What players did in the games that count, as a table. */

import { h } from "../base/dom.js";
import { define, LANGUAGE, t } from "../base/messages.js";
import { minus } from "../table/texts.js";

const COLUMNS = ["games", "won", "points", "hands", "hands_won", "made", "set", "set_rate"];
const share = new Intl.NumberFormat(LANGUAGE, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Draw a row for each item. `heads` are the headings of the first columns, `firsts(item)` their cells. */
export const figuresTable = (label, heads, items, firsts, classOf = (_item) => null) =>
  h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    h("table", { class: "list figures" },
      h("thead", null, h("tr", null, heads.map((head) => h("th", { scope: "col" }, head)), COLUMNS.map((name) => h("th", { scope: "col", class: "number" }, t(`figures.${name}`))))),
      h("tbody", null, figureRows(items, firsts, classOf))));

/** Return the rows alone, to add them to a table. */
export const figureRows = (items, firsts, classOf = (_item) => null) =>
  items.map((item) => h("tr", { class: classOf(item) }, firsts(item), COLUMNS.map((name) => h("td", { class: "number" }, cell(name, item[name])))));

function cell(name, value) {
  if (name === "set_rate") return value === null ? "–" : share.format(value);
  return minus(value);
}

define({
  "figures.games": "Games",
  "figures.hands": "Hands",
  "figures.hands_won": "Hands won",
  "figures.made": "Bids made",
  "figures.points": "Points",
  "figures.set": "Bids set",
  "figures.set_rate": "Set rate",
  "figures.won": "Won",
});

/** Whom rulings on finished games moved in the ratings, from what to what, and by which dispute. */

import { h } from "../base/dom.js";
import { day, define, t } from "../base/messages.js";
import { get } from "../base/net.js";
import { actionButton } from "../pages/forms.js";
import { nameOf } from "../pages/words.js";

const PAGE = 25;
const COLUMNS = ["ruled", "player", "before", "after", "why"];

/** Read the latest changes of a variant and a kind of table, and return a panel with them. */
export async function changesPanel({ variant, kind }) {
  const read = (cursor) => get(`/ratings/changes?variant=${variant}&kind=${kind}&limit=${PAGE}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
  const first = await read();
  const body = h("tbody", null);
  const more = h("p", { class: "buttons" });
  const add = ({ items, names, next }) => {
    body.append(...items.map((item) => changeRow(item, names)));
    more.replaceChildren(...(next ? actionButton(t("changes.more"), async () => add(await read(next))) : []));
  };
  add(first);
  return h("section", { class: "panel rating-changes" }, h("h2", null, t("changes.title")),
    first.items.length ? [h("p", null, t("changes.lead")), table(body), more] : h("p", { class: "empty" }, t("changes.none")));
}

const table = (body) =>
  h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("changes.title") },
    h("table", { class: "list figures" }, h("thead", null, h("tr", null, COLUMNS.map((name) => h("th", { scope: "col" }, t(`changes.${name}`))))), body));

function changeRow({ at, board, dispute, decision, player, before, after }, names) {
  return h("tr", null,
    h("td", null, day(at)),
    h("th", { scope: "row" }, h("a", { href: `/players/${encodeURIComponent(nameOf(player, names))}` }, nameOf(player, names))),
    h("td", null, before.shown),
    h("td", null, after.shown),
    h("td", null, h("a", { href: `/games/${board}/disputes` }, t("changes.dispute", { board, dispute })), ": ", t(`changes.by.${decision}`)));
}

define({
  "changes.after": "After",
  "changes.before": "Before",
  "changes.by.adjust": "score changed",
  "changes.by.reversed": "ruling reversed",
  "changes.by.void": "points taken back",
  "changes.dispute": "board {board}, dispute {dispute}",
  "changes.lead": "A ruling on a finished game rates it and every later game again.",
  "changes.more": "More",
  "changes.none": "No ruling on a finished game has moved a rating.",
  "changes.player": "Player",
  "changes.ruled": "Ruled",
  "changes.title": "Moved by rulings",
  "changes.why": "Why",
});

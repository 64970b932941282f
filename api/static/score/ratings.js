/** Ratings and skills, with how uncertain they are: the list of a variant, and those of a player. */

import { h } from "../base/dom.js";
import { day, define, t } from "../base/messages.js";
import { get } from "../base/net.js";
import { titleOf } from "../pages/words.js";

const COLUMNS = ["rating", "games", "opponents", "last"];

/** The kinds of list that a visitor may choose: the rating over all tables, and the skill for each kind of table. */
export const KINDS = ["all", "two", "more", "partners"];

/** Draw a row for each item. `heads` are the headings of the first columns, `firsts(item)` their cells. */
export const ratingsTable = (label, heads, items, firsts, classOf = (_item) => null) =>
  h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    h("table", { class: "list figures" },
      h("thead", null, h("tr", null, heads.map((head) => h("th", { scope: "col" }, head)), COLUMNS.map((name) => h("th", { scope: "col", class: "number" }, t(`ratings.${name}`))))),
      h("tbody", null, ratingRows(items, firsts, classOf))));

/** Return the rows alone, to add them to a table. */
export const ratingRows = (items, firsts, classOf = (_item) => null) =>
  items.map((item) => h("tr", { class: classOf(item) }, firsts(item), [item.shown, item.games, item.opponents, day(item.last)].map((text) => h("td", { class: "number" }, text))));

/** Return a player's ratings, by variant and kind of table. */
export async function playerRatings(path, items) {
  const { ratings } = await get(`${path}/ratings?limit=1`);
  if (!ratings.length) return h("p", { class: "empty" }, t("ratings.no-own"));
  const firsts = (item) => [h("th", { scope: "row" }, titleOf(items, item.variant)), h("td", null, t(`ratings.kind.${item.kind}`)), h("td", { class: "number" }, item.rank ?? "")];
  return [ratingsTable(t("ratings.title"), [t("ratings.game"), t("ratings.table"), t("ratings.rank")], ratings, firsts), h("p", null, t("ratings.lead"))];
}

define({
  "ratings.game": "Game",
  "ratings.games": "Games",
  "ratings.kind.all": "Rating, all tables",
  "ratings.kind.more": "Skill, three or more alone",
  "ratings.kind.partners": "Skill, partners",
  "ratings.kind.two": "Skill, two players",
  "ratings.last": "Last game",
  "ratings.lead": "Behind a skill, ± says how uncertain it is. A number is provisional until 20 games count.",
  "ratings.no-own": "None yet. The same games count as in the standings.",
  "ratings.none": "Nobody has met five opponents yet.",
  "ratings.opponents": "Opponents",
  "ratings.rank": "Rank",
  "ratings.rating": "Rating",
  "ratings.table": "Table",
  "ratings.title": "Ratings",
});

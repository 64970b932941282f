/**
 * The standings of each variant, for all time, a year or a month, and its ratings. The address says which:
 * /standings#pitch/2026-11, /standings#pitch/rating-two.
 */

import { h, replace } from "../base/dom.js";
import { define, LANGUAGE, t } from "../base/messages.js";
import { get } from "../base/net.js";
import { loading, showFailure, start } from "../base/shell.js";
import { actionButton } from "../pages/forms.js";
import { nameOf, variants } from "../pages/words.js";
import { figureRows, figuresTable } from "./figures.js";
import { changesPanel } from "./rating-changes.js";
import { KINDS, ratingRows, ratingsTable } from "./ratings.js";

const PAGE = 50;
const MONTHS = 12;
const YEARS = 3;
const months = new Intl.DateTimeFormat(LANGUAGE, { month: "long", year: "numeric", timeZone: "UTC" });

void start(async (main, session) => {
  const { items } = await variants();
  const page = { items, session, lines: h("div", { class: "standing-lines" }), changes: h("div", null), form: h("div", null), asked: 0 };
  replace(main, "standings", [h("h1", null, t("standings.title")), h("p", { class: "lead" }, t("standings.lead")), h("section", { class: "panel" }, page.form, page.lines), page.changes]);
  window.addEventListener("hashchange", () => void show(page));
  await show(page);
});

/** Return the variant and the period that the address names, or the kind of rating. */
function chosen({ items }) {
  const [name, choice = ""] = location.hash.slice(1).split("/");
  const variant = items.find((each) => each.name === name) ?? items[0];
  const kind = KINDS.find((each) => choice === `rating-${each}`) ?? null;
  return { variant: variant.name, kind, period: periods().some(([each]) => each === choice) ? choice : "all" };
}

async function show(page) {
  const choice = chosen(page);
  const asked = ++page.asked;
  drawForm(page, choice);
  replace(page.lines, null, loading());
  try {
    const [found, changes] = await Promise.all([read(choice), choice.kind && changesPanel(choice)]);
    if (asked !== page.asked) return;
    drawLines(page, choice, found);
    replace(page.changes, null, changes);
  } catch (error) {
    if (asked === page.asked) showFailure(page.lines, error, () => void show(page));
  }
}

const read = ({ variant, period, kind }, cursor) =>
  get(`/${kind ? `ratings?variant=${variant}&kind=${kind}` : `standings?variant=${variant}&period=${period}`}&limit=${PAGE}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);

function drawForm(page, { variant, period, kind }) {
  const value = (id) => page.form.querySelector(`#${id}`)?.value;
  const go = () => (location.hash = `${value("variant")}/${value("order") === "won" ? (value("period") ?? "all") : value("order")}`);
  const field = (id, label, options, value) =>
    h("div", { class: "field" }, h("label", { for: id }, label),
      h("select", { id, onchange: go }, options.map(([each, text]) => h("option", { value: each, selected: each === value }, text))));
  const orders = [["won", t("standings.won")], ...KINDS.map((each) => [`rating-${each}`, t(`ratings.kind.${each}`)])];
  replace(page.form, `${variant} ${period} ${kind}`, () => h("form", { class: "chooser", onsubmit: (event) => event.preventDefault() },
    field("variant", t("standings.variant"), page.items.map(({ name, title }) => [name, title]), variant),
    field("order", t("standings.order"), orders, kind ? `rating-${kind}` : "won"),
    kind ? null : field("period", t("standings.period"), periods(), period)));
}

/** Return all time, the last years and the last months, each with its name. */
function periods(now = new Date()) {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const back = Array.from({ length: MONTHS }, (_, n) => new Date(Date.UTC(year, month - n, 1)));
  return [
    ["all", t("standings.all")],
    ...Array.from({ length: YEARS }, (_, n) => [String(year - n), String(year - n)]),
    ...back.map((each) => [each.toISOString().slice(0, 7), months.format(each)]),
  ];
}

function drawLines(page, choice, found) {
  if (!found.items.length) return void replace(page.lines, null, h("p", { class: "empty" }, t(choice.kind ? "ratings.none" : "standings.none")));
  const [tableOf, rowsOf] = choice.kind ? [ratingsTable, ratingRows] : [figuresTable, figureRows];
  const own = page.session.player?.id;
  const firsts = (names) => (item) => [
    h("td", null, item.rank),
    h("th", { scope: "row" }, h("a", { href: `/players/${encodeURIComponent(nameOf(item.player, names))}` }, nameOf(item.player, names))),
  ];
  const classOf = (item) => (item.player === own ? "own" : null);
  const table = tableOf(t(choice.kind ? "ratings.title" : "standings.title"), [h("abbr", { title: t("standings.rank") }, "#"), t("standings.player")], found.items, firsts(found.names), classOf);
  const more = h("p", { class: "buttons" });
  const add = (next) => {
    table.querySelector("tbody").append(...rowsOf(next.items, firsts(next.names), classOf));
    offerMore(next);
  };
  const offerMore = ({ next }) => replace(more, null, next ? actionButton(t("standings.more"), async () => add(await read(choice, next))) : null);
  offerMore(found);
  replace(page.lines, null, [table, choice.kind && h("p", null, t("ratings.lead")), more]);
}

define({
  "standings.all": "All time",
  "standings.lead": "Public games between people with accounts, as ruled. Practice, private games, and games with bots or guests don't count.",
  "standings.more": "More",
  "standings.none": "No games count yet in this period.",
  "standings.order": "Order",
  "standings.period": "Period",
  "standings.player": "Player",
  "standings.rank": "Rank",
  "standings.title": "Standings",
  "standings.variant": "Game",
  "standings.won": "Games won",
});

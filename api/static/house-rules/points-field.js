/** The points of a hand as a list that can be changed: what scores, what it's worth, and in which order. */

import { RANKS } from "../base/cards.js";
import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { rankName, wordOf } from "./sentences.js";

/** The names of points in the facts of a game. */
const NAMES = { highest: "high", lowest: "low", count: "game", jokers: "joker", first_joker: "joker", sweep: "smudge", sweep_bid: "smudge" };
const NAMES_OF_RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", 10: "ten", 9: "nine", 8: "eight", 7: "seven", 6: "six", 5: "five", 4: "four", 3: "three", 2: "two" };

/**
 * Return a zone with a row for each point.
 *
 * @param {string[]} awards
 * @param {{ id: string, value: any[], rules: any, change: (value: any[]) => void }} options
 */
export function pointsControl(awards, { id, value, rules, change }) {
  const zone = h("div", { id, class: "points-field", tabindex: -1, role: "group", "aria-labelledby": `${id}-label` });
  const offered = awards.filter((award) => rules.jokers || !award.endsWith("joker") && award !== "jokers");
  let points = value;
  const read = () => points;
  const set = (all, isDrawn = false) => {
    points = named(all);
    change(points);
    if (!isDrawn) draw(); // a row whose worth changes stays, or the button that takes the focus from it would be gone
  };
  const draw = () =>
    replace(zone, null, [
      h("ol", { class: "plain" }, points.map((point, at) => row(point, at, { id, offered, read, set }))),
      h("p", { class: "buttons first" }, h("button", { type: "button", class: "button small", "data-key": "add point", onclick: () => set([...points, fresh(points)]) }, t("rules.point.add")))]);
  draw();
  return zone;
}

function row(point, at, { id, offered, read, set }) {
  const number = at + 1;
  const change = (fields, isDrawn) => set(read().map((each, place) => (place === at ? changed(each, fields) : each)), isDrawn);
  const moved = () => set(read().toSpliced(at, 1).toSpliced(at - 1, 0, read()[at]));
  const key = (name) => `${id} ${at} ${name}`;
  const select = (name, label, all, chosen, onchoice) =>
    h("select", { "data-key": key(name), "aria-label": t(label, { number }), onchange: (event) => onchoice(event.target.value) }, all.map(([each, text]) => h("option", { value: each, selected: each === chosen }, text)));
  const isCard = point.award === "card";
  return h("li", { class: "point-row" },
    select("award", "rules.point.kind", offered.map((award) => [award, wordOf("points[].award", award)]), point.award, (award) => change({ award })),
    isCard && select("rank", "rules.point.rank", RANKS.toReversed().map((rank) => [rank, rankName(rank)]), point.rank, (rank) => change({ rank })),
    isCard && select("off", "rules.point.suit", [["", t("rules.point.of-trump")], ["off", t("rules.point.of-off")]], point.off ? "off" : "", (off) => change({ off: off === "off" })),
    h("label", { class: "point-worth" }, h("span", { class: "hidden-text" }, t("rules.point.worth", { number })), h("input", { type: "number", min: 1, step: 1, value: point.worth, "data-key": key("worth"), oninput: (event) => change({ worth: Math.round(Number(event.target.value)) }, true) }), h("span", { "aria-hidden": "true" }, t("rules.point.unit"))),
    h("span", { class: "point-buttons" },
      h("button", { type: "button", class: "button small", disabled: at === 0, "aria-label": t("rules.point.up", { number }), "data-key": key("up"), onclick: moved }, "↑"),
      h("button", { type: "button", class: "button small", "aria-label": t("rules.point.remove", { number }), "data-key": key("remove"), onclick: () => set(read().toSpliced(at, 1)) }, "×")));
}

/** A card needs a rank, and nothing else has one. */
function changed(point, fields) {
  const next = { ...point, ...fields };
  return next.award === "card" ? { ...next, rank: next.rank ?? "J" } : { ...next, rank: null, off: false };
}

/** A card that doesn't score yet. */
function fresh(points) {
  const rank = RANKS.toReversed().find((each) => !points.some((point) => point.rank === each && !point.off)) ?? "A";
  return { name: "", award: "card", worth: 1, rank, off: false, needs: [] };
}

/** Give each point the name that facts have for it; equal ones get a number. */
function named(points) {
  const seen = new Map();
  return points.map((point) => {
    const name = point.award === "card" ? `${point.off ? "off_" : ""}${NAMES_OF_RANKS[point.rank]}` : NAMES[point.award] ?? point.award;
    seen.set(name, (seen.get(name) ?? 0) + 1);
    return { ...point, name: seen.get(name) === 1 ? name : `${name}_${seen.get(name)}` };
  });
}

define({
  "rules.point.add": "Add a point",
  "rules.point.kind": "Point {number}: what scores",
  "rules.point.of-off": "of the off suit",
  "rules.point.of-trump": "of trump",
  "rules.point.rank": "Point {number}: rank",
  "rules.point.remove": "Remove point {number}",
  "rules.point.suit": "Point {number}: suit",
  "rules.point.unit": "pt",
  "rules.point.up": "Move point {number} up",
  "rules.point.worth": "Point {number}: worth",
});

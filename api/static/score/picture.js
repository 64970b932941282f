/** The running scores as a drawn picture: a line for each player or side, with a mark of its own and its name at the end. */

import { h, s } from "../base/dom.js";
import { t } from "../base/messages.js";
import { minus } from "../table/texts.js";
import "./texts.js";

const [TOP, BOTTOM, LEFT, LINE] = [14, 30, 40, 17];
const NARROW = 480;
const [LETTER, ENDS, MOST_ENDS] = [8.2, 40, 0.42]; // the width of a letter, of a mark before a text, and of the texts in the picture
const MOST_STEPS = 6;

/**
 * Draw lines over hands: `lines` are { name, totals }, with a total after each hand, `goal` the score that wins or null, and
 * `hands` the numbers of the hands. `width` is that of the place, in pixels: the texts keep their size.
 * `describedBy` is the id of the element that says the same in words.
 */
export function drawPicture({ lines, hands, goal }, width, describedBy) {
  const right = roomOf(lines, width);
  const height = Math.max(width < NARROW ? 240 : 300, TOP + BOTTOM + LINE * lines.length);
  const values = [0, ...lines.flatMap(({ totals }) => totals), ...(goal === null ? [] : [goal])];
  const [low, high, step] = scale(Math.min(...values), Math.max(...values));
  const x = (place) => LEFT + ((width - LEFT - right) * place) / Math.max(1, hands.length);
  const y = (value) => TOP + ((height - TOP - BOTTOM) * (high - value)) / Math.max(1, high - low);
  const title = t("score.picture-title", { names: lines.map(({ name }) => name), count: hands.length });
  return s("svg", { class: "picture", role: "img", viewBox: `0 0 ${width} ${height}`, width, height, "aria-label": title, "aria-describedby": describedBy },
    rows(low, high, step).map((value) => [
      s("line", { class: value === 0 ? "axis" : "grid", x1: LEFT, x2: width - right, y1: y(value), y2: y(value) }),
      s("text", { class: "tick", x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, minus(value)),
    ]),
    ticks(hands.length).map((place) => s("text", { class: "tick", x: x(place), y: height - 10, "text-anchor": "middle" }, hands[place - 1])),
    goal === null ? null : s("g", null,
      s("line", { class: "goal", x1: LEFT, x2: width - right, y1: y(goal), y2: y(goal) }),
      s("text", { class: "tick goal-text", x: LEFT + 6, y: y(goal) - 5 }, t("score.goal", { goal: minus(goal) }))),
    lines.map((line, at) => drawLine(line, at, x, y)),
    ends(lines, y, height).map(({ line, at, place }) => drawEnd(line, at, x(hands.length) + 10, place, namesFit(lines, width))));
}

function drawLine({ totals }, at, x, y) {
  const points = [[x(0), y(0)], ...totals.map((total, place) => [x(place + 1), y(total)])];
  return s("g", { class: `tone-${at}` },
    s("polyline", { class: "run", points: points.map((point) => point.map(round).join(",")).join(" ") }),
    points.slice(1).map(([left, top]) => s("path", { class: "mark", d: MARKS[at % MARKS.length], transform: `translate(${round(left)} ${round(top)})` })));
}

/** Draw the names of lines below the picture, or nothing if they fit at the ends of the lines. */
export const drawNames = (lines, width) =>
  namesFit(lines, width) ? null : h("ul", { class: "picture-names", "aria-hidden": "true" }, lines.map((line, at) =>
    h("li", null, s("svg", { class: `tone-${at}`, viewBox: "-6 -6 12 12", width: 12, height: 12 }, s("path", { class: "mark", d: MARKS[at % MARKS.length] })), " ", endText(line, true))));

/** Draw what stands at the end of a line: its score, with the name if all names fit. */
function drawEnd(line, at, left, top, withName) {
  return s("g", { class: `tone-${at}` },
    s("path", { class: "mark", d: MARKS[at % MARKS.length], transform: `translate(${left + 4} ${round(top)})` }),
    s("text", { class: "end", x: left + 14, y: round(top) + 4 }, endText(line, withName)));
}

function endText({ name, totals }, withName) {
  const score = minus(totals.at(-1) ?? 0);
  return withName ? t("score.row-score", { name, score }) : score;
}

const widest = (lines, withName) => ENDS + LETTER * Math.max(...lines.map((line) => endText(line, withName).length));
const namesFit = (lines, width) => widest(lines, true) <= width * MOST_ENDS;
const roomOf = (lines, width) => widest(lines, namesFit(lines, width));

/** Return where the names stand: beside the ends of their lines, but apart from each other. */
function ends(lines, y, height) {
  const places = lines.map((line, at) => ({ line, at, place: y(line.totals.at(-1) ?? 0) })).sort((a, b) => a.place - b.place);
  for (let n = 1; n < places.length; n++) places[n].place = Math.max(places[n].place, places[n - 1].place + LINE);
  let lowest = height - BOTTOM + 6;
  for (const each of places.toReversed()) {
    each.place = Math.min(each.place, lowest);
    lowest = each.place - LINE;
  }
  return places;
}

/** Return the ends of the scale, and the step between its lines: 1, 2 or 5 and zeros. */
function scale(least, most) {
  const step = STEPS.find((each) => (most - least) / each <= MOST_STEPS) ?? 5000;
  return [Math.floor(least / step) * step, Math.max(1, Math.ceil(most / step)) * step, step];
}

const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];
const rows = (low, high, step) => Array.from({ length: (high - low) / step + 1 }, (_, n) => low + n * step);

function ticks(count) {
  const step = Math.ceil(count / 10) || 1;
  return Array.from({ length: Math.floor(count / step) }, (_, n) => (n + 1) * step);
}

const round = (number) => Math.round(number * 10) / 10;
const MARKS = [
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
  "M-4-4h8v8h-8z",
  "M0-5l5 9h-10z",
  "M0-5.5l5 5.5l-5 5.5l-5-5.5z",
  "M0 5l5-9h-10z",
  "M-1.5-5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z",
  "M-5-2h10v4h-10z",
];

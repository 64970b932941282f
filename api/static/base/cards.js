// Playing cards, drawn from a few paths. A card is an SVG without an id, so that a page can hold it any number of times.

import { bust, COURT, twice } from "./courts.js";
import { s } from "./dom.js";

const PIPS = {
  C: "M16 1a6.5 6.5 0 0 1 5 10.7A6.7 6.7 0 1 1 17.8 22c.3 3.5 1.6 6.5 3.7 9h-11c2.1-2.5 3.4-5.5 3.7-9A6.7 6.7 0 1 1 11 11.7 6.5 6.5 0 0 1 16 1z",
  D: "M16 0q5 9 12 16-7 7-12 16Q11 23 4 16 11 9 16 0z",
  H: "M16 30C6 22 1 16.5 1 10.5 1 5.5 4.7 2 9 2c3 0 5.5 1.6 7 4.3C17.5 3.6 20 2 23 2c4.3 0 8 3.5 8 8.5C31 16.5 26 22 16 30z",
  S: "M16 1C22 9 30.5 13.5 30.5 20.3c0 3.7-2.7 6.2-6 6.2-2.6 0-4.7-1.2-6-3.2.3 3.2 1.5 5.7 3.3 7.7H10.2c1.8-2 3-4.5 3.3-7.7-1.3 2-3.4 3.2-6 3.2-3.3 0-6-2.5-6-6.2C1.5 13.5 10 9 16 1z",
};
const STAR = "M16 1l4.6 9.8L31 12.2l-7.6 7.4L25.3 30 16 24.9 6.7 30l1.9-10.4L1 12.2l10.4-1.4z";

// Where the pips of a card lie, as in every classic deck: [column, row]; rows below the middle are upside down.
const [L, M, R] = [26, 42, 58];
const AT = {
  A: [[M, 58]],
  2: [[M, 16], [M, 100]],
  3: [[M, 16], [M, 58], [M, 100]],
  4: [[L, 16], [R, 16], [L, 100], [R, 100]],
  5: [[L, 16], [R, 16], [M, 58], [L, 100], [R, 100]],
  6: [[L, 16], [R, 16], [L, 58], [R, 58], [L, 100], [R, 100]],
  7: [[L, 16], [R, 16], [M, 37], [L, 58], [R, 58], [L, 100], [R, 100]],
  8: [[L, 16], [R, 16], [M, 37], [L, 58], [R, 58], [M, 79], [L, 100], [R, 100]],
  9: [[L, 16], [R, 16], [L, 44], [R, 44], [M, 58], [L, 72], [R, 72], [L, 100], [R, 100]],
  10: [[L, 16], [R, 16], [M, 30], [L, 44], [R, 44], [L, 72], [R, 72], [M, 86], [L, 100], [R, 100]],
};
const LATTICE = [-120, -96, -72, -48, -24, 0, 24, 48, 72].map((x) => `M${x} 0l124 124M${x + 124} 0L${x} 124`).join("");

export const SUITS = ["C", "D", "H", "S"];
export const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
/** The other suit of each suit's color, in which off cards are. */
export const SAME_COLOR = { C: "S", S: "C", D: "H", H: "D" };
/** What a card counts toward the point for game (S29). */
export const GAME_COUNT = { 10: 10, A: 4, K: 3, Q: 2, J: 1 };

// Return the suit of a card as it's written on the wire, or "X" for a joker.
export function suitOf(card) {
  return card[0] === "X" ? "X" : card.at(-1);
}

// Return the rank of a card, or "X" for a joker.
export function rankOf(card) {
  return card[0] === "X" ? "X" : card.slice(0, -1);
}

// Draw a suit alone, for buttons and texts beside a word.
export function pip(suit) {
  return s("svg", { class: `pip suit-${suit}`, viewBox: "0 0 32 32", "aria-hidden": "true" }, s("path", { d: PIPS[suit] }));
}

// Draw the face of a card, or a `small` one with less on it. What it is must stand beside it in words: the drawing is hidden
// from screen readers. The deck is the one that the player chose (base/settings.js).
export function face(card, small = false) {
  const suit = suitOf(card);
  const isClassic = document.documentElement.dataset.deck === "classic";
  const drawing = small ? tiny : suit === "X" ? joker : isClassic ? classic : large;
  return drawn(`face suit-${suit}`, paper(), ...drawing(rankOf(card), suit, card));
}

// Draw the back of a card.
export function back() {
  return drawn(
    "back",
    paper(),
    s("rect", { class: "cloth", x: 7, y: 7, width: 86, height: 126, rx: 6 }),
    s("svg", { x: 12, y: 12, width: 76, height: 116, viewBox: "0 4 76 116" }, s("path", { class: "weave", d: LATTICE })),
    s("circle", { class: "cloth rim", cx: 50, cy: 70, r: 19 }),
    mark(STAR, 37, 56, 0.82, "weave star"),
  );
}

const paper = () => s("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 9 });

function drawn(look, ...inside) {
  return s("svg", { class: `card ${look}`, viewBox: "0 0 100 140", "aria-hidden": "true", focusable: "false" }, ...inside);
}

const index = (rank, look, at) => s("text", { class: `${look}${rank === "10" ? " wide" : ""}`, ...at }, rank);

// The deck with large corners, which can be read on a phone and where cards lie over each other. With four colors each
// suit has its letter, too.
function large(rank, suit) {
  const figure = COURT.has(rank)
    ? [s("rect", { class: "frame", x: 38, y: 60, width: 54, height: 72, rx: 5 }), bust(rank, { x: 40, y: 71, width: 50, height: 61 })]
    : [mark(PIPS[suit], 42, 78, 1.5, "pip-mark")];
  const letter = s("text", { class: "suit-letter", x: 22.5, y: 108, "text-anchor": "middle" }, suit);
  return [...figure, index(rank, "index", { x: 8, y: 47 }), mark(PIPS[suit], 9, 56, 0.85, "pip-mark"), letter];
}

// The deck as it's printed: corners at both ends, as many pips as the rank says, and figures with two heads.
function classic(rank, suit) {
  const corner = () => s("g", null, index(rank, "index corner", { x: 12.5, y: 25, "text-anchor": "middle" }), mark(PIPS[suit], 6.5, 30, 0.38, "pip-mark"));
  const other = corner();
  other.setAttribute("transform", "rotate(180 50 70)");
  return [...(COURT.has(rank) ? figured(rank, suit) : pips(rank, suit)), corner(), other];
}

function pips(rank, suit) {
  if (rank === "A") return [mark(PIPS[suit], 29, 49, 1.32, "pip-mark")];
  return AT[rank].map(([x, y]) => mark(PIPS[suit], x, y + 4.5, y > 58 ? -0.5 : 0.5, "pip-mark"));
}

function figured(rank, suit) {
  const pip = (turn) => s("g", { transform: turn }, mark(PIPS[suit], 24, 15, 0.42, "pip-mark"));
  return [s("rect", { class: "frame", x: 22, y: 12, width: 56, height: 116, rx: 4 }), twice(rank, { x: 22, y: 12, width: 56, height: 116 }), pip("rotate(0)"), pip("rotate(180 50 70)")];
}

function tiny(rank, suit, card) {
  const isJoker = suit === "X";
  return [
    index(rank, "index tiny", { x: 50, y: 62, "text-anchor": "middle" }),
    mark(isJoker ? STAR : PIPS[suit], isJoker ? 8 : 26, 78, 1.5, isJoker && card === "X2" ? "star hollow" : "pip-mark"),
    isJoker && s("text", { class: "letter tiny", x: 60, y: 119 }, card[1]),
  ];
}

// The two jokers differ in number and star, so that neither color nor shape alone tells them apart.
function joker(_rank, _suit, card) {
  const number = card[1];
  return [
    index("X", "index", { x: 8, y: 47 }),
    s("text", { class: "letter big", x: 11, y: 84 }, number),
    mark(STAR, 40, 76, 1.65, number === "1" ? "star" : "star hollow"),
    s("text", { class: "word", x: 50, y: 66 }, "joker"),
  ];
}

// A negative scale turns the mark upside down where it lies.
function mark(path, x, y, scale, look) {
  const turned = scale < 0 ? " rotate(180) translate(-32 -32)" : "";
  return s("path", { class: look, d: path, transform: `translate(${x} ${y}) scale(${Math.abs(scale)})${turned}` });
}

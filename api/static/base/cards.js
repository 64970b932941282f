// Playing cards, drawn from a few paths. A card is an SVG without an id, so that a page can hold it any number of times.

import { s } from "./dom.js";

const PIPS = {
  C: "M16 1a6.5 6.5 0 0 1 5 10.7A6.7 6.7 0 1 1 17.8 22c.3 3.5 1.6 6.5 3.7 9h-11c2.1-2.5 3.4-5.5 3.7-9A6.7 6.7 0 1 1 11 11.7 6.5 6.5 0 0 1 16 1z",
  D: "M16 0q5 9 12 16-7 7-12 16Q11 23 4 16 11 9 16 0z",
  H: "M16 30C6 22 1 16.5 1 10.5 1 5.5 4.7 2 9 2c3 0 5.5 1.6 7 4.3C17.5 3.6 20 2 23 2c4.3 0 8 3.5 8 8.5C31 16.5 26 22 16 30z",
  S: "M16 1C22 9 30.5 13.5 30.5 20.3c0 3.7-2.7 6.2-6 6.2-2.6 0-4.7-1.2-6-3.2.3 3.2 1.5 5.7 3.3 7.7H10.2c1.8-2 3-4.5 3.3-7.7-1.3 2-3.4 3.2-6 3.2-3.3 0-6-2.5-6-6.2C1.5 13.5 10 9 16 1z",
};
const CROWN = "M3 27 1 9l8 7 7-13 7 13 8-7-2 18z";
const STAR = "M16 1l4.6 9.8L31 12.2l-7.6 7.4L25.3 30 16 24.9 6.7 30l1.9-10.4L1 12.2l10.4-1.4z";
const COURT = new Set(["J", "Q", "K"]);

export const SUITS = ["C", "D", "H", "S"];
export const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];

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
// from screen readers.
export function face(card, small = false) {
  const suit = suitOf(card);
  const inside = small ? tiny(rankOf(card), suit, card) : suit === "X" ? joker(card) : suited(rankOf(card), suit);
  return drawn(`face suit-${suit}`, s("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 10 }), ...inside);
}

// Draw the back of a card.
export function back() {
  const lines = [20, 40, 60, 80, 100, 120].map((y) => s("path", { class: "weave", d: `M12 ${y}l19-10 19 10 19-10 19 10` }));
  return drawn(
    "back",
    s("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 10 }),
    s("rect", { class: "cloth", x: 8, y: 8, width: 84, height: 124, rx: 6 }),
    ...lines,
  );
}

function drawn(look, ...inside) {
  return s("svg", { class: `card ${look}`, viewBox: "0 0 100 140", "aria-hidden": "true", focusable: "false" }, ...inside);
}

function suited(rank, suit) {
  const wide = rank === "10" ? " wide" : "";
  const crown = COURT.has(rank) ? [mark(CROWN, 54, 52, 1.1, `crown crown-${rank}`)] : [];
  return [
    s("text", { class: `index${wide}`, x: 9, y: 47 }, rank),
    mark(PIPS[suit], 9, 58, 0.9, "pip-mark"),
    s("text", { class: "letter", x: 11, y: 110 }, suit),
    ...crown,
    mark(PIPS[suit], 46, 86, 1.4, "pip-mark"),
  ];
}

function tiny(rank, suit, card) {
  const isJoker = suit === "X";
  const wide = rank === "10" ? " wide" : "";
  return [
    s("text", { class: `index tiny${wide}`, x: 50, y: 62, "text-anchor": "middle" }, rank),
    mark(isJoker ? STAR : PIPS[suit], 7, 78, 1.45, isJoker && card === "X2" ? "star hollow" : "pip-mark"),
    s("text", { class: "letter tiny", x: 57, y: 119 }, isJoker ? card[1] : suit),
  ];
}

// The two jokers differ in number, star and letter, so that neither color nor shape alone tells them apart.
function joker(card) {
  const number = card[1];
  return [
    s("text", { class: "index", x: 9, y: 47 }, "X"),
    s("text", { class: "letter big", x: 11, y: 84 }, number),
    mark(STAR, 40, 76, 1.65, number === "1" ? "star" : "star hollow"),
    s("text", { class: "word", x: 50, y: 66 }, "joker"),
  ];
}

function mark(path, x, y, scale, look) {
  return s("path", { class: look, d: path, transform: `translate(${x} ${y}) scale(${scale})` });
}

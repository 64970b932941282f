/**
 * A control for each choice of the rules, made from what the server says about it: { node(id), ... } shows a value and calls
 * `change(value)` with another one.
 */

import { RANKS, SUITS } from "../base/cards.js";
import { h } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { same } from "./fields.js";
import { cardName, rankName, sentenceOf, wordOf } from "./sentences.js";

/** Choices that take one of the values that the games of the catalogue have. */
const AS_IN_A_GAME = new Set(["ranks", "sights", "changes", "delay"]);

/**
 * Return the control of a choice.
 *
 * @param {Api.RulebookChoice} choice
 * @param {{ id: string, value: any, rules: any, catalogue: Api.OfferedVariant[], change: (value: any) => void }} options
 */
export function controlOf(choice, options) {
  if (AS_IN_A_GAME.has(choice.name)) return catalogueControl(choice, options);
  if (choice.name === "removed") return removedControl(options);
  if (choice.name === "seats") return boxes(options, range(2, 7).map((each) => [each, String(each)]), (all) => all.toSorted((a, b) => a - b));
  if (choice.list && choice.kind === "number") return numbersControl(choice, options);
  if (choice.list) return boxes(options, choice.values.filter((rank) => rank !== "X" || (options.rules.jokers && choice.name !== "off")).map((rank) => [rank, rankName(rank)]));
  if (choice.kind === "number") return numberControl(choice, options);
  if (choice.kind === "word") return h("input", { id: options.id, type: "text", maxlength: 32, value: options.value, oninput: (event) => options.change(event.target.value.trim()) });
  return selectControl(choice, options);
}

/** @param {Api.RulebookChoice} choice */
function selectControl(choice, { id, value, change }) {
  const values = choice.kind === "flag" ? [true, false] : [...(choice.null ? [null] : []), ...choice.values];
  const select = h("select", { id, onchange: () => change(values[Number(select.value)]) },
    values.map((each, at) => h("option", { value: at, selected: each === value }, wordOf(choice.name, each))));
  return select;
}

/** @param {Api.RulebookChoice} choice */
function numberControl(choice, { id, value, change }) {
  const read = (text) => (text === "" && choice.null ? null : Math.round(Number(text)));
  return h("input", { id, type: "number", min: 0, step: 1, inputmode: "numeric", value: value ?? "", oninput: (event) => change(read(event.target.value)) });
}

/** @param {Api.RulebookChoice} choice */
function numbersControl(choice, { id, value, change }) {
  const hint = `${id}-hint`;
  const read = (text) => text.split(/[\s,;]+/).filter((each) => /^-?\d+$/.test(each)).map(Number);
  return h("div", null,
    h("input", { id, type: "text", inputmode: "text", autocomplete: "off", value: value.join(", "), "aria-describedby": hint, oninput: (event) => change(read(event.target.value)) }),
    h("p", { class: "hint", id: hint }, t(`rules.hint.${choice.name}`)));
}

/** A box for each value of which the list takes some. */
function boxes({ id, value, change }, values, order = (all) => all) {
  const all = values.map(([each, text]) => ({ each, text, box: h("input", { type: "checkbox", checked: value.includes(each), onchange: () => changed() }) }));
  const changed = () => change(order(all.filter(({ box }) => box.checked).map(({ each }) => each)));
  return h("div", { id, role: "group", "aria-labelledby": `${id}-label`, class: "flags", tabindex: -1 }, all.map(({ text, box }) => h("label", { class: "check" }, box, h("span", null, text))));
}

/** Whole ranks and single jokers; other cards that are out stay out. */
function removedControl({ id, value, rules, change }) {
  const groups = [...RANKS.map((rank) => [rankName(rank), SUITS.map((suit) => rank + suit)]), ...(rules.jokers ? ["X1", "X2"].map((card) => [cardName(card), [card]]) : [])];
  const isOut = (cards) => cards.every((card) => value.includes(card));
  const toggled = (cards) => change(isOut(cards) ? value.filter((card) => !cards.includes(card)) : [...value, ...cards.filter((card) => !value.includes(card))]);
  return h("details", { class: "cards-out" }, h("summary", null, t("rules.removed.choose")),
    h("div", { id, role: "group", "aria-labelledby": `${id}-label`, class: "flags", tabindex: -1 },
      groups.map(([text, cards]) => h("label", { class: "check" }, h("input", { type: "checkbox", checked: isOut(cards), onchange: () => toggled(cards) }), h("span", null, text)))));
}

/** One of the values that this choice has in the games of the catalogue, told by its sentence. */
function catalogueControl(choice, { id, value, rules, catalogue, change }) {
  const known = [value];
  for (const game of catalogue) {
    const other = game.rules[choice.name];
    if (!known.some((each) => same(each, other)) && (choice.name !== "ranks" || other.includes("X") || !rules.jokers)) known.push(other);
  }
  const begun = ({ name }) => Number(name === rules.variant);
  const named = known.map((each) => ({ each, game: catalogue.filter((game) => same(game.rules[choice.name], each)).toSorted((one, other) => begun(other) - begun(one))[0] }));
  const words = ({ each, game }) => (each === null || each?.menu?.length === 0 ? t("rules.word.none") : game ? t("rules.as-in", { game: game.title }) : t("rules.as-now", { sentence: sentenceOf(choice.name, { ...rules, [choice.name]: each }) }));
  const select = h("select", { id, onchange: () => change(known[Number(select.value)]) }, named.map((one, at) => h("option", { value: at, selected: at === 0 }, words(one))));
  return select;
}

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

define({
  "rules.as-in": "as in {game}",
  "rules.as-now": "as it is: {sentence}",
  "rules.hint.auction.bids": "Numbers with commas, the lowest first.",
  "rules.hint.hand_sizes": "One number, or one for each hand: 1, 2, 3.",
  "rules.removed.choose": "Choose cards",
});


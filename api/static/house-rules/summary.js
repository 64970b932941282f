/** The rules in plain words, made from their value: for the page of house rules, and for the rules at a table. */

import { t } from "../base/messages.js";
import { GROUPS, isPlain, namesIn } from "./fields.js";
import { pointSentence, sentenceOf } from "./sentences.js";

/**
 * Return the rules as parts with lines, the usual left out: [{ name, title, lines: [{ name, text, of }] }].
 *
 * `rules` is a whole value as the server gives it. `name` is that of the choice that a line says; the lines for single points
 * have the name "points", and `of` is the point.
 *
 * @param {any} rules
 * @returns {{ name: string, title: string, lines: { name: string, text: string, of?: any }[] }[]}
 */
export function summaryOf(rules) {
  return GROUPS.map((name) => ({ name, title: t(`rules.group.${name}`), lines: linesOf(name, rules) })).filter(({ lines }) => lines.length);
}

function linesOf(group, rules) {
  return namesIn(group, rules).filter((name) => !isUnsaid(name, rules)).flatMap((name) => {
    const line = { name, text: sentenceOf(name, rules) };
    return name === "points" ? [line, ...rules.points.map((of) => ({ name, text: pointSentence(of, rules), of }))] : [line];
  });
}

/** Return whether the summary leaves a choice out: it's the usual one, or another line says it. */
function isUnsaid(name, rules) {
  if (name === "auction.least") return rules.auction.of === "listed" && rules.auction.bids[0] === rules.auction.least;
  if (name === "auction.of") return rules.auction.of === "listed";
  if (name === "trump") return rules.trump === "fixed";
  return name === "goal" || isPlain(name, rules);
}

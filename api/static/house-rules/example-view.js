/** The example of a choice as a line of cards, and the same in words for screen readers. */

import { face } from "../base/cards.js";
import { h } from "../base/dom.js";
import { define, list, t } from "../base/messages.js";
import { exampleOf } from "./examples.js";
import { cardName } from "./sentences.js";

/** Draw the example of a choice under these rules, or nothing. */
export function drawExample(name, rules) {
  const parts = exampleOf(name, rules);
  return parts.length ? h("div", { class: "example" }, drawParts(parts)) : null;
}

/**
 * Draw lines of cards, each with what it says.
 *
 * @param {{ says: string, cards: string[], lit?: string[] }[]} parts
 */
export const drawParts = (parts) => parts.map(drawPart);

function drawPart({ says, cards, lit = null }) {
  const meant = lit ?? cards;
  return h("figure", { class: "example-part" },
    h("figcaption", null, t(says), h("span", { class: "hidden-text" }, ` ${meant.length ? list(meant.map(cardName)) : t("rules.example.none")}${rest(cards, meant)}`)),
    h("div", { class: "example-cards", "aria-hidden": "true" }, cards.map((card) => h("span", { class: meant.includes(card) ? "example-card" : "example-card dim" }, face(card, true)))));
}

function rest(cards, meant) {
  const others = cards.filter((card) => !meant.includes(card));
  return others.length ? `; ${t("rules.example.not", { cards: list(others.map(cardName)) })}` : "";
}

define({
  "rules.example.none": "none",
  "rules.example.not": "not {cards}",
});

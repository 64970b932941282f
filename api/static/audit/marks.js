// Small pieces of the pages that check a game: marks, cards, hashes, and rows.

import { h } from "../base/dom.js";
import { has, t } from "../base/messages.js";
import { pip, rankOf, suitOf } from "../base/cards.js";
import { cardText } from "./names.js";

const SIGNS = { right: "✓", wrong: "✗", waits: "…", none: "–" };

// Return a sign with the state in words, which isn't told by color alone.
export const mark = (state) =>
  h(
    "span",
    { class: `mark ${state}` },
    h("span", { "aria-hidden": "true" }, SIGNS[state]),
    h("span", { class: "hidden-text" }, `${t(`check.state.${state}`)}: `),
  );

// Return the list of checks. A row names who checked it if there is `by`.
export const checkList = (rows) =>
  h(
    "ul",
    { class: "checks plain" },
    rows.map((row) =>
      h(
        "li",
        { "data-check": row.id, "data-state": row.state },
        mark(row.state),
        h("div", null, h("strong", null, t(`check.${row.id}`)), byLine(row), h("p", null, row.text)),
      ),
    ),
  );

const byLine = ({ by }) => (by ? h("span", { class: `by ${by}` }, t(`check.by.${by}`)) : null);

// Return a hash as it's written, to be compared by eye or copied.
export const hash = (text) => h("code", { class: "hash" }, String(text));

// Return a row of cards.
export const cardRow = (cards) =>
  h(
    "span",
    { class: "cards" },
    cards.map((card) => [cardMark(card), " "]),
  );

// Return a card as its rank and a drawn suit. Screen readers and copies get "10♥".
function cardMark(card) {
  if (!/^(10|[2-9JQKA])[CDHS]$/.test(card)) return h("span", { class: "mini" }, cardText(card));
  return h(
    "span",
    { class: `mini suit-${suitOf(card)}` },
    rankOf(card),
    pip(suitOf(card)),
    h("span", { class: "hidden-text" }, cardText(card).slice(-2)),
  );
}

// Return a part that unfolds. Its content is made when it's first opened.
export function unfold(summary, content, attrs = {}) {
  const details = h("details", { class: "more", ...attrs }, h("summary", null, summary));
  const fill = () =>
    details.open &&
    details.children.length === 1 &&
    void Promise.resolve(content()).then((made) => details.append(...[made].flat()));
  details.addEventListener("toggle", fill);
  return details;
}

// Return the words that are used on the page, explained.
export function words(names) {
  const entries = names
    .filter((name) => has(`word.${name}`))
    .flatMap((name) => [h("dt", null, t(`word.${name}`)), h("dd", null, t(`word.${name}.says`))]);
  return h("details", { class: "more" }, h("summary", null, t("word.title")), h("dl", { class: "words" }, entries));
}

// Return what the grades of a deal mean.
export const grades = () =>
  h(
    "details",
    { class: "more" },
    h("summary", null, t("grade.title")),
    h(
      "dl",
      { class: "words" },
      ["F0", "F1", "F2", "F3"].flatMap((grade) => [h("dt", null, grade), h("dd", null, t(`grade.${grade}`))]),
    ),
  );

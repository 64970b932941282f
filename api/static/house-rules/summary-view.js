/** The summary of rules as a list of sentences. */

import { h } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { summaryOf } from "./summary.js";

/** Choices that the sentence of another one says, too. */
const SAYS = { ending: ["goal"], jokers: ["removed"] };

/**
 * Draw the rules in plain words; lines of a choice for which `isNew(name)` says so are marked.
 *
 * @param {any} rules
 * @param {(name: string) => boolean} [isNew]
 */
export const drawSummary = (rules, isNew = () => false) =>
  h("div", { class: "in-words" }, summaryOf(rules).map(({ title, lines }) =>
    h("section", null, h("h3", null, title), h("ul", { class: "plain" }, lines.map(({ name, text, of }) =>
      !of && [name, ...(SAYS[name] ?? [])].some(isNew)
        ? h("li", { class: "new", "data-says": name }, text, h("span", { class: "hidden-text" }, ` (${t("rules.changed")})`))
        : h("li", { class: of ? "of-points" : null }, text))))));

define({
  "rules.changed": "changed",
});

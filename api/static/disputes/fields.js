/** Fields of the forms about disputes: a list to choose from, a text of several lines, and choices of which one holds. */

import { h } from "../base/dom.js";

/** Return a list to choose one option from: options are [value, text] pairs. */
export const selection = ({ name, label, options, value = "", onchange = null, id }) =>
  h("div", { class: "field" },
    h("label", { for: id }, label),
    h("select", { id, name, onchange }, options.map(([each, text]) => h("option", { value: each, selected: String(each) === String(value) }, text))));

/**
 * Return a field for a text. A line break can't be stored, so it's typed as a space.
 *
 * @param {{ name?: string, label: string, hint?: string, id: string, required?: boolean, value?: string }} options
 */
export const textArea = ({ name = "text", label, hint, id, required = true, value = "" }) =>
  h("div", { class: "field long-text" },
    h("label", { for: id }, label),
    h("textarea", { id, name, rows: 3, maxlength: 2000, required, "aria-describedby": `${hint ? `${id}-hint ` : ""}${id}-fault`, oninput: ({ target }) => (target.value = target.value.replace(/[\r\n]+/g, " ")) }, value),
    hint && h("p", { class: "hint", id: `${id}-hint` }, hint),
    h("p", { class: "fault", id: `${id}-fault` }));

/** Return choices of which one holds: { value, text, hint, disabled }. A choice that isn't possible says why in its hint. */
export const choices = ({ name, legend, items, value, id, onchange = null }) =>
  h("fieldset", { class: "choices" }, h("legend", null, legend),
    items.map((item) => {
      const own = `${id}-${item.value}`;
      return h("div", { class: "choice" },
        h("label", { class: "check", for: own },
          h("input", { type: "radio", name, id: own, value: item.value, checked: item.value === value, disabled: item.disabled, onchange, "aria-describedby": item.hint && `${own}-hint` }),
          h("span", null, item.text)),
        item.hint && h("p", { class: "hint", id: `${own}-hint` }, item.hint));
    }));

/** Fields for the options of a variant, made from what the server says about each. */

import { h } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { labelOf, optionWords, partLabel, saysOf } from "./option-texts.js";

/**
 * Return { node, value() } for an option; `value()` is undefined for the default. `chosen` is a value to begin with.
 *
 * @param {Api.GameOption} option
 */
export function optionField(option, variant, chosen = option.default) {
  const made = option.parts.length ? partsField(option, chosen) : option.takes ? timeField(chosen) : choiceField(option, chosen);
  const id = `option-${option.name}`;
  const node = h("div", { class: "option" },
    h("div", { class: "option-line" },
      h("div", null, h("label", { for: id, class: "label" }, h("strong", null, labelOf(option))), h("p", { class: "says" }, saysOf(option), " ", clause(option, variant))),
      made.input(id)),
    made.more ?? null);
  return { node, value: () => (same(made.value(), option.default) ? undefined : made.value()) };
}

/**
 * A link to the clause that the option rests on, or to the sheet.
 *
 * @param {Api.GameOption} option
 */
const clause = (option, variant) =>
  option.ruling
    ? h("a", { href: `/rules/${variant}#${option.ruling}`, target: "_blank" }, t("option.clause", { clause: option.ruling }))
    : h("a", { href: `/rules/${variant}`, target: "_blank" }, t("option.sheet"));

/** @param {Api.GameOption} option */
function choiceField(option, chosen) {
  const select = h("select", null, option.values.map((value, at) => h("option", { value: at, selected: same(value, chosen) }, optionWords(option.name, value))));
  return { input: named(select), value: () => option.values[Number(select.value)] };
}

function timeField(chosen) {
  const start = typeof chosen === "function" ? chosen() : chosen && new Date(chosen);
  const input = h("input", { type: "datetime-local", value: start ? localTime(start) : "" });
  return { input: named(input), value: () => (input.value ? `${new Date(input.value).toISOString().slice(0, 19)}Z` : null) };
}

/**
 * An object of the option's parts, or null.
 *
 * @param {Api.GameOption} option
 */
function partsField(option, chosen) {
  const nullable = option.values.includes(null);
  const start = chosen ?? option.default ?? {};
  const parts = option.parts.map((part) => ({ part, ...partField(option, part, start[part.name] ?? part.default) }));
  const more = h("div", { class: "parts", hidden: chosen === null }, parts.map(({ node }) => h("div", null, node)));
  const select = h("select", { onchange: () => more.toggleAttribute("hidden", select.value === "off") },
    h("option", { value: "on", selected: chosen !== null }, t("option.on")),
    nullable && h("option", { value: "off", selected: chosen === null }, t("option.off")));
  const value = () => (select.value === "off" ? null : Object.fromEntries(parts.map(({ part, value: read }) => [part.name, read()])));
  return { input: named(select), more, value };
}

/**
 * @param {Api.GameOption} option
 * @param {Api.OptionPart} part
 */
function partField(option, part, value) {
  const label = partLabel(option, part);
  if (part.kind === "flag") return flag(label, value);
  return part.kind === "odds" ? odds(label, part, value) : many(label, part, value ?? [], (each) => optionWords(`${option.name}.${part.name}`, each));
}

function flag(label, value) {
  const box = h("input", { type: "checkbox", checked: value === true });
  return { node: h("label", { class: "check" }, box, h("span", null, label)), value: () => box.checked };
}

/** @param {Api.OptionPart} part */
function odds(label, part, value) {
  const number = (at, says) => h("input", { type: "number", min: 0, max: 9999, value: value?.[at] ?? [1, 16][at], "aria-label": `${label}: ${says}` });
  const [times, of] = [number(0, t("option.times")), number(1, t("option.of"))];
  const off = part.null ? h("input", { type: "checkbox", checked: value === null }) : null;
  const node = h("div", { class: "odds" }, h("strong", null, label), times, h("span", null, t("option.in")), of, off && h("label", { class: "check" }, off, h("span", null, t("option.never"))));
  return { node, value: () => (off?.checked ? null : [Number(times.value), Number(of.value)]) };
}

/** @param {Api.OptionPart} part */
function many(label, part, value, wordsOf) {
  const boxes = part.of.map((each) => ({ each, box: h("input", { type: "checkbox", checked: value.includes(each) }) }));
  const node = h("fieldset", { class: "choices" }, h("legend", null, label), h("div", { class: "flags" }, boxes.map(({ each, box }) => h("label", { class: "check" }, box, h("span", null, wordsOf(each))))));
  return { node, value: () => boxes.filter(({ box }) => box.checked).map(({ each }) => each) };
}

const named = (input) => (id) => (input.setAttribute("id", id), input);

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const localTime = (time) => new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

define({
  "option.clause": "Clause {clause}",
  "option.in": "times in",
  "option.never": "never",
  "option.of": "of how many",
  "option.off": "off",
  "option.on": "on",
  "option.sheet": "Rules",
  "option.times": "how often",
});

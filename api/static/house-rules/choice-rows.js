/** The choices in their groups: for each one what it's called, a control, a sentence, cards that show it, and what is wrong. */

import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { controlOf } from "./controls.js";
import { isChanged, withChoice } from "./draft.js";
import { drawExample } from "./example-view.js";
import { fieldOf, GROUPS, same, valueAt } from "./fields.js";
import { pointsControl } from "./points-field.js";
import { labelOf, pointSentence, sentenceOf } from "./sentences.js";

/**
 * Return { node, update(draft), showFaults(faults) }; `onDraft(draft, name)` is called at each change, with its choice. Faults are texts by the name of
 * their choice; those of no choice are returned.
 *
 * @param {Api.RulebookChoice[]} choices
 * @param {Api.OfferedVariant[]} catalogue
 */
export function choiceRows(choices, catalogue, first, onDraft) {
  let draft = first;
  const change = (name, value) => onDraft(withChoice(draft, name, value), name);
  const found = choices.flatMap((choice) => {
    const field = fieldOf(choice.name);
    return field ? [{ field, row: choiceRow(choice, field, choices, catalogue, change) }] : [];
  });
  const groups = GROUPS.map((name) => groupOf(name, found.filter(({ field }) => field.group === name).sort((a, b) => a.field.at - b.field.at))).filter(Boolean);
  const update = (next) => {
    draft = next;
    for (const { row } of found) row.update(draft);
    for (const group of groups) group.update(draft);
  };
  const showFaults = (faults) => {
    const shown = new Set(found.filter(({ field, row }) => row.showFault(ofChoice(faults, field.name))).map(({ field }) => field.name));
    for (const group of groups) group.openIf(shown);
    return Object.entries(faults).filter(([path]) => ![...shown].some((name) => isOf(path, name))).map(([, text]) => text);
  };
  update(first);
  return { node: h("div", { class: "choice-groups" }, groups.map(({ node }) => node)), update, showFaults };
}

const isOf = (path, name) => path === name || path.startsWith(`${name}.`);

const ofChoice = (faults, name) => Object.entries(faults).filter(([path]) => isOf(path, name)).map(([, text]) => text).join(" ");

function groupOf(name, members) {
  if (!members.length) return null;
  const count = h("span", { class: "group-count" });
  const node = h("details", { class: "panel choice-group", id: `group-${name}`, open: name === "players" },
    h("summary", null, h("h2", null, t(`rules.group.${name}`)), count), members.map(({ row }) => row.node));
  const update = (draft) => {
    const seen = members.filter(({ field }) => field.when(draft.rules));
    const changes = seen.filter(({ field }) => isChanged(draft, field.name)).length;
    node.toggleAttribute("hidden", !seen.length);
    replace(count, changes, () => (changes ? t("rules.changed-count", { count: changes }) : null));
  };
  const openIf = (names) => {
    if (members.some(({ field }) => names.has(field.name))) node.open = true;
  };
  return { node, update, openIf };
}

/** @param {Api.RulebookChoice} choice */
function choiceRow(choice, field, choices, catalogue, change) {
  const { name } = choice;
  const id = `rule-${name.replaceAll(".", "-")}`;
  const zones = { says: h("div", { class: "says", id: `${id}-says` }), tag: h("span", null), example: h("div", null), control: h("div", { class: "choice-control" }), fault: h("p", { class: "fault", id: `${id}-fault` }) };
  const isGroup = choice.list && choice.kind !== "number" && name !== "ranks" && name !== "sights";
  const label = isGroup ? h("strong", { id: `${id}-label` }, labelOf(name)) : h("label", { for: id, id: `${id}-label` }, h("strong", null, labelOf(name)));
  const node = h("div", { class: "option rule-choice", "data-choice": name },
    h("div", { class: "option-line" }, h("div", null, label, " ", zones.tag, zones.says), zones.control),
    zones.example, zones.fault);
  let shown;
  const set = (value) => {
    shown = value;
    change(name, value);
  };
  const awards = choices.find((each) => each.name === "points[].award")?.values ?? [];
  const draw = (options) => (name === "points" ? pointsControl(awards, options) : controlOf(choice, options));
  const update = (draft) => {
    const { rules } = draft;
    const value = valueAt(rules, name);
    const isSeen = field.when(rules);
    node.toggleAttribute("hidden", !isSeen);
    if (!isSeen) {
      shown = undefined;
      return;
    }
    if (!same(shown, value)) replace(zones.control, null, () => described(draw({ id, value, rules, catalogue, change: set }), id));
    shown = value;
    const changed = isChanged(draft, name);
    const back = () => {
      shown = undefined;
      change(name, valueAt(draft.start, name));
    };
    replace(zones.says, JSON.stringify([sentenceOf(name, rules), name === "points" && rules.points]), () => saysOf(name, rules));
    replace(zones.tag, changed, () => (changed ? [h("span", { class: "tag" }, t("rules.changed")), " ", h("button", { type: "button", class: "link", "data-key": `back ${name}`, onclick: back, "aria-label": t("rules.back-of", { choice: labelOf(name) }) }, t("rules.back"))] : null));
    replace(zones.example, JSON.stringify(rules), () => drawExample(name, rules));
  };
  const showFault = (text) => {
    const input = document.getElementById(id);
    zones.fault.textContent = text;
    if (text) input?.setAttribute("aria-invalid", "true");
    else input?.removeAttribute("aria-invalid");
    return Boolean(text);
  };
  return { node, update, showFault };
}

const saysOf = (name, rules) => (name === "points" ? [h("p", null, sentenceOf(name, rules)), h("ul", null, rules.points.map((point) => h("li", null, pointSentence(point, rules))))] : h("p", null, sentenceOf(name, rules)));

/** Say with a control what its choice means, and what is wrong with it. */
function described(control, id) {
  const input = control.id === id ? control : control.querySelector(`#${CSS.escape(id)}`);
  const before = input.getAttribute("aria-describedby");
  input.setAttribute("aria-describedby", [before, `${id}-says`, `${id}-fault`].filter(Boolean).join(" "));
  return control;
}

define({
  "rules.back": "take back",
  "rules.back-of": "Take back: {choice}",
  "rules.changed": "changed",
  "rules.changed-count": { one: "{count} changed", other: "{count} changed" },
});

// The rules that can change, as they are in force. What has changed since the own last move is marked in its place, with
// what was there before, so that nothing is pushed down by the news.

import { h } from "../base/dom.js";
import { withTerms } from "../base/terms.js";
import { explain } from "./dialogs.js";
import { LANGUAGE } from "../base/messages.js";
import { t } from "./texts.js";
import { pointWords, settingChanges } from "./words.js";

// Return the changes that the player hasn't answered yet.
export function newChanges({ story, news }) {
  return story.changes.filter(({ version }) => version > news);
}

// Draw the line, or nothing at a table whose rules stay.
/** @param {Page.Model} model */
export function drawRules(model) {
  const { rules } = model.view;
  if (!rules.points) return [];
  const changes = newChanges(model);
  const chips = ruleChips(model, changes.find(({ waits }) => !waits)?.before ?? null);
  if (!changes.length) return h("div", { class: isSettled(model.rules) ? "rules-line settled" : "rules-line" }, h("ul", { class: "force" }, chips));
  const title = t(changes.every(({ waits }) => waits) ? "rules.later" : "rules.changed");
  return h(
    "div",
    { class: "rules-line changed" },
    h("ul", { class: "force" }, h("li", { class: "rules-title" }, h("strong", {}, `${title}:`), " ", whyButton(title, changes)), chips),
    h("button", { type: "button", class: "dismiss", "data-do": "dismiss", "data-key": "dismiss rules", "aria-label": t("news.dismiss") }, "×"),
  );
}

function whyButton(title, changes) {
  const list = () => h("ul", { class: "change-list" }, changes.map(({ text, why }) => h("li", {}, h("strong", {}, text), " ", why)));
  return h("button", { type: "button", class: "chip-button", "data-key": "why rules", onclick: () => explain(title, list()) }, t("rules.why"));
}

// Return whether no rule of the table can change: then no room is kept for news of it.
/** @param {Api.Rules | null} rules */
function isSettled(rules) {
  return rules?.changes.menu.length === 0;
}

// Return the settings as chips. Those that differ from `before` say so. Where the points change, a button says what they are.
/** @param {Pick<Page.Model, "view" | "rules">} model */
export function ruleChips({ view: { rules }, rules: whole }, before = null) {
  const was = (what, words) => before && before[what] !== rules[what] && `, ${t("rules.before", { before: words(before[what]) })}`;
  const reverse = was("reverse", (on) => t(`rules.reverse.${on ? "on" : "off"}`));
  return [
    settingChip(whole && !isSettled(whole) ? pointsButton(rules.total, whole) : t("force.points", { total: rules.total }), was("points", () => before.total)),
    settingChip(t(`force.partners.${rules.partners}`), was("partners", (to) => t(`rules.partners.${to}`))),
    settingChip(t(`force.dirty.${rules.dirty ? "on" : "off"}`), was("dirty", (on) => t(`rules.dirty.${on ? "on" : "off"}`))),
    (rules.reverse || reverse) && h("li", { class: "chip strong" }, withTerms(t(`force.reverse.${rules.reverse ? "on" : "off"}`)), reverse),
    rules.deferred.length && h("li", { class: "chip strong" }, t("force.deferred", { changes: settingChanges(rules, rules.deferred.at(-1), whole) })),
    rules.ends_at && h("li", { class: "chip" }, t("force.ends", { when: new Date(rules.ends_at).toLocaleString(LANGUAGE, { dateStyle: "medium", timeStyle: "short" }) })),
  ].filter(Boolean);
}

/** @param {Api.Rules} rules */
function pointsButton(total, rules) {
  const title = t("force.points", { total });
  return h("button", { type: "button", class: "chip-button", "data-key": "points", onclick: () => explain(title, t("bid.names", { names: rules.points.map(pointWords) })) }, title);
}

function settingChip(text, was) {
  return h("li", { class: was ? "chip strong" : "chip" }, typeof text === "string" ? withTerms(text) : text, was);
}

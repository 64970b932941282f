// Everything that is done seldom: undo, draw, resignation, hand-over, the host's changes, own settings, and links.

import { h } from "../base/dom.js";
import { GAME_PAGES, gameLink } from "../base/game-links.js";
import { canClaim } from "./clock.js";
import { moveButton } from "./actions.js";
import { rematchText, summaryOf } from "./summary.js";
import { t } from "./texts.js";
import { DECKS, FELTS, ORDERS, PACES } from "../base/settings.js";
import { changeWords, gameName, rulesAddress, seatName } from "./words.js";

// Draw the buttons that are always beside the table: what can be done out of turn now.
/** @param {Page.Model} model */
export function drawMenu(model) {
  const moves = model.view.you ? outOfTurn(model) : [];
  return h("div", { class: "menu-inside" }, moves.length ? h("div", { class: "menu-moves" }, moves) : null, settings(model), links(model));
}

// Draw what is wanted at once and not in a menu: the undo and the delay call.
/** @param {Page.Model} model */
export function drawQuick(model) {
  const { view } = model;
  const may = view.you?.may ?? [];
  const isOver = view.status === "finished" && !summaryOf(model); // or these stand in the summary
  const quick = [
    canAsk(view) && h("button", { type: "button", class: "button small", "data-do": "hint", "data-key": "hint" }, t("menu.hint")),
    may.includes("undo") && moveButton({ type: "undo" }, t("menu.undo"), "small"),
    canClaim(model) && moveButton({ type: "claim_time" }, t("menu.claim", { name: seatName(model, view.turn.seats[0]) }), "primary"),
    may.includes("call_delay") && isLate(model) && accused(model).map((seat) => delayButton(model, seat)),
    isOver && model.seat !== null && h("button", { type: "button", class: "button primary", "data-do": "rematch", "data-key": "rematch" }, rematchText(model)),
  ];
  const after = isOver ? ["replay", "score"].map((page) => gameLink(page, model.view.board, { class: "button", "data-key": `after ${page}` })) : [];
  if (isOver && model.seat !== null) after.push(h("a", { class: "button", href: `/games/${view.board}/replay#my-moves`, "data-key": "after my-moves" }, t("menu.my-moves")));
  const rules = model.rules && h("button", { type: "button", class: "chip-button rules-link", "data-do": "rules-short", "data-key": "rules" }, gameName(model) ?? t("menu.rules.link"));
  return [...quick.filter(Boolean), ...after, rules].filter(Boolean);
}

// A hint is for practice, and for a turn in which there is something to choose.
/** @param {Page.View} view */
function canAsk({ you, rules }) {
  return rules.undo === "practice" && Boolean(you?.legal.length || you?.choose);
}

// A delay call is offered once the turn has lasted as long as the rules say.
/** @param {Page.Model} model */
export function isLate(model) {
  const { since } = model.view.turn;
  const after = model.rules?.delay?.after_ms ?? 15000;
  return Boolean(since) && model.now - Date.parse(since) > after;
}

/** @param {Page.Model} model */
function accused(model) {
  return model.view.turn.seats.filter((seat) => seat !== model.seat);
}

/** @param {Page.Model} model */
function delayButton(model, seat) {
  return moveButton({ type: "call_delay", accused: seat }, t("menu.delay", { name: seatName(model, seat) }), "small");
}

/** @param {Page.Model} model */
function outOfTurn(model) {
  const { you, rules } = model.view;
  const may = (type) => you.may.includes(type);
  return [
    may("propose_draw") && moveButton({ type: "propose_draw" }, t("menu.draw")),
    may("change_rules") && rules.changes?.length && hostForm(rules.changes, model.rules),
    model.view.status === "active" && handForm(),
    may("resign") && h("button", { type: "button", class: "button danger", "data-do": "resign", "data-key": "resign" }, t("menu.resign")),
  ].filter(Boolean);
}

function hostForm(changes, rules) {
  const options = changes.map((change) => h("option", { value: change }, changeWords(change, rules)));
  return h(
    "form",
    { class: "menu-form", "data-form": "rules" },
    h("label", { for: "rule-change" }, t("menu.rules")),
    h("div", { class: "write-line" }, h("select", { id: "rule-change", name: "change", "data-key": "rule-change" }, options), h("button", { class: "button", type: "submit" }, t("menu.rules.do"))),
  );
}

function handForm() {
  return h(
    "form",
    { class: "menu-form", "data-form": "handover", autocomplete: "off" },
    h("label", { for: "hand-to" }, t("menu.hand"), h("span", { class: "field-hint" }, t("menu.hand.to"))),
    h("div", { class: "write-line" }, h("input", { id: "hand-to", name: "to", type: "text", required: true, "data-key": "hand-to" }), h("button", { class: "button", type: "submit" }, t("menu.hand.do"))),
  );
}

const SWITCHES = ["cuts", "auto", "sound", "four"];

/** @param {Page.Model} model */
function settings(model) {
  return h(
    "div",
    { class: "menu-settings" },
    SWITCHES.map((name) =>
      h("label", { class: "switch" }, h("input", { type: "checkbox", "data-pref": name, "data-key": `pref ${name}`, checked: Boolean(model.prefs[name]) }), t(`menu.${name}`)),
    ),
    h("button", { type: "button", class: "button plain", "data-do": "explain-cuts", "data-key": "menu explain" }, t("cut.how")),
    choice(model, "pace", PACES),
    choice(model, "order", ORDERS),
    choice(model, "deck", DECKS),
    choice(model, "felt", FELTS),
  );
}

/** @param {Page.Model} model */
function choice({ prefs }, name, values) {
  const options = values.map((value) => h("option", { value, selected: prefs[name] === value }, t(`${name}.${value}`)));
  return h("label", { class: "switch" }, t(`menu.${name}`), h("select", { "data-pref": name, "data-key": `pref ${name}` }, options));
}

/** @param {Page.Model} model */
function links(model) {
  const { board } = model.view;
  const pages = GAME_PAGES.filter((page) => page !== "table").map((page) => gameLink(page, board));
  const places = [["rules", rulesAddress(model)], ["export", `/api/v1/games/${board}/export`], ["verify", "/verify"]];
  const all = [...pages, ...places.map(([name, href]) => h("a", { href, download: name === "export" }, t(`menu.link.${name}`)))];
  return h("nav", { class: "menu-links", "aria-label": t("menu.links") }, all);
}

// Draw the buttons that do what the keys do.
/** @param {Page.Model} model */
export function drawKeys(model) {
  return h(
    "div",
    { class: "keys", role: "group", "aria-label": t("menu.keys") },
    Object.entries(model.prefs.keys).map(([name, key]) =>
      h("button", { type: "button", class: "key-button", "data-do": "key", "data-name": name, "data-key": `key ${name}` }, h("kbd", {}, key), t(`key.${name}`)),
    ),
  );
}

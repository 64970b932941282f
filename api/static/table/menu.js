// Everything that is done seldom: undo, draw, resignation, hand-over, the host's changes, own settings, and links.

import { h } from "../base/dom.js";
import { moveButton } from "./actions.js";
import { t } from "./texts.js";
import { changeWords, seatName } from "./words.js";

// Draw the buttons that are always beside the table: what can be done out of turn now.
export function drawMenu(model) {
  const moves = model.view.you ? outOfTurn(model) : [];
  return h("div", { class: "menu-inside" }, moves.length ? h("div", { class: "menu-moves" }, moves) : null, settings(model), links(model));
}

// Draw what is wanted at once and not in a menu: the undo and the delay call.
export function drawQuick(model) {
  const may = model.view.you?.may ?? [];
  const quick = [
    may.includes("undo") && moveButton({ type: "undo" }, t("menu.undo"), "small"),
    may.includes("call_delay") && isLate(model) && accused(model).map((seat) => delayButton(model, seat)),
    model.view.status === "finished" && model.seat !== null && h("button", { type: "button", class: "button primary", "data-do": "rematch", "data-key": "rematch" }, t("menu.rematch")),
  ];
  return quick.filter(Boolean);
}

// A delay call is offered once the turn has lasted as long as the rules say.
export function isLate(model) {
  const { since } = model.view.turn;
  const after = model.rules?.delay?.after_ms ?? 15000;
  return Boolean(since) && model.now - Date.parse(since) > after;
}

function accused(model) {
  return model.view.turn.seats.filter((seat) => seat !== model.seat);
}

function delayButton(model, seat) {
  return moveButton({ type: "call_delay", accused: seat }, t("menu.delay", { name: seatName(model, seat) }), "small");
}

function outOfTurn(model) {
  const { you, rules } = model.view;
  const may = (type) => you.may.includes(type);
  return [
    may("propose_draw") && moveButton({ type: "propose_draw" }, t("menu.draw")),
    may("change_rules") && rules.changes?.length && hostForm(rules.changes),
    model.view.status === "active" && handForm(),
    may("resign") && h("button", { type: "button", class: "button danger", "data-do": "resign", "data-key": "resign" }, t("menu.resign")),
  ].filter(Boolean);
}

function hostForm(changes) {
  const options = changes.map((change) => h("option", { value: change }, changeWords(change)));
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

function settings(model) {
  const orders = ["suits", "trump", "ranks", "dealt"].map((order) => h("option", { value: order, selected: model.prefs.order === order }, t(`order.${order}`)));
  return h(
    "div",
    { class: "menu-settings" },
    SWITCHES.map((name) =>
      h("label", { class: "switch" }, h("input", { type: "checkbox", "data-pref": name, "data-key": `pref ${name}`, checked: Boolean(model.prefs[name]) }), t(`menu.${name}`)),
    ),
    h("label", { class: "switch" }, t("menu.order"), h("select", { "data-pref": "order", "data-key": "pref order" }, orders)),
  );
}

function links(model) {
  const { board, variant } = model.view;
  const places = { rules: `/rules/${variant}`, export: `/api/v1/games/${board}/export`, verify: "/verify" };
  const all = Object.entries(places).map(([name, href]) => h("a", { href, download: name === "export" }, t(`menu.link.${name}`)));
  return h("nav", { class: "menu-links", "aria-label": t("menu.links") }, all);
}

// Draw the buttons that do what the keys do.
export function drawKeys(model) {
  return h(
    "div",
    { class: "keys", role: "group", "aria-label": t("menu.keys") },
    Object.entries(model.prefs.keys).map(([name, key]) =>
      h("button", { type: "button", class: "key-button", "data-do": "key", "data-name": name, "data-key": `key ${name}` }, h("kbd", {}, key), t(`key.${name}`)),
    ),
  );
}

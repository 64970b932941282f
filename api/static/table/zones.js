// The table on the page: its zones, and for each of them what it shows and from what. A zone is drawn again only if that
// has changed.

import { h, replace } from "../base/dom.js";
import { drawActions } from "./actions.js";
import { drawAsks, drawRulings } from "./asks.js";
import { drawHand, drawPlan } from "./hand.js";
import { canClaim } from "./clock.js";
import { clockText, drawDeal, drawHeadline } from "./headline.js";
import { drawKeys, drawMenu, drawQuick, isLate } from "./menu.js";
import { lastTrick } from "./model.js";
import { drawMessages, drawScores, drawStory, drawTabs, drawUnread, drawWrite } from "./panels.js";
import { drawAlerts, drawNews } from "./news.js";
import { drawNow, usesOfNow } from "./now.js";
import { drawRules, newChanges } from "./rules-line.js";
import { drawSeat, drawSeats } from "./seats.js";
import { drawSummary, summaryOf } from "./summary.js";
import { t } from "./texts.js";
import { drawLast, drawTrick } from "./trick.js";

// Each zone: what it depends on, and what draws it.
const ZONES = {
  alerts: [({ link, pending, log }) => [link, pending, log.wrong, log.insecure], drawAlerts],
  headline: [({ view, names, seat, rules, dismissed }) => [dismissed, view.last_hand, rules?.trump, view.hand?.trump, view.phase, view.turn.seats, view.ceremony?.waits_for, view.result, names, seat], drawHeadline],
  force: [({ view, names, rules }) => [rules?.trump, view.you?.cards?.includes(view.hand?.called), view.rules, dealt(view), view.phase, view.unrated, names], drawDeal],
  rules: [(model) => [model.view.rules, newChanges(model), model.rules?.changes.menu.length], drawRules],
  news: [({ notice }) => [notice], drawNews],
  unread: [({ chat, unread, names }) => [unread && chat?.items.at(-1)?.id, unread, names], drawUnread],
  asks: [({ view, names, cutting, prefs, seat }) => [seat === null && [view.result, view.seats], view.proposal, view.handover, view.delay, view.ceremony, view.you?.may, names, cutting, prefs.cuts], drawAsks],
  seats: [({ view, names, presence }) => [presence, view.result?.winners, view.seats, view.turn.seats, view.sides, dealt(view), view.ceremony, view.you?.sees, view.phase, names], drawSeats],
  trick: [({ view, shown, names, rules, seat }) => [view.hand?.trick, view.phase === "auction" && view.hand.bids, shown, view.status, names, rules?.tally, seat === null], drawTrick],
  last: [(model) => [lastTrick(model), model.names], drawLast],
  now: [usesOfNow, drawNow],
  rulings: [({ view, names }) => [view.disputes, view.ruled, view.result, names], drawRulings],
  summary: [(model) => [model.rematch, summaryOf(model), model.dismissed, model.summary?.version, model.scored?.hand, model.view.result, model.names], drawSummary],
  plan: [({ view, plan }) => [view.status, view.phase, view.you?.cards?.length, plan], drawPlan],
  own: [({ view, names }) => [view.result?.winners, view.seats, view.turn.seats, view.sides, dealt(view), view.ceremony, view.phase, names], (model) => (model.seat === null ? h("span") : drawSeat(model, model.seat, "div"))],
  actions: [({ view, marked, pending, call, rules, busy }) => [busy, view.you?.legal, view.you?.choose, marked, Boolean(pending), call, Boolean(rules)], drawActions],
  hand: [({ view, marked, prefs, focus, pending, busy, plan }) => [busy, plan, view.phase, view.turn.seats, view.you?.cards, view.you?.legal, view.you?.choose, view.hand?.trump, view.rules.reverse, view.seats.map(({ count }) => count), marked, prefs.order, prefs.ascending, focus, pending?.move], drawHand],
  quick: [(model) => [model.rematch, summaryOf(model), Boolean(model.rules), model.view.you?.may, Boolean(model.view.you?.legal.length || model.view.you?.choose), model.view.turn, isLate(model), canClaim(model), model.view.status, model.names], drawQuick],
  tabs: [({ tab, unread }) => [tab, unread], drawTabs],
  menu: [({ view, prefs }) => [view.you?.may, view.rules.changes, view.status, prefs], drawMenu],
  keys: [({ prefs }) => [prefs.keys], drawKeys],
};

// What the panel shows, by tab.
const PANELS = {
  scores: [({ board, names }) => [board, names], drawScores],
  story: [({ story, names }) => [story.lines.at(-1)?.version, story.lines.length, names], drawStory],
  talk: [({ chat, names, me }) => [chat, names, me], drawMessages],
};

// The deal without what the cards on the table change.
function dealt({ hand }) {
  return hand && { ...hand, trick: hand.trick?.plays.length === 0 && hand.trick.number === 1, last_trick: Boolean(hand.last_trick) };
}

// Make the page's frame. It stays; what is in its zones comes and goes.
export function frame() {
  /** @type {(name: string, tag?: keyof HTMLElementTagNameMap, attrs?: Page.Attributes) => HTMLElement} */
  const zone = (name, tag = "div", attrs = {}) => h(tag, { class: `zone zone-${name}`, "data-zone": name, ...attrs });
  return h(
    "div",
    { class: "table-page" },
    h("p", { class: "hidden-text", role: "status", "aria-live": "polite", "data-say": "" }),
    h(
      "div",
      { class: "table-main" },
      h("div", { class: "table-top" }, h("button", { type: "button", class: "button small head-button", "data-do": "head", "data-key": "head", "aria-label": t("head.show") }, "☰"), zone("headline"), h("span", { class: "clock", "data-clock": "" }), zone("quick")),
      zone("force"),
      zone("rules"),
      h("div", { class: "felt" }, zone("seats"), zone("trick"), zone("last"), zone("summary"), h("div", { class: "places" }, zone("alerts"), zone("asks"), zone("news"), zone("unread"))),
      h("div", { class: "own-area" }, h("div", { class: "own-top" }, zone("own"), zone("plan")), zone("actions"), zone("hand", "div", { tabindex: "-1" })),
    ),
    h(
      "aside",
      { class: "table-side" },
      h("div", { class: "side-top" }, zone("now", "div", { tabindex: "0" }), zone("rulings")),
      zone("tabs"),
      h("div", { class: "side-panel" }, zone("panel", "div", { role: "tabpanel", id: "panel", tabindex: "0" }), zone("write")),
      h("details", { class: "menu" }, h("summary", { "data-key": "menu" }, t("menu.title")), h("div", { class: "menu-sheet" }, zone("menu"), zone("keys"))),
    ),
  );
}

// Draw each zone that has changed. If the element with the focus is gone, the hand is what Tab goes on from.
export function draw(page, model) {
  const isInside = page.contains(document.activeElement);
  for (const [name, [uses, drawn]] of Object.entries(ZONES)) show(page, name, uses(model), () => drawn(model));
  const [uses, drawn] = PANELS[model.tab];
  show(page, "panel", [model.tab, ...uses(model)], () => drawn(model));
  show(page, "write", [model.tab, Boolean(model.me), model.chat?.open, model.about], () => (model.tab === "talk" ? drawWrite(model) : h("span")));
  page.querySelector("#panel").setAttribute("aria-labelledby", `tab-${model.tab}`);
  page.classList.toggle("my-turn", !model.busy && Boolean(model.view.you?.legal.length || model.view.you?.choose));
  page.dataset.version = String(model.view.version);
  if (isInside && !page.contains(document.activeElement)) page.querySelector(".zone-hand").focus({ preventScroll: true });
}

// Show how much time is left. It changes by itself and is no zone, so that nothing else is drawn for it.
export function drawClock(page, model, now) {
  const clock = page.querySelector("[data-clock]");
  const text = clockText(model, now);
  if (clock.textContent !== text) clock.textContent = text;
}

function show(page, name, uses, drawn) {
  replace(page.querySelector(`[data-zone="${name}"]`), JSON.stringify(uses), drawn);
}

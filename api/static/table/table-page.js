// The page of a table: it loads the game, follows it, and acts on what the player does.

import { visit } from "../base/address.js";
import { get, send } from "../base/net.js";
import { confirmed, explain } from "./dialogs.js";
import { openDrawer } from "./drawer.js";
import { Guard, isHeld } from "./guard.js";
import { canPlan, discardOf, markedCards, ownCards } from "./hand.js";
import { headlineText } from "./headline.js";
import { Follower } from "../live/follow.js";
import { Game } from "../live/game.js";
import { moveFocus, pressed } from "../live/keys.js";
import { lastTrick } from "./model.js";
import { animate } from "./motion.js";
import { change, onChoice, prefs } from "../live/prefs.js";
import { t } from "./texts.js";
import { cardWords, gameName, moveText, seatName, sorted } from "./words.js";
import { draw, drawClock, frame } from "./zones.js";

// Show a game in an element of the page, as a player sees it, or with null as everybody does. `found` is the answer with
// what everybody sees, and `own` promises the one with what the player's seat sees. Return the game, and `stop`.
export async function mount(root, { found, own }, player) {
  const page = frame();
  const game = new Game(found.body.id, { prefs: prefs(), drawn: (model) => show(page, model), said: (text) => say(page, text), animate: (fact, before, after) => animate(page, fact, before, after) });
  await game.open(found, own, player);
  root.replaceChildren(page);
  show(page, game.model);
  const follower = new Follower(game);
  const guard = new Guard();
  const stops = [listen(page, game, guard), onChoice(() => game.chosen(prefs())), () => follower.stop()];
  const timer = setInterval(() => drawClock(page, game.model, game.now()), 1000);
  follower.start();
  return { game, guard, stop: () => [clearInterval(timer), ...stops.map((stop) => stop())] };
}

function show(page, model) {
  if (!page.isConnected) return;
  draw(page, model);
  drawClock(page, model, model.now);
  const turn = model.view.you?.legal.length || model.view.you?.choose ? t("title.turn") : "";
  document.title = `${turn}${headlineText(model)} · ${gameName(model) ?? model.view.variant} ${model.view.board}`;
}

// A live region reads a text out once, and not if it stays the same; so an equal text gets a space.
function say(page, text) {
  const region = page.querySelector("[data-say]");
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

function listen(page, game, guard) {
  page.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (button && !isAccident(event, button, guard)) CLICKS[button.dataset.do]?.(game, button, page);
  });
  page.addEventListener("change", (event) => changed(event.target));
  page.addEventListener("submit", (event) => {
    const { form } = event.target.dataset;
    if (!form) return; // a dialog closes by itself
    event.preventDefault();
    FORMS[form](game, event.target);
  });
  const onKey = (event) => (isHeld(event) ? event.preventDefault() : keyed(event, page, game));
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

// Return whether this is the second half of a double click on something that moves. By then the table may have changed, and
// another card lie under the pointer.
function isAccident(event, { dataset }, guard) {
  return MOVES.has(dataset.do) ? guard.isSecond(event) : dataset.do === "mark" && event.detail > 1;
}

function changed({ dataset, type, checked, value }) {
  if (dataset.pref) change(dataset.pref, type === "checkbox" ? checked : value);
}

function keyed(event, page, game) {
  if (!page.isConnected || document.querySelector("dialog[open]")) return;
  const group = event.target.closest?.(".hand, .tabs");
  if (group && page.contains(group) && moveFocus(event, group)) {
    if (event.target !== document.activeElement && group.matches(".tabs")) /** @type {HTMLElement} */ (document.activeElement).click();
    return;
  }
  const name = pressed(event, game.model.prefs.keys);
  if (!name) return;
  event.preventDefault();
  KEYS[name](game, page);
}

const KEYS = {
  hand: (_, page) => page.querySelector('#own-hand [tabindex="0"]')?.focus(),
  turn: (game, page) => say(page, headlineText(game.model)),
  scores: (game, page) => say(page, t("say.scores", { scores: game.model.view.seats.map(({ seat, score }) => t("say.score", { name: seatName(game.model, seat), score: String(score) })) })),
  last: (game, page) => say(page, lastWords(game.model)),
};

/** @param {Page.Model} model */
function lastWords(model) {
  const last = lastTrick(model)?.trick;
  if (!last) return t("say.last.none");
  const values = { number: last.number, name: seatName(model, last.seat), plays: last.plays.map(({ seat, card }) => `${seatName(model, seat)} ${cardWords(card)}`) };
  return t(last.plays.length ? "say.last" : "say.last.down", values);
}

const MOVES = new Set(["play", "move", "discard"]);

const CLICKS = {
  play: (game, { dataset }) => {
    const move = { type: "play", card: dataset.card };
    const { legal } = game.model.view.you;
    if (!game.model.busy && legal.some(({ type, card }) => type === "play" && card === move.card)) return game.move(move);
    if (canPlan(game.model)) return game.plan.toggle(move.card);
    if (game.model.busy) return null;
    game.set({ focus: dataset.card });
    return game.explain(move);
  },
  mark: (game, { dataset }) => toggle(game, dataset.card),
  "mark-lowest": (game) => markLowest(game),
  discard: (game, button) => (button.getAttribute("aria-disabled") ? null : game.discard()),
  move: (game, { dataset }) => game.move(JSON.parse(dataset.move)),
  refused: (game, { dataset }) => game.explain(JSON.parse(dataset.tried)),
  "call-suit": (game, { dataset }) => game.set({ call: dataset.suit }),
  dismiss: (game) => game.set({ notice: null, news: game.model.view.version }),
  seen: (game) => game.set({ unread: 0 }),
  cut: (game) => game.cutter.cut(true),
  "explain-cuts": () => explain(t("cut.title"), t("cut.explain")),
  tab: (game, { dataset }) => {
    game.set({ tab: dataset.tab, unread: dataset.tab === "talk" ? 0 : game.model.unread });
    if (dataset.tab === "talk") game.chat.load();
    if (dataset.key === "unread") document.getElementById("talk-text")?.focus();
  },
  comment: (game, { dataset }) => {
    const about = game.model.story.lines.find(({ version }) => version === Number(dataset.event));
    game.set({ tab: "talk", about: { version: about.version, text: about.text } });
    document.getElementById("talk-text")?.focus();
  },
  "no-comment": (game) => game.set({ about: null }),
  resign: async (game) => {
    if (await confirmed(t("menu.resign.sure"), t("menu.resign.do"))) await game.move({ type: "resign" });
  },
  next: (game) => game.pace.skip(),
  "close-summary": (game) => game.set({ dismissed: true }),
  head: () => showHead(),
  rest: (game) => game.plan.rest(ownCards(game.model)),
  "no-plan": (game) => game.plan.clear(),
  rematch: (game) => rematch(game),
  "take-back": (game, { dataset }) => tried(game, async () => [await send("POST", `/games/${game.id}/handovers/return`, {}), await game.refresh(Number(dataset.seat))]),
  hint: (game) => hint(game),
  "rules-short": (game) => tried(game, () => rulesInShort(game.model)),
  key: (game, { dataset }, page) => KEYS[dataset.name](game, page),
};

// Bring the site's header back, which is folded away on a small screen, until the focus leaves it.
function showHead() {
  /** @type {HTMLElement | null} */ (document.querySelector(".top a"))?.focus();
}

const FORMS = {
  talk: async (game, form) => {
    const { text } = form.elements;
    if (text.value.trim() && (await game.chat.write(text.value.trim()))) text.value = "";
  },
  rules: (game, form) => game.move({ type: "change_rules", change: form.elements.change.value }),
  handover: async (game, form) => {
    await tried(game, async () => {
      await send("POST", `/games/${game.id}/handovers`, { to: form.elements.to.value.trim() });
      form.reset();
      game.note(t("menu.hand.asked"));
      await game.refresh();
    });
  },
};

// Do something beside the game, and say it if the server refuses.
async function tried(game, work) {
  try {
    await work();
  } catch (error) {
    game.note(error.message, [], "refused");
  }
}

function toggle(game, card) {
  const { marked } = game.model;
  const discard = discardOf(game.model);
  if (!discard?.from.includes(card)) return game.explain({ type: "discard", cards: [...markedCards(game.model), card] });
  game.set({ marked: marked.includes(card) ? marked.filter((other) => other !== card) : [...marked, card], focus: card });
}

// Mark as many more cards as must go, the lowest first.
function markLowest(game) {
  const { from, min } = discardOf(game.model);
  const now = markedCards(game.model);
  const rest = sorted(from.filter((card) => !now.includes(card)), "ranks", null, !game.model.view.rules.reverse);
  game.set({ marked: [...game.model.marked, ...rest.slice(0, Math.max(0, min - now.length))] });
}

// Show the rules in short beside the table. Few ask for them, so their texts are loaded only then.
async function rulesInShort(model) {
  const { rulesElement } = await import("./rules-drawer.js");
  openDrawer(t("menu.rules.short"), rulesElement(model));
}

const hint = (game) =>
  tried(game, async () => {
    const { worlds, options, chosen } = await get(`/games/${game.id}/hint`);
    const same = (option) => JSON.stringify(option.move) === JSON.stringify(chosen);
    const values = { move: moveText(chosen, game.model.view), worlds, best: options.find(same).best };
    game.note(t(worlds ? "menu.hint.said" : "menu.hint.only", values));
  });

const rematch = (game) =>
  tried(game, async () => {
    const { body } = await send("POST", `/games/${game.id}/rematch`, {});
    visit(`/games/${body.board}`);
  });

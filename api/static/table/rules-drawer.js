// The rules in short: two screens made from the rules' value and this hand. The first one says what may be played, and with
// what cards; the second one what the points are, and how this hand scores.

import { face, GAME_COUNT, rankOf, SAME_COLOR, suitOf } from "../base/cards.js";
import { h } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { withTerms } from "../base/terms.js";
import { drawExample, drawParts } from "../house-rules/example-view.js";
import { trumpsOf } from "../house-rules/examples.js";
import { isPlain, namesIn } from "../house-rules/fields.js";
import { deckOf, pointSentence, sentenceOf, totalOf } from "../house-rules/sentences.js";
import { isOwn, pointName, rulesAddress, seatName, sorted } from "./words.js";

const SCREENS = ["play", "points"];

/**
 * Return the rules of the model's table as an element.
 *
 * @param {Page.Model} model
 */
export function rulesElement(model) {
  const rules = { ...model.rules, fixed_trump: model.view.hand?.trump ?? model.rules.fixed_trump };
  const screens = { play: playScreen(model, rules), points: pointsScreen(model, rules) };
  const root = h("div", { class: "rules-short" });
  const show = (name) => {
    for (const each of SCREENS) {
      screens[each].hidden = each !== name;
      const tab = root.querySelector(`#rules-tab-${each}`);
      tab.setAttribute("aria-selected", String(each === name));
      tab.setAttribute("tabindex", each === name ? "0" : "-1");
    }
  };
  const tab = (name) =>
    h("button", { type: "button", role: "tab", id: `rules-tab-${name}`, "aria-controls": `rules-${name}`, onclick: () => show(name) }, t(`rules-short.${name}`));
  const tabs = h("div", { class: "rules-screens", role: "tablist", "aria-label": t("rules-short.parts"), onkeydown: (event) => stepped(event, show) }, SCREENS.map(tab));
  root.append(tabs, screens.play, screens.points, h("p", null, h("a", { href: rulesAddress(model), target: "_blank" }, t("rules-short.all"))));
  show("play");
  return root;
}

function stepped(event, show) {
  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
  const other = event.target.parentElement.querySelector('[aria-selected="false"]');
  event.preventDefault();
  event.stopPropagation();
  show(other.id.replace("rules-tab-", ""));
  other.focus();
}

const screen = (name, ...parts) => h("div", { class: "rules-screen", role: "tabpanel", id: `rules-${name}`, "aria-labelledby": `rules-tab-${name}` }, parts);

/** A part: a heading, sentences in which the words explain themselves, and what shows it. */
const part = (title, sentences, ...shown) => h("section", null, h("h3", null, t(title)), sentences.filter(Boolean).map((text) => h("p", null, withTerms(text))), shown);

const example = (parts) => h("div", { class: "example" }, drawParts(parts));

/** @param {Page.Model} model */
function playScreen(model, rules) {
  const trump = model.view.hand?.trump ?? null;
  const says = (...names) => names.filter((name) => isSaid(name, rules)).map((name) => sentenceOf(name, rules));
  return screen("play",
    part("rules-short.follow", [...says("follow", "opening_lead"), t(rules.follow === "trumps_only" ? "rules-short.takes.trumps" : "rules-short.takes")], playable(model, rules)),
    part("rules-short.trump", [...says("trump", "off", "fill"), rules.reverse ? sentenceOf("reverse", rules) : null],
      trump ? trumpCards(model, rules, trump) : example([{ says: "rules-short.trumps.example", cards: trumpsOf(rules, "H") }])),
    part("rules-short.bids", says("auction.contract", "auction.of", "auction.bids", "auction.dealer", "auction.hook", "auction.moon")),
    rules.changes.menu.length ? part("rules-short.changes", says("changes")) : null);
}

/** Whether a choice matters under these rules, and isn't the usual one that nobody asks about. */
function isSaid(name, rules) {
  if (name === "auction.of") return rules.auction.of !== "listed";
  if (name === "auction.bids") return rules.auction.of === "listed";
  if (["follow", "trump", "changes", "auction.contract"].includes(name)) return true;
  const group = { opening_lead: "play", off: "points", fill: "trump" }[name] ?? "bidding";
  return namesIn(group, rules).includes(name) && !isPlain(name, rules);
}

/** What the own cards may do in the trick on the table, or an example. */
function playable({ view, prefs }, rules) {
  const legal = (view.you?.legal ?? []).filter(({ type }) => type === "play").map(({ card }) => card);
  if (!legal.length) return drawExample("follow", rules);
  const led = view.hand.trick?.plays[0]?.card;
  const cards = sorted(view.you.cards ?? [], prefs.order, view.hand.trump, rules.reverse);
  return example([...(led ? [{ says: "rules.example.led", cards: [led] }] : []), { says: "rules.example.play", cards, lit: legal }]);
}

/** The trumps of this hand from the highest; those that the player holds are lit. */
function trumpCards({ view }, rules, trump) {
  const cards = trumpsOf(rules, trump);
  const held = (view.you?.cards ?? []).filter((card) => cards.includes(card));
  return example([{ says: held.length ? "rules-short.trumps.held" : "rules.example.trumps", cards, ...(held.length ? { lit: held } : {}) }]);
}

/** @param {Page.Model} model */
function pointsScreen(model, rules) {
  const points = rules.tally === "exact" ? null : h("ul", { class: "rules-points" }, rules.points.map((point) => pointRow(point, rules)));
  const says = (name) => (isPlain(name, rules) || !namesIn("score", rules).includes(name) ? null : sentenceOf(name, rules));
  return screen("points",
    points && part("rules-short.points", [t("rules-short.total", { count: totalOf(rules) })], points),
    part("rules-short.scores", [sentenceOf("tally", rules), says("miss"), says("credit"), says("defenders"), says("double")], h("p", { class: "rules-now" }, thisHand(model, rules))),
    part("rules-short.end", [sentenceOf("ending", rules), ownScore(model)]));
}

/** A point with its cards, its sentence and its worth. */
function pointRow(point, rules) {
  const cards = cardsOf(point, rules);
  const isGame = point.award === "count";
  const drawn = h("div", { class: cards.length > 3 ? "example-cards close" : "example-cards", "aria-hidden": "true" },
    cards.map((card) => h("span", { class: "example-card" }, face(card, true), isGame && h("small", null, GAME_COUNT[rankOf(card)]))));
  return h("li", null, drawn, h("span", null, withTerms(pointText(point, rules), { points: true })), h("span", { class: "rules-worth" }, t("rules-short.worth", { count: point.worth })));
}

/** The sentence for a point without its worth, and with its name if that's another word. */
function pointText(point, rules) {
  const text = pointSentence(point, rules).replace(/: [^:]*$/, ".");
  const name = pointName(point.name);
  return text.toLowerCase().includes(name.toLowerCase()) ? text : t("rules-short.named", { name: name.charAt(0).toUpperCase() + name.slice(1), text });
}

/** The cards that show what a point is for. */
function cardsOf({ award, rank, off }, rules) {
  const trump = rules.fixed_trump ?? "H";
  const trumps = trumpsOf(rules, trump).filter((card) => suitOf(card) === trump);
  switch (award) {
    case "highest": return trumps.slice(0, 1);
    case "lowest": return trumps.slice(-1);
    case "card": return [rank + (off ? SAME_COLOR[trump] : trump)];
    case "count": return Object.keys(GAME_COUNT).map((rank, at) => rank + "SHCDS"[at]).filter((card) => deckOf(rules).includes(card));
    case "jokers": return ["X1", "X2"];
    case "first_joker": return ["X1"];
    default: return [];
  }
}

/** How the hand that is played scores, as far as it's known. */
function thisHand(model, rules) {
  const { hand, seats } = model.view;
  if (!hand) return null;
  const own = seats.findIndex((_, seat) => isOwn(model, seat));
  if (rules.tally === "exact") {
    const bid = own < 0 ? null : hand.bids[own];
    return bid === null || bid === undefined ? null : t("rules-short.now.exact", { bid, score: bid + 10, count: bid });
  }
  if (hand.pitcher === null || hand.pitcher === undefined) return null;
  const key = hand.pitcher === own ? "rules-short.now.you" : "rules-short.now";
  return t(key, { name: seatName(model, hand.pitcher), count: hand.bid });
}

function ownScore(model) {
  const { rules, seats } = model.view;
  const own = seats.findIndex((_, seat) => isOwn(model, seat));
  if (own < 0 || !rules.goal) return null;
  const missing = rules.goal - seats[own].score;
  return missing > 0 ? t("rules-short.missing", { count: missing }) : null;
}

define({
  "rules-short.all": "All rules, clause by clause",
  "rules-short.bids": "Bids",
  "rules-short.changes": "Changes",
  "rules-short.end": "The end",
  "rules-short.follow": "Playing a card",
  "rules-short.missing": { one: "You need {count} more point.", other: "You need {count} more points." },
  "rules-short.named": "{name}. {text}",
  "rules-short.now": { one: "In this hand {name} must win {count} point.", other: "In this hand {name} must win {count} points." },
  "rules-short.now.exact": { one: "You bid {bid}: exactly {count} trick scores {score} points.", other: "You bid {bid}: exactly {count} tricks score {score} points." },
  "rules-short.now.you": { one: "In this hand you must win {count} point.", other: "In this hand you must win {count} points." },
  "rules-short.parts": "Rules in short",
  "rules-short.play": "Play",
  "rules-short.points": "Points",
  "rules-short.scores": "How a hand scores",
  "rules-short.takes": "The highest trump takes the trick; without a trump, the highest card of the suit that was led.",
  "rules-short.takes.trumps": "The highest trump takes the trick.",
  "rules-short.total": { one: "A hand has one point.", other: "A hand has {count} points." },
  "rules-short.trump": "Trump",
  "rules-short.trumps.example": "If hearts are trump, from the highest",
  "rules-short.trumps.held": "The trumps from the highest, and those that you hold",
  "rules-short.worth": { one: "{count} point", other: "{count} points" },
});

/**
 * The words of the table, explained where they stand: a button in the line, whose explanation opens by pointing at it, by
 * moving to it with the keyboard, and by a tap.
 */

import { h } from "./dom.js";
import { define, t } from "./messages.js";

/** The words. Those of POINTS have another meaning elsewhere. */
const WORDS = [
  "auction", "dealer", "defenders", "dirty", "clean", "follow", "goal", "hook", "kitty", "lead", "misdeal",
  "moon", "off", "partner", "pass", "pitcher", "privilege", "reversed", "set", "stock", "trick", "trump",
];
const POINTS = ["game", "high", "low", "smudge"];

/**
 * Return a text as nodes in which the words of the table are buttons, each where it stands first. With `points`, the names
 * of points are among them: "game" is one in a list of points alone.
 *
 * @param {string} text
 * @param {{ points?: boolean }} [options]
 * @returns {(string | HTMLElement)[]}
 */
export function withTerms(text, { points = false } = {}) {
  const forms = [...WORDS, ...(points ? POINTS : [])].flatMap((key) => t(`term.${key}.forms`).split(", ").map((form) => [form.toLowerCase(), key]));
  const anyForm = forms.map(([form]) => form).sort((a, b) => b.length - a.length).join("|");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${anyForm})(?![\\p{L}\\p{N}])`, "giu");
  const keyOf = Object.fromEntries(forms);
  const seen = new Set();
  const parts = text.split(pattern);
  return parts.flatMap(/** @returns {(string | HTMLElement)[]} */ (part, at) => {
    const key = at % 2 ? keyOf[part.toLowerCase()] : null;
    if (!key || seen.has(key)) return [part];
    seen.add(key);
    const [end] = /^[^\s\p{L}\p{N}_]*/u.exec(parts[at + 1]);
    parts[at + 1] = parts[at + 1].slice(end.length);
    return [end ? h("span", { class: "term-end" }, term(key, part), end) : term(key, part)];
  });
}

/**
 * Return a word as a button that explains it.
 *
 * @param {string} key
 * @param {string} text
 */
export function term(key, text) {
  const button = h("button", {
    type: "button", class: "term", "data-term": key,
    onpointerenter: (event) => isPointedAt(event) && open(button, key),
    onpointermove: (event) => isPointedAt(event) && open(button, key),
    onpointerleave: ({ pointerType }) => pointerType === "mouse" && document.activeElement !== button && close(),
    onfocus: () => button.matches(":focus-visible") && open(button, key),
    onblur: () => close(),
    onclick: () => open(button, key),
  }, text);
  return button;
}

/** Where the mouse was last. A word that comes to lie under a mouse at rest isn't pointed at. */
let rest = null;

function isPointedAt({ pointerType, screenX, screenY }) {
  return pointerType === "mouse" && !(rest && rest.screenX === screenX && rest.screenY === screenY);
}

document.addEventListener("pointermove", ({ screenX, screenY }) => (rest = { screenX, screenY }), { passive: true });

/** The one explanation that is open at a time. */
let tip = null;
let owner = null;

function open(button, key) {
  if (owner === button && tip?.matches(":popover-open")) return;
  close();
  tip ??= h("div", { class: "term-tip", id: "term-tip", role: "tooltip", popover: "manual" });
  if (!tip.isConnected) {
    document.body.append(tip);
    document.addEventListener("keydown", ({ key: pressed }) => pressed === "Escape" && close());
    document.addEventListener("pointerdown", ({ target }) => owner && !owner.contains(target) && close());
    document.addEventListener("pointerover", () => owner && !owner.isConnected && close());
    document.addEventListener("scroll", () => owner && place(owner.getBoundingClientRect()), { capture: true, passive: true });
  }
  tip.textContent = t(`term.${key}`);
  owner = button;
  button.setAttribute("aria-describedby", tip.id);
  tip.showPopover();
  place(button.getBoundingClientRect());
}

function close() {
  if (!owner) return;
  owner.removeAttribute("aria-describedby");
  owner = null;
  tip.hidePopover();
}

/** Put the explanation below the word; above it in the lower half of the window, where the hand is; and inside the window. */
function place({ left, top, bottom }) {
  const { width, height } = tip.getBoundingClientRect();
  const below = bottom + 6 + height <= innerHeight && (top < innerHeight / 2 || top - height - 6 < 8);
  tip.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  tip.style.top = `${below ? bottom + 6 : Math.max(8, top - height - 6)}px`;
}

// The forms of a word are the ways it's written, in a translation as well.
define({
  "term.auction": "The bidding before the play. It decides who makes trump, or what everybody promises.",
  "term.auction.forms": "auction",
  "term.clean": "While play is clean, the lowest trumps stay with the player who plays them, whoever takes the trick.",
  "term.clean.forms": "clean",
  "term.dealer": "The player who deals. They bid last. The deal goes to the left, hand by hand.",
  "term.dealer.forms": "dealer",
  "term.defenders": "Everybody who plays against the pitcher's side.",
  "term.defenders.forms": "the other side, defenders",
  "term.dirty": "While play is dirty, low cards must be carried: they count for the player who takes their trick.",
  "term.dirty.forms": "dirty",
  "term.follow": "To play a card of the suit that was led.",
  "term.follow.forms": "follow suit, follow",
  "term.game": "The point for the most valuable tricks. A ten counts 10, an ace 4, a king 3, a queen 2, a jack 1; the highest count gets the point.",
  "term.game.forms": "game",
  "term.goal": "The score that wins the game.",
  "term.goal.forms": "goal",
  "term.high": "The point for the highest trump in play.",
  "term.high.forms": "high",
  "term.hook": "The last player to bid may not make the bids add up to the number of tricks. So somebody always misses.",
  "term.hook.forms": "hook",
  "term.kitty": "Cards that lie face down at the deal, for the pitcher.",
  "term.kitty.forms": "kitty",
  "term.lead": "To lead is to play the first card of a trick. The others follow it.",
  "term.lead.forms": "leads, lead, led",
  "term.low": "The point for the lowest trump in play.",
  "term.low.forms": "low",
  "term.misdeal": "A deal that the rules don't accept. The cards are dealt again.",
  "term.misdeal.forms": "misdeal",
  "term.moon": "A bid above all the points. The rules say what it wins and loses.",
  "term.moon.forms": "the moon",
  "term.off": "The card of that rank in the other suit of trump's color. With hearts as trump, the jack of diamonds is the off jack, and a trump.",
  "term.off.forms": "off jack, off ace, off two, off three, off ten, off five, off card",
  "term.partner": "A player of your side. You score together.",
  "term.partner.forms": "partners, partner",
  "term.pass": "Not to bid.",
  "term.pass.forms": "passes, passed, pass",
  "term.pitcher": "The player with the highest bid. They lead first and make trump, and must win what they bid.",
  "term.pitcher.forms": "pitcher",
  "term.privilege": "The dealer's privilege: the dealer takes the hand with a bid that is as high as the highest one. Others must bid more.",
  "term.privilege.forms": "equal bid",
  "term.reversed": "The order of the cards is turned around: the two is the highest card, and the ace the lowest.",
  "term.reversed.forms": "reversed",
  "term.set": "A pitcher is set if they win fewer points than they bid. Then they lose the bid.",
  "term.set.forms": "falls short, set",
  "term.smudge": "The last point of a hand: for all the tricks and all the other points. A bid of all the points is called a smudge, too.",
  "term.smudge.forms": "smudge",
  "term.stock": "The cards that weren't dealt.",
  "term.stock.forms": "stock",
  "term.trick": "One card from each player. The highest trump takes it, or without a trump the highest card of the suit led.",
  "term.trick.forms": "tricks, trick",
  "term.trump": "The suit that beats the others in this hand.",
  "term.trump.forms": "trumps, trump",
});

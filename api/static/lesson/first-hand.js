// A first hand: a recorded hand of Pitch that newcomers play card by card. The page says one thing at a time.

import { face } from "../base/cards.js";
import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { choose } from "../base/settings.js";
import { start } from "../base/shell.js";
import { withTerms } from "../base/terms.js";
import { prefs } from "../live/prefs.js";
import { makePosition } from "../replay/position.js";
import { drawActions } from "../table/actions.js";
import { drawHand } from "../table/hand.js";
import { drawForce } from "../table/headline.js";
import { newModel, trickBefore, withView } from "../table/model.js";
import { drawSeat, drawSeats } from "../table/seats.js";
import { drawLast, drawTrick } from "../table/trick.js";
import { RULES, STEPS } from "./recorded.js";

const PAUSE_MS = 800;
const LAST = STEPS.length - 1;

/**
 * What the page says, in order: at which step of the hand, and the move that the player makes then, if any.
 *
 * @type {{ says: string, at: number, move?: any, shows?: [string, string][] }[]}
 */
const PARTS = [
  { says: "hand", at: 0 },
  { says: "points", at: 0, shows: [["AH", "high"], ["2H", "low"], ["JH", "jack"], ["10S", "game"]] },
  { says: "bid", at: 0, move: { type: "bid", bid: 2 } },
  { says: "pitcher", at: 4 },
  { says: "pitch", at: 4, move: { type: "play", card: "AH" } },
  { says: "first", at: 8 },
  { says: "second", at: 8, move: { type: "play", card: "KH" } },
  { says: "without", at: 12 },
  { says: "keep", at: 12, move: { type: "play", card: "4D" } },
  { says: "lost", at: 16 },
  { says: "ruff", at: 18, move: { type: "play", card: "JH" } },
  { says: "jack", at: 20 },
  { says: "rest", at: 20, move: { type: "play", card: "7C" } },
  { says: "last", at: 25, move: { type: "play", card: "9C" } },
  { says: "scored", at: LAST, shows: [["AH", "high"], ["6H", "low"], ["JH", "jack"]] },
];

void start((main) => {
  choose("firstHand", true);
  document.title = `${t("lesson.title")} · trickbook`;
  const lesson = new Lesson(main);
  lesson.show(0);
});

class Lesson {
  part = 0;
  step = 0;
  timer = null;
  note = "";

  constructor(main) {
    this.zones = { text: h("div", { class: "lesson-text", "aria-live": "polite" }), buttons: h("p", { class: "buttons" }) };
    this.page = h("div", { class: "table-page replay-page lesson-page" },
      h("div", { class: "table-main" }, h("h1", null, t("lesson.title")), makePosition()),
      h("aside", { class: "table-side", "aria-label": t("lesson.says") }, h("div", { class: "panel lesson-panel" }, this.zones.text, this.zones.buttons)));
    this.page.addEventListener("click", ({ target }) => this.clicked(/** @type {Element} */ (target).closest("[data-do]")));
    main.replaceChildren(this.page);
  }

  // Show a part: play the recorded steps up to it first, one after another.
  show(part) {
    Object.assign(this, { part, note: "" });
    this.play();
  }

  play() {
    const isThere = this.step === PARTS[this.part].at;
    this.draw(isThere);
    if (isThere) return;
    this.timer = setTimeout(() => {
      this.step += 1;
      this.play();
    }, PAUSE_MS);
  }

  clicked(button) {
    const { move } = PARTS[this.part];
    if (!button || !move || this.step !== PARTS[this.part].at) return;
    const { dataset } = button;
    const tried = dataset.move ? JSON.parse(dataset.move) : { type: "play", card: dataset.card };
    if (JSON.stringify(tried) !== JSON.stringify(move)) {
      this.note = t("lesson.other");
      return this.draw(true);
    }
    this.step += 1;
    this.show(this.part + 1);
  }

  // Draw the table at the step, and what the page says once the part is reached.
  draw(isThere) {
    const model = modelAt(this.step);
    const drawn = {
      force: () => drawForce(model),
      seats: () => drawSeats(model),
      trick: () => drawTrick(model),
      last: () => drawLast(model),
      own: () => drawSeat(model, 0, "div"),
      hand: () => drawHand(model),
      actions: () => drawActions(model),
    };
    for (const [name, content] of Object.entries(drawn)) replace(this.page.querySelector(`[data-zone="${name}"]`), this.step, content);
    const { says, move, shows } = PARTS[this.part];
    this.page.classList.toggle("my-turn", isThere && Boolean(move));
    replace(this.zones.text, `${this.part} ${isThere} ${this.note}`, () => (isThere ? [
      h("p", { class: "lesson-place" }, t("lesson.place", { part: this.part + 1, parts: PARTS.length })),
      h("p", { class: "lesson-words" }, withTerms(t(`lesson.${says}`), { points: true })),
      shows && h("ul", { class: "lesson-cards" }, shows.map(([card, point]) => h("li", null, h("span", { class: "example-card", "aria-hidden": "true" }, face(card, true)), h("span", null, withTerms(t(`lesson.point.${point}`), { points: true }))))),
      this.note && h("p", { class: "lesson-note" }, this.note),
    ] : h("p", { class: "soft" }, t("lesson.others"))));
    replace(this.zones.buttons, `${this.part} ${isThere}`, () => this.buttons(isThere));
  }

  buttons(isThere) {
    const { move } = PARTS[this.part];
    const leave = h("a", { class: "button", href: "/", "data-key": "leave" }, t("lesson.leave"));
    if (this.part === PARTS.length - 1 && isThere) return [h("a", { class: "button primary", href: "/" }, t("lesson.play")), h("a", { class: "button", href: "/rules/pitch" }, t("lesson.rules"))];
    const next = h("button", { type: "button", class: "button primary", "data-key": "next", onclick: () => this.show(this.part + 1) }, t("lesson.next"));
    return isThere && !move ? [next, leave] : [leave];
  }
}

// The model of a step. A trick that was just taken still lies on the table, and the last step shows the hand that it ended.
function modelAt(step) {
  const { view } = STEPS[step === LAST ? LAST - 1 : step];
  const taken = STEPS[step].facts.some(({ fact }) => fact === "TrickTaken");
  const over = step === LAST ? { ...view, seats: STEPS[LAST].view.seats.map((each, seat) => ({ ...each, count: 0, tricks: view.seats[seat].tricks })), turn: { ...view.turn, seats: [] } } : view;
  const you = t("table.you.short");
  const model = { ...withView({ ...newModel(prefs()), me: { id: "p0", name: you, guest: true }, rules: /** @type {any} */ (RULES) }, /** @type {any} */ ({ ...over, names: { ...over.names, p0: you } })), link: "live" };
  const shown = taken ? trickOf(step) : null;
  return { ...model, before: trickBefore(model), shown, focus: null };
}

// The trick that a step has ended, from the cards that lay there before and those that followed.
function trickOf(step) {
  const before = STEPS[step - 1].view.hand.trick;
  const last = step === LAST ? { number: before.number, seat: 3, plays: [...before.plays, { seat: 2, card: "KD" }] } : STEPS[step].view.hand.last_trick;
  return { number: last.number, leader: last.plays[0].seat, plays: last.plays, taker: last.seat };
}

define({
  "lesson.bid": "Everybody bids once: how many of the points will you win? The ace of hearts is the highest card that hearts can have, and you hold the jack, too. That is worth a bid of 2. Bid 2.",
  "lesson.first": "Nobody beats the ace: the trick is yours. The others had to play a heart. Dee's six of hearts is in it, the lowest trump so far. If no lower one is played, you win low with it.",
  "lesson.hand": "This is your hand. You play Pitch with Bob, Cyd and Dee, and whoever has 11 points first wins the game. This lesson is one hand, and takes five minutes. You can leave at any time.",
  "lesson.jack": "No spade beats a trump. You took the trick, and with it your own jack: one more point.",
  "lesson.keep": "The jack is a point for the player who takes the trick it lies in. Save it for a trick that you win for sure, and lead a low card now: the four of diamonds.",
  "lesson.last": "Dee leads the jack of spades. You have no spade and no trump, so play what is left.",
  "lesson.leave": "Leave",
  "lesson.lost": "The highest diamond takes this trick, as nobody played a trump: Cyd's queen. Whoever takes a trick leads to the next one.",
  "lesson.next": "Next",
  "lesson.other": "You could. But this hand is played already, and goes on as the text says.",
  "lesson.others": "The others play …",
  "lesson.pitch": "Lead the ace of hearts. It makes hearts trump, and nothing beats it.",
  "lesson.pitcher": "The others pass. So you are the pitcher, and must win the 2 points that you bid. You lead first, and the suit of your first card becomes trump.",
  "lesson.place": "{part} of {parts}",
  "lesson.play": "Play a game",
  "lesson.point.game": "Game: the most valuable cards taken. A ten counts 10, an ace 4, a king 3, a queen 2, a jack 1",
  "lesson.point.high": "High: the highest trump in play",
  "lesson.point.jack": "Jack: the jack of trump",
  "lesson.point.low": "Low: the lowest trump in play",
  "lesson.points": "A hand has four points to win, and a fifth for taking everything:",
  "lesson.rest": "Two cards are left, and neither is a trump. They matter for game alone. Lead the seven of clubs.",
  "lesson.ruff": "Cyd leads a spade, and you have none. So you may play any card. A trump beats every spade: play the jack of hearts.",
  "lesson.rules": "Read the rules",
  "lesson.says": "Lesson",
  "lesson.scored": "The hand is over. You won 3 points, and bid 2: you made it, and score all 3. For game, you and Dee took cards worth 20 each, and with a tie nobody gets it. Had you won fewer than 2 points, you would have been set, and lost 2.",
  "lesson.second": "Whoever took the trick leads to the next one. Lead the king of hearts: it is the highest trump now.",
  "lesson.title": "A first hand",
  "lesson.without": "The trick is yours again. Bob had no heart, and a player who can't follow may play any card: he threw a club away.",
});

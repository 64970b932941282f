// How the table moves from one fact to the next: cards are dealt, go to the middle and to the taker, and points go to scores.
//
// Only transform and opacity change, so that the browser moves what it has drawn and draws nothing again.

const CARD_MS = 220;
const GATHER_MS = 280;
const DEAL_MS = 180;
const DEAL_SPREAD_MS = 110; // from the first card that is dealt to the last one
const POINTS_MS = 300;
const OUT = "cubic-bezier(0.2, 0.7, 0.2, 1)";
const IN = "cubic-bezier(0.5, 0, 0.8, 0.4)";
const SPEED = { quick: 0.6 };
const still = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

/**
 * Show how a fact changes the table. Call it before the page is drawn with `after`. The promise that it returns may hold
 * a function: call that once the page is drawn, and wait for the promise that it returns.
 *
 * @param {HTMLElement} page
 * @param {Api.EventEnvelope} fact
 * @param {Page.Model} before
 * @param {Page.Model} after
 * @returns {Promise<void | (() => Promise<unknown>)> | void}
 */
export function animate(page, fact, before, after) {
  const moves = MOVES[fact.fact];
  if (!moves || still?.matches) return undefined;
  const pace = SPEED[/** @type {any} */ (after.prefs).pace] ?? 1;
  return moves({ page, pace, before, after }, fact.data);
}

const MOVES = {
  CardPlayed: playCard,
  TrickTaken: gather,
  HandDealt: deal,
  CardsDealt: dealOwn,
  HandScored: score,
};

// A card goes from the hand, or from the fan of another seat, to its place in the trick.
async function playCard({ page, pace }, { seat, card }) {
  const from = middleOf(page.querySelector(`.own-card[data-card="${card}"]`) ?? placeOf(page, seat));
  return () => {
    const play = page.querySelector(`.trick .play[data-seat="${seat}"]`);
    return moved(play, [{ transform: between(middleOf(play), from), opacity: from?.isCard ? 1 : 0.4 }, { transform: "none", opacity: 1 }], CARD_MS * pace, OUT);
  };
}

// The cards of a trick go to its taker together.
async function gather({ page, pace }, { seat }) {
  const to = middleOf(placeOf(page, seat));
  const plays = [...page.querySelectorAll(".trick .play")];
  const ways = plays.map((play) => between(middleOf(play), to, 0.25)); // measured at once, then moved
  await Promise.all(plays.map((play, at) => moved(play, [{ transform: "none", opacity: 1 }, { transform: ways[at], opacity: 0 }], GATHER_MS * pace, IN, "forwards")));
}

// The backs go from the dealer to each seat.
async function deal({ page, pace }, { dealer }) {
  return () => {
    const from = middleOf(placeOf(page, dealer));
    return dealt([...page.querySelectorAll(".seats .fan")], from, pace);
  };
}

// The own cards go from the dealer to the hand.
async function dealOwn({ page, pace, after }, { seat }) {
  if (seat !== after.seat) return undefined;
  return () => dealt([...page.querySelectorAll("#own-hand .own-card")], middleOf(placeOf(page, after.view.hand?.dealer)), pace);
}

function dealt(cards, from, pace) {
  const ways = cards.map((card) => between(middleOf(card), from, 0.6));
  const step = (DEAL_SPREAD_MS * pace) / Math.max(1, cards.length - 1);
  return Promise.all(cards.map((card, at) => moved(card, [{ transform: ways[at], opacity: 0 }, { transform: "none", opacity: 1 }], DEAL_MS * pace, OUT, "backwards", at * step)));
}

// What each seat won or lost rises from the middle of the table to its score, which swells.
async function score({ page, pace }, { changes }) {
  return () => {
    const middle = middleOf(page.querySelector(".zone-trick"));
    const scores = changes.map((change, seat) => [change, page.querySelector(`[data-seat="${seat}"] .seat-score`)]).filter(([change, at]) => change && at);
    return Promise.all(scores.flatMap(([change, at]) => [fly(at, change, middle, pace), moved(at, [{ transform: "none" }, { transform: "scale(1.5)" }, { transform: "none" }], POINTS_MS * pace, OUT)]));
  };
}

async function fly(at, change, middle, pace) {
  const points = document.createElement("span");
  points.className = "points-fly";
  points.setAttribute("aria-hidden", "true");
  points.textContent = change > 0 ? `+${change}` : `−${-change}`;
  at.append(points);
  await moved(points, [{ transform: between(middleOf(at), middle, 1.6), opacity: 1 }, { transform: "none", opacity: 0 }], POINTS_MS * pace, IN);
  points.remove();
}

// Move an element, and resolve at the end or once the element is drawn anew.
async function moved(element, frames, duration, easing, fill = /** @type {FillMode} */ ("none"), delay = 0) {
  if (!element?.animate) return;
  await element.animate(frames, { duration, easing, fill, delay }).finished.catch(() => {});
}

// Where a seat is: its fan or its plate among the others, or the own one beside the hand.
function placeOf(page, seat) {
  const plate = page.querySelector(`.seat[data-seat="${seat}"]`);
  return plate?.querySelector(".fan") ?? plate;
}

function middleOf(element) {
  const box = element?.getBoundingClientRect();
  return box?.width ? { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width, isCard: element.matches(".own-card") } : null;
}

// The transform that shows what lies at `here` as if it lay at `there`, as large as that if it's a card.
function between(here, there, scale = there?.isCard ? there.width / (here?.width || 1) : 0.4) {
  return here && there ? `translate(${there.x - here.x}px, ${there.y - here.y}px) scale(${scale})` : "none";
}

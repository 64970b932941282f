// What the page knows: the view as the server sent it, and what belongs to this browser alone. The drawing functions get
// this and nothing else.

import { Story } from "./story.js";

/**
 * @typedef {object} Model
 * @property {Page.View | null} view
 * @property {Record<string, string>} names of players, by their ids
 * @property {number | null} seat the own one
 * @property {Api.SessionPlayer | null} me
 * @property {Api.Rules | null} rules as the last fact that holds them says
 * @property {string | null} book the name of the rulebook
 * @property {Story} story
 * @property {Api.Scoreboard | null} board
 * @property {Api.ChatPage | null} chat
 * @property {number} unread messages
 * @property {{ version: number, text: string } | null} about the line that a message is about
 * @property {ReturnType<typeof import("../live/prefs.js").prefs>} prefs
 * @property {string[]} marked cards to throw away
 * @property {string | null} call the suit chosen to call a partner
 * @property {string | null} focus a card
 * @property {{ move: Api.Move, state: string } | null} pending
 * @property {{ text: string, clauses: string[], kind: string } | null} notice
 * @property {number} news
 * @property {string} link
 * @property {{ busy: boolean, failed: string | null, hand: number | null, sent?: any }} cutting
 * @property {{ size: number, wrong: { version: number, why: string } | null, insecure: boolean }} log
 * @property {string} tab
 * @property {Page.Trick | null} shown a trick that was just gathered
 * @property {boolean} busy whether facts are being shown that the player hasn't seen
 * @property {{ kind: string, version: number } | null} summary what the page says before it goes on
 * @property {any} scored what the last HandScored says
 * @property {boolean} dismissed whether the player has put away how the game ended
 * @property {string | null} rematch who asks the player for a rematch of this game
 * @property {string[]} plan own cards to play next, in that order
 * @property {(string | null)[]} presence where the other players are, by seat
 * @property {ReturnType<typeof asItLies> | null} before
 * @property {number} now
 */

/**
 * Return what is known before anything has been loaded.
 *
 * @param {Model["prefs"]} prefs
 * @returns {Model}
 */
export function newModel(prefs) {
  return {
    view: null,
    names: {},
    seat: null,
    me: null,
    rules: null,
    book: null,
    rematch: null,
    story: new Story(),
    board: null,
    chat: null,
    unread: 0,
    about: null,
    prefs,
    marked: [],
    call: null,
    focus: null,
    pending: null,
    notice: null,
    news: 0,
    link: "connecting",
    cutting: { busy: false, failed: null, hand: null },
    log: { size: 0, wrong: null, insecure: !globalThis.crypto?.subtle },
    tab: "scores",
    shown: null,
    busy: false,
    summary: null,
    scored: null,
    dismissed: false,
    plan: [],
    presence: [],
    before: null,
    now: 0,
  };
}

/**
 * Take a view in: keep its names, and forget what was chosen for a turn that is over.
 *
 * @param {Model} model
 * @param {Page.View} view
 * @returns {Model}
 */
export function withView(model, view) {
  const isSameTurn = JSON.stringify(model.view?.you?.choose) === JSON.stringify(view.you?.choose);
  return { ...withState(model, view), names: { ...model.names, ...view.names }, seat: view.you?.seat ?? null, marked: isSameTurn ? model.marked : [] };
}

/**
 * Take the state after a fact in, and what is left of the player's plan. A new hand ends it.
 *
 * @param {Model} model
 * @param {Page.View} view
 * @returns {Model}
 */
export function withState(model, view) {
  const isSameHand = model.view?.hand?.number === view.hand?.number && model.view?.hand?.redeal === view.hand?.redeal;
  const plan = isSameHand ? model.plan.filter((card) => view.you?.cards?.includes(card)) : [];
  return { ...model, view, plan: plan.length === model.plan.length ? model.plan : plan };
}

// Return the last trick of the hand before, for as long as this hand has none.
/** @param {Page.Model} model */
export function trickBefore(model) {
  const { hand } = model.view;
  const last = model.story.tricks.at(-1);
  return hand && last && last.hand < hand.number ? asItLies(model, last) : null;
}

// Return the last trick as { trick, hand }, or null; `hand` is the number of the hand before if it's of that one. While
// cards are shown one after the other, it's the last one before the card that is shown.
/** @param {Page.Model} model */
export function lastTrick(model) {
  const { shown, view, before, story } = model;
  if (!shown?.version) return view.hand?.last_trick ? { trick: view.hand.last_trick, hand: null } : before;
  const last = story.tricks.findLast(({ version }) => version < shown.version);
  return last ? { ...asItLies(model, last), ...(shown.number === 1 ? {} : { hand: null }) } : null;
}

// Where won cards lie face down, they do.
function asItLies({ rules }, { hand, trick }) {
  return { hand, trick: { ...trick, plays: rules?.won_face_down ? [] : trick.plays } };
}

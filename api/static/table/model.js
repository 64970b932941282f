// What the page knows: the view as the server sent it, and what belongs to this browser alone. The drawing functions get
// this and nothing else.

import { Story } from "./story.js";

// Return what is known before anything has been loaded.
export function newModel(prefs) {
  return {
    view: null,
    names: {},
    seat: null,
    me: null,
    rules: null,
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
    before: null,
    now: 0,
  };
}

// Take a view in: keep its names, and forget what was chosen for a turn that is over.
export function withView(model, view) {
  const isSameTurn = JSON.stringify(model.view?.you?.choose) === JSON.stringify(view.you?.choose);
  return { ...model, view, names: { ...model.names, ...view.names }, seat: view.you?.seat ?? null, marked: isSameTurn ? model.marked : [] };
}

// Return the last trick of the hand before, for as long as this hand has none.
export function trickBefore(model) {
  const { hand } = model.view;
  const last = model.story.tricks.at(-1);
  return hand && last && last.hand < hand.number ? asItLies(model, last) : null;
}

// Return the last trick as { trick, hand }, or null; `hand` is the number of the hand before if it's of that one. While
// cards are shown one after the other, it's the last one before the card that is shown.
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

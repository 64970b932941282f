// What this player likes, as the pages' settings keep it.

import { choose, onChoice, setting } from "../base/settings.js";

const NAMES = { cuts: "cut", auto: "autoplay", sound: "sound", four: "fourColors", deck: "deck", felt: "felt", order: "order", ascending: "ascending", pace: "pace" };
const KEYS = { last: "c", scores: "s", turn: "t", hand: "h" };

// Return the choices that the table follows.
export function prefs() {
  const chosen = Object.entries(NAMES).map(([name, kept]) => [name, setting(kept)]);
  return { ...Object.fromEntries(chosen), keys: { ...KEYS, ...setting("keys") } };
}

// Change one choice. Those who follow the settings are called.
export function change(name, value) {
  choose(NAMES[name], value);
}

export { onChoice };

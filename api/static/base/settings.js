/**
 * What a person has chosen for the pages, kept in this browser. Other tabs follow a change at once.
 *
 * The server knows nothing of it: another browser has its own settings.
 */

import { loadText, saveText } from "./storage.js";

const KEY = "trickbook.settings";

/** The settings that there are, with what holds until somebody chooses. */
export const DEFAULTS = Object.freeze({
  theme: "auto", // "auto", "light" or "dark"
  fourColors: false, // clubs green and diamonds blue
  deck: "large", // one of DECKS
  felt: "green", // one of FELTS
  order: "suits", // own cards: one of ORDERS
  ascending: false,
  sound: false,
  autoplay: false, // play the only legal card after a pause that is the same for free cards
  pace: "normal", // how fast facts are shown: one of PACES
  cut: true, // take part in cuts by itself
  notices: false,
  keys: Object.freeze({}), // an action's own key: { last: "c" }
  replayKeys: Object.freeze({}), // the same for the replay: { back: "j" }
  firstHand: false, // whether the first hand was offered or begun
  replayHands: true, // show all hands in a replay, once everybody may see them
  replayPace: "normal", // how fast a replay plays by itself: one of REPLAY_PACES
  replaySkips: true, // step over events that nobody looks at
  rules: Object.freeze({}), // the last options chosen for each variant
});

/** How fast a replay plays by itself. */
export const REPLAY_PACES = Object.freeze(["slow", "normal", "fast"]);

/** The orders of the own cards. */
export const ORDERS = Object.freeze(["suits", "trump", "ranks", "dealt"]);

/** How fast the table shows what happens; "none" shows it at once. */
export const PACES = Object.freeze(["quick", "normal", "slow", "none"]);

/** The decks: with large corners, or as they're printed. */
export const DECKS = Object.freeze(["large", "classic"]);

/** The colors of the felt. */
export const FELTS = Object.freeze(["green", "blue", "plum"]);

const followers = new Set();
let settings = read();

/** Return a setting. */
export const setting = (name) => {
  if (!(name in DEFAULTS)) throw new Error(`There is no setting ${name}.`);
  return settings[name] ?? DEFAULTS[name];
};

/** Keep a setting, and show it. */
export function choose(name, value) {
  setting(name);
  settings = { ...settings, [name]: value };
  saveText(KEY, JSON.stringify(settings)); // if it isn't kept, the choice lasts as long as the page
  changed();
}

/** Call `follower` after each change, in this tab or another; return a function that ends that. */
export function onChoice(follower) {
  followers.add(follower);
  return () => followers.delete(follower);
}

function read() {
  try {
    const found = JSON.parse(loadText(KEY) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

function changed() {
  const { dataset } = document.documentElement;
  const theme = setting("theme");
  if (theme === "auto") delete dataset.theme;
  else dataset.theme = theme;
  if (setting("fourColors")) dataset.colors = "four";
  else delete dataset.colors;
  dataset.deck = setting("deck");
  dataset.felt = setting("felt");
  for (const follower of followers) follower();
}

window.addEventListener("storage", (event) => {
  if (event.key !== KEY) return;
  settings = read();
  changed();
});

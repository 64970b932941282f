// The bar under the table that steps through a game: a slider, and a button for each key. It's made once and then adjusted,
// so that a slider that is being dragged stays.

import { h, replace, s } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { choose, REPLAY_PACES, setting } from "../base/settings.js";
import { keyName, keysNow } from "./keys.js";

const BAR = "M4 4h3v16H4z";
const LEFT = "M18 4v16L7 12z";
const RIGHT = "M6 4v16l11-8z";
const PLAY = ["M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm-2.5 5.5 7.5 4.5-7.5 4.5z"];
const PAUSE = ["M5 4h5v16H5z", "M14 4h5v16h-5z"];
const DRAWN = {
  first: [BAR, LEFT],
  "trick-back": ["M12 4v16L2 12z", "M22 4v16l-10-8z"],
  back: [LEFT],
  forth: [RIGHT],
  play: PLAY,
  "trick-forth": ["M2 4v16l10-8z", "M12 4v16l10-8z"],
  last: ["M17 4h3v16h-3z", RIGHT],
};
const STEPS = { back: ["fact", -1], forth: ["fact", 1], "trick-back": ["trick", -1], "trick-forth": ["trick", 1] };

// Return where an action leads from a moment, or null if it leads nowhere.
export function target(action, log, at) {
  if (action === "play") return at;
  if (action === "first") return at > log.first ? log.first : null;
  if (action === "last") return at < log.size ? log.size : null;
  const [by, way] = STEPS[action];
  return log.step(at, by, way, setting("replaySkips"));
}

// Make the bar. `act(name)` is called for a button, `go(version, isJump)` for the slider and the choice of a hand.
export function makeControls({ act, go }) {
  const slider = h("input", { type: "range", min: 1, max: 1, value: 1, class: "replay-slider", "aria-label": t("replay.slider"), oninput: () => go(Number(slider.value), false) });
  const buttons = Object.fromEntries(Object.keys(DRAWN).map((action) => [action, stepButton(action, act)]));
  const hands = h("select", { id: "replay-hand", onchange: () => go(Number(hands.value), true) });
  const pace = h("select", { id: "replay-pace", onchange: () => choose("replayPace", pace.value) }, REPLAY_PACES.map((each) => h("option", { value: each, selected: each === setting("replayPace") }, t(`replay.pace.${each}`))));
  const jumps = { changes: jumpButton("changes", act), points: jumpButton("points", act) };
  const bar = h(
    "div",
    { class: "replay-bar", role: "group", "aria-label": t("replay.steps") },
    slider,
    h("div", { class: "replay-steps" }, Object.values(buttons)),
    h("div", { class: "replay-jumps" }, h("label", { for: "replay-hand" }, t("replay.hand")), hands, h("label", { for: "replay-pace" }, t("replay.pace")), pace, jumps.points, jumps.changes),
  );
  return { bar, slider, buttons, hands, jumps };
}

function stepButton(action, act) {
  return h("button", { type: "button", class: "button step", "data-key": `step ${action}`, onclick: () => act(action) }, picture(DRAWN[action]));
}

const picture = (shapes) => s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, shapes.map((d) => s("path", { d })));

function jumpButton(name, act) {
  return h("button", { type: "button", class: "button small", "data-key": `jump ${name}`, onclick: () => act(name) }, t(`replay.jump.${name}`));
}

// Adjust the bar to a moment. `text` is the moment in words, `plays` whether it goes on by itself.
export function adjust({ slider, buttons, hands, jumps }, log, at, size, text, plays = false) {
  slider.max = size;
  slider.value = at;
  slider.setAttribute("aria-valuetext", text);
  const keys = keysNow();
  for (const [action, button] of Object.entries(buttons)) {
    const label = t("replay.do", { what: t(`replay.do.${action === "play" && plays ? "pause" : action}`), key: keyName(keys[action]) });
    button.title = label;
    button.setAttribute("aria-label", label);
    enable(button, target(action, log, at) !== null);
  }
  replace(buttons.play, String(plays), () => picture(plays ? PAUSE : PLAY));
  for (const [name, button] of Object.entries(jumps)) enable(button, log.before(at, log[name]) !== null);
  jumps.changes.hidden = log.changes.length === 0;
  adjustHands(hands, log, at);
}

function adjustHands(hands, log, at) {
  replace(hands, `${log.deals.length}`, () => log.deals.map(({ hand, redeal, start }) => h("option", { value: start }, t(redeal ? "replay.hand.again" : "replay.hand.n", { hand, redeal }))));
  hands.selectedIndex = log.deals.indexOf(log.dealAt(at));
}

// A button without use keeps the focus, so that stepping by it doesn't end at the end.
function enable(button, isOn) {
  if (isOn) button.removeAttribute("aria-disabled");
  else button.setAttribute("aria-disabled", "true");
}

define({
  "replay.do": "{what} ({key})",
  "replay.hand": "Hand",
  "replay.hand.again": "{hand}, dealt again ({redeal})",
  "replay.hand.n": "{hand}",
  "replay.jump.changes": "Last change of rules",
  "replay.jump.points": "Last points",
  "replay.pace": "Speed",
  "replay.pace.fast": "fast",
  "replay.pace.normal": "normal",
  "replay.pace.slow": "slow",
  "replay.slider": "Moment of the game",
  "replay.steps": "Steps",
});

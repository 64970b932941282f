// The keys of the replay, which everybody can change; each does what a button does.

import { h, replace } from "../base/dom.js";
import { define, has, t } from "../base/messages.js";
import { choose, setting } from "../base/settings.js";
import { pressed } from "../live/keys.js";

const USUAL = { back: "ArrowLeft", forth: "ArrowRight", "trick-back": "ArrowUp", "trick-forth": "ArrowDown", first: "Home", last: "End", play: "p" };
const FREE = new Set(["Escape", "Tab", "Enter", " "]);

// Return the key of each action, as the player has chosen it.
export function keysNow() {
  const chosen = setting("replayKeys");
  return Object.fromEntries(Object.entries(USUAL).map(([action, key]) => [action, chosen[action] ?? key]));
}

// Return the action of a key that was pressed, or null. The slider takes the same keys; other fields keep theirs.
export function actionOf(event) {
  const isSlider = event.target.matches?.("input[type=range], input[type=checkbox]");
  if (!isSlider || event.ctrlKey || event.metaKey || event.altKey) return pressed(event, keysNow());
  return Object.entries(keysNow()).find(([, key]) => key === event.key)?.[0] ?? null;
}

// Return a key as it's written on keyboards.
export function keyName(key) {
  return has(`key.name.${key}`) ? t(`key.name.${key}`) : (SIGNS[key] ?? key);
}

const SIGNS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

// Draw the keys with buttons that change them. `changed` is called after a change.
export function drawKeyChoices(changed) {
  const zone = h("div", null);
  const draw = () => {
    replace(zone, null, h("ul", { class: "replay-keys" }, Object.entries(keysNow()).map(([action, key]) => row(action, key, () => [draw(), changed()]))));
  };
  draw();
  return zone;
}

function row(action, key, done) {
  const button = h("button", { type: "button", class: "button small", "data-key": `change ${action}`, onclick: () => listen(button, action, done) }, t("replay.key.change"), h("span", { class: "hidden-text" }, ` ${t(`replay.do.${action}`)}`));
  return h("li", null, h("kbd", null, keyName(key)), h("span", null, t(`replay.do.${action}`)), button);
}

function listen(button, action, done) {
  replace(button, null, t("replay.key.press"));
  const end = () => {
    button.removeEventListener("keydown", take);
    done();
  };
  const take = (event) => {
    event.preventDefault();
    event.stopPropagation();
    const isTaken = Object.entries(keysNow()).some(([other, key]) => other !== action && key === event.key);
    if (!FREE.has(event.key) && !isTaken) choose("replayKeys", { ...setting("replayKeys"), [action]: event.key });
    button.removeEventListener("blur", end);
    end();
  };
  button.addEventListener("keydown", take);
  button.addEventListener("blur", end, { once: true });
}

define({
  "key.name.End": "End",
  "key.name.Home": "Home",
  "replay.do.back": "one step back",
  "replay.do.first": "to the beginning",
  "replay.do.forth": "one step on",
  "replay.do.last": "to the end",
  "replay.do.pause": "pause",
  "replay.do.play": "play by itself",
  "replay.do.trick-back": "one trick back",
  "replay.do.trick-forth": "one trick on",
  "replay.key.change": "Change",
  "replay.key.press": "Press a key",
});

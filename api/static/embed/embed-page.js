/** A finished hand in a page of another site, trick by trick, checked in the reader's browser. No cookie goes with its requests. */

import { ownPath } from "../base/address.js";
import { h } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { checkHand } from "./checks.js";
import { makeControls } from "../replay/controls.js";
import { makeEmbed } from "./embed-frame.js";
import { EmbeddedHand } from "./embedded-hand.js";
import { explainGrade } from "../replay/grade.js";
import { actionOf } from "../replay/keys.js";
import { openGet, openText } from "./open-net.js";

const [, , , game, , number] = ownPath().split("/");
const main = document.getElementById("main");

void show();

async function show() {
  try {
    const view = await openGet(`/games/${game}`);
    const found = await openGet(`/games/${game}/hands/${number}`);
    if (!found.revealed || found.status === "live") return say("embed.later");
    const record = await openText(`/games/${game}/export`);
    const hand = EmbeddedHand.of(view, found, record);
    if (!hand) return say("embed.broken");
    await draw(hand, record);
  } catch (error) {
    say(error.status === 404 ? "embed.absent" : "embed.failed", error);
  }
}

async function draw(hand, record) {
  const controls = makeControls({ act: (action) => hand.act(action), go: (version) => hand.go(version) });
  const frame = makeEmbed(hand, controls);
  hand.drawn = frame.draw;
  main.replaceChildren(frame.page);
  document.addEventListener("keydown", (event) => {
    const action = document.querySelector("dialog[open]") ? null : actionOf(event);
    if (!action) return;
    event.preventDefault();
    hand.act(action);
  });
  frame.page.addEventListener("click", ({ target }) => {
    const grade = /** @type {HTMLElement} */ (target).closest("[data-grade]");
    if (grade) void explainGrade(grade);
  });
  hand.draw();
  frame.showCheck(await checkHand(hand, record));
}

function say(key, error = null) {
  if (error && error.status === undefined) console.error(error);
  main.replaceChildren(h("section", { class: "state" }, h("h1", null, t(`${key}.title`)), h("p", null, t(key))));
}

define({
  "embed.absent": "There is no such hand, or not everybody may see it.",
  "embed.absent.title": "No hand to show",
  "embed.broken": "The record that the server sends doesn't hold this hand whole, so nothing of it is shown.",
  "embed.broken.title": "Something is wrong with this game",
  "embed.failed": "The server of this game didn't answer. Load the page again later.",
  "embed.failed.title": "The hand can't be loaded",
  "embed.later": "This hand can be shown once it's over and its cards are revealed.",
  "embed.later.title": "Not yet",
});

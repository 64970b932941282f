// The page of an embedded hand: the check, the moment in words, the bar, and the table with all hands open.

import { addressOf } from "../base/address.js";
import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { drawForce } from "../table/headline.js";
import { drawResult } from "../table/news.js";
import { drawSeats } from "../table/seats.js";
import { drawLast, drawTrick } from "../table/trick.js";
import { sorted } from "../table/words.js";
import { NOBODY } from "../replay/address.js";
import { adjust } from "../replay/controls.js";
import { modelAt } from "../replay/moment.js";
import { factText } from "../replay/words.js";

// Make the page of a hand. It returns { page, draw, showCheck }.
export function makeEmbed(hand, controls) {
  const { board, variant } = hand.view;
  const zone = (name) => h("div", { class: `zone zone-${name}`, "data-zone": name });
  const check = h("section", { class: "embed-check", role: "status", "data-check": "" }, h("p", null, h("strong", null, t("embed.check.running"))));
  const now = h("p", { class: "replay-now", "aria-live": "polite", "data-say": "" });
  const link = h("a", { target: "_blank", rel: "noopener" }, t("embed.open"));
  const heading = t("embed.heading", { hand: hand.number, board, variant: t(`embed.variant.${variant}`) });
  document.title = `${heading} · trickbook`;
  const page = h(
    "div",
    { class: "table-page replay-page embed-page watched" },
    h("div", { class: "replay-top" }, h("h1", null, heading), link),
    h("div", { class: "zone-moment" }, now),
    controls.bar,
    zone("force"),
    h("div", { class: "felt" }, zone("seats"), zone("trick"), h("div", { class: "felt-foot" }, zone("last"), zone("result"))),
    check,
  );
  const showCheck = (result) => drawCheck(check, result);
  const draw = () => drawMoment({ page, now, link, controls, showCheck }, hand);
  return { page, draw, showCheck };
}

function drawMoment({ page, now, link, controls, showCheck }, hand) {
  const { shown, log, range, at } = hand;
  const model = openModel(hand);
  const text = hand.trouble ? t("embed.trouble") : factText(log.telling(at), model);
  if (now.textContent !== text) now.textContent = text;
  link.href = addressOf(`/games/${hand.view.board}/replay?at=${at}&seat=${NOBODY}`);
  controls.slider.min = range.first;
  adjust(controls, range, at, range.size, text);
  const fill = (name, drawn) => replace(page.querySelector(`[data-zone="${name}"]`), String(shown.version), drawn);
  fill("force", () => drawForce(model));
  fill("seats", () => drawSeats(model));
  fill("trick", () => drawTrick(model));
  fill("last", () => drawLast(model));
  fill("result", () => drawResult(model));
  if (!hand.agrees(shown)) showCheck({ look: "wrong", title: t("embed.check.wrong"), lines: [t("embed.check.mismatch")] });
}

// The model of the moment, with every seat's cards open: they are those of the record, not of the server's view.
function openModel(hand) {
  const model = modelAt(hand.shown, hand.log);
  const held = hand.cardsAt(hand.shown.version);
  const sees = Object.fromEntries(held.map((cards, seat) => [seat, sorted(cards, "suits", null)]));
  return { ...model, view: { ...model.view, you: /** @type {Api.OwnSeat} */ ({ sees }) } };
}

// Show the result of the check. What was found wrong stays.
function drawCheck(zone, { look, title, lines }) {
  if (zone.classList.contains("wrong")) return;
  zone.className = `embed-check ${look}`.trim();
  replace(zone, null, [h("p", null, h("strong", null, title)), h("ul", null, lines.map((line) => h("li", null, line)))]);
}

define({
  "embed.heading": "{variant}: hand {hand} of board {board}",
  "embed.open": "Open the game",
  "embed.trouble": "The server didn't answer. Step again.",
  "embed.variant.blackout": "Blackout",
  "embed.variant.cinch": "Cinch",
  "embed.variant.corellian": "Corellian Pitch",
  "embed.variant.four-point-kitty": "Four-point Pitch with a kitty",
  "embed.variant.oh-hell": "Oh Hell",
  "embed.variant.oh-hell-minus": "Oh Hell, misses cost",
  "embed.variant.oh-hell-tricks": "Oh Hell, each trick scores",
  "embed.variant.pedro": "Pedro",
  "embed.variant.pitch": "Pitch",
  "embed.variant.setback": "Setback",
  "embed.variant.setback-21": "Setback to 21",
  "embed.variant.seven-point": "Seven-point Pitch",
  "embed.variant.smear": "Smear",
  "embed.variant.ten-point": "Ten-point Pitch",
  "embed.variant.ten-point-five": "Ten-point Pitch for five",
  "embed.variant.ten-point-pairs": "Ten-point Pitch in three pairs",
  "embed.variant.ten-point-teams": "Ten-point Pitch in teams",
  "embed.variant.thirteen-point": "Thirteen-point Pitch",
});

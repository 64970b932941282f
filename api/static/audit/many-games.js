// A file of many games: each is checked, and one can be chosen to see its whole report.

import { h } from "../base/dom.js";
import { t } from "../base/messages.js";
import { NotAnExport } from "../verify/verify.js";
import { checkGame } from "../check/check.js";
import { mark } from "./marks.js";
import { seatNames } from "./names.js";
import { verdictOf } from "./report-view.js";

const VARIANTS = {
  pitch: "gamerz Pitch", setback: "Setback", blackout: "Blackout", corellian: "Corellian Pitch",
  "ten-point": "Ten-point Pitch", "ten-point-five": "Ten-point Pitch for five",
  "ten-point-teams": "Ten-point Pitch in teams", "ten-point-pairs": "Ten-point Pitch in three pairs",
  "seven-point": "Seven-point Pitch", "thirteen-point": "Thirteen-point Pitch", smear: "Smear", pedro: "Pedro",
  cinch: "Cinch", "four-point-kitty": "Four-point Pitch with a kitty", "setback-21": "Setback to 21",
  "oh-hell": "Oh Hell", "oh-hell-tricks": "Oh Hell, each trick scores", "oh-hell-minus": "Oh Hell, misses cost",
  house: "House rules",
};

// Return {node, counted} for the games. `goesOn(done)` is asked before each and may end it; `choose(data)` shows one.
export async function manyGames(games, kept, goesOn, choose) {
  const looks = [];
  const items = [];
  for (const [at, data] of games.entries()) {
    if (!(await goesOn(at))) break;
    const { look, text, open } = await glance(data, at + 1, kept);
    looks.push(look);
    items.push(
      h(
        "li",
        null,
        mark(look),
        open ? h("button", { type: "button", class: "link", onclick: () => choose(data) }, text) : text,
      ),
    );
  }
  const count = (look) => looks.filter((each) => each === look).length;
  const counted = t("many.counted", { right: count("right"), wrong: count("wrong"), other: count("waits") });
  const title = t("many.title", { count: games.length, counted });
  return {
    counted,
    node: h(
      "section",
      { class: "panel part", id: "many", tabindex: "-1", "aria-labelledby": "many-title" },
      h("h2", { id: "many-title" }, title),
      h("p", null, t("many.says")),
      h("ol", { class: "games" }, items),
    ),
  };
}

async function glance(data, place, kept) {
  try {
    const checked = await checkGame(data, kept);
    const { look, title } = verdictOf(checked);
    return { look, open: true, text: `${gameTitle(checked, seatNames(checked.record))}: ${title}` };
  } catch (error) {
    if (!(error instanceof NotAnExport)) throw error;
    return { look: "waits", open: false, text: t("many.unreadable", { place, says: error.message }) };
  }
}

// Return which game it is: board, variant and players.
export function gameTitle({ report }, who) {
  const variant = Object.hasOwn(VARIANTS, report.variant) ? VARIANTS[report.variant] : report.variant;
  const values = { board: String(report.board), variant: String(variant), names: who };
  return t(who.length ? "game.title" : "game.title-alone", values);
}

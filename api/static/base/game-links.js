/** The pages about one game, and links between them in the same words on each. */

import { h } from "./dom.js";
import { define, t } from "./messages.js";

/** The pages, in their order. */
export const GAME_PAGES = ["table", "replay", "score", "audit", "disputes", "text"];

define({
  "game-links": "Pages of this game",
  "game-links.audit": "Check board\u00a0{board}",
  "game-links.disputes": "Disputes",
  "game-links.replay": "Replay",
  "game-links.score": "Scores",
  "game-links.table": "Table",
  "game-links.text": "Table as text",
});

/** Return a link to a page of a game. */
export const gameLink = (page, board, attrs = {}) =>
  h("a", { href: page === "table" ? `/games/${board}` : `/games/${board}/${page}`, ...attrs }, t(`game-links.${page}`, { board: String(board) }));

/** Return the links to all pages of a game, of which `here` is the present one. */
export const gameLinks = (here, board) =>
  h("nav", { class: "game-links", "aria-label": t("game-links") },
    h("ul", null, GAME_PAGES.map((page) => h("li", null, gameLink(page, board, { "aria-current": page === here && "page" })))));

/** A player's page: running games, figures by variant, games against the visitor, and the history. */

import { ownPath } from "../base/address.js";
import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { get } from "../base/net.js";
import { start } from "../base/shell.js";
import { playerSections } from "../score/history.js";
import { gameRow } from "./lobby-rows.js";
import { variants } from "./words.js";

const RUNNING = 25;
const INVISIBLE = /\p{Cf}/gu; // no name has them, but an address can turn the text around with one

void start(async (main, session) => {
  const name = decodeURIComponent(ownPath().split("/")[2]).replace(INVISIBLE, "");
  document.title = `${name} · trickbook`;
  const { items } = await variants();
  const [active, record] = await Promise.all([
    get(`/games?player=${encodeURIComponent(name)}&status=active&limit=${RUNNING}`),
    playerSections(name, session.player, items).catch(absent),
  ]);
  replace(main, "player", [h("h1", null, name), h("div", { class: "settings" }, record ? [running(active, { items, name, me: session.player }), record] : h("p", { class: "empty" }, t("player.absent")))]);
});

/** Return null for a player who doesn't exist. */
function absent(error) {
  if (error.status === 404) return null;
  throw error;
}

/** The running games, to the player themselves as in the lobby. Nobody plays with themselves, so their name is left out. */
function running({ items: games, names, rulebooks: books }, { items, name, me }) {
  const player = me?.name === name ? me : null;
  const self = Object.keys(names).find((id) => names[id] === name) ?? null;
  return h("section", { class: "panel" }, h("h2", null, t("player.active")),
    games.length ? h("ul", { class: "rows" }, games.map((game) => gameRow(game, names, { items, player, books, self }))) : h("p", { class: "empty" }, t(player ? "player.none.own" : "player.none")));
}

define({
  "player.absent": "There is no player with this name.",
  "player.active": "Running games",
  "player.none": "None that you may see.",
  "player.none.own": "None now.",
});

/** A player's page: running games, figures by variant, games against the visitor, and the history. */

import { ownPath } from "../base/address.js";
import { personName } from "../base/bots.js";
import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { ask, get } from "../base/net.js";
import { start } from "../base/shell.js";
import { playerSections } from "../score/history.js";
import { actionButton } from "./forms.js";
import { gameRow } from "./lobby-rows.js";
import { variants } from "./words.js";

const RUNNING = 25;
const INVISIBLE = /\p{Cf}/gu; // no name has them, but an address can turn the text around with one

void start(async (main, session) => {
  const name = decodeURIComponent(ownPath().split("/")[2]).replace(INVISIBLE, "");
  document.title = `${name} · trickbook`;
  const { items } = await variants();
  const isUser = session.player && !session.player.guest;
  const isOther = session.player && session.player.name !== name;
  const [seating, active, record] = await Promise.all([
    isUser ? get("/me/seating") : null,
    get(`/games?player=${encodeURIComponent(name)}&status=active&limit=${RUNNING}`),
    playerSections(name, session.player, items).catch(absent),
  ]);
  replace(main, "player", [h("h1", null, personName(name)), record && isOther && people(name, seating), record && !isOther && seating?.friends.length > 0 && friends(seating.friends), h("div", { class: "settings" }, record ? [running(active, { items, name, me: session.player }), record] : h("p", { class: "empty" }, t("player.absent")))]);
});

/** What the visitor can do: challenge the player, and call them a friend, who may then seat the visitor without asking. */
function people(name, seating) {
  const zone = h("div", null);
  const has = () => seating.friends.includes(name);
  const change = async () => {
    const others = seating.friends.filter((each) => each !== name);
    seating = (await ask("PUT", "/me/seating", { body: { at_once: seating.at_once, friends: has() ? others : [...others, name] } })).body;
    draw();
  };
  const draw = () =>
    replace(zone, null, [
      h("p", { class: "buttons" }, h("a", { class: "button primary", href: `/new#player=${encodeURIComponent(name)}` }, t("player.challenge")), seating && actionButton(t(has() ? "player.unfriend" : "player.friend"), change, { id: "friend" })),
      seating && h("p", { class: "hint friend-hint" }, t(has() ? "player.is-friend" : "player.friend-hint", { name }))]);
  draw();
  return zone;
}

/** The own friends, on the own page. */
const friends = (names) =>
  h("section", { class: "panel" }, h("h2", null, t("player.friends")),
    h("ul", { class: "rows" }, names.map((each) => h("li", { class: "row" }, h("span", { class: "title" }, h("a", { href: `/players/${encodeURIComponent(each)}` }, each)), h("span", { class: "action" }, h("a", { class: "button small", href: `/new#player=${encodeURIComponent(each)}` }, t("player.challenge"), h("span", { class: "hidden-text" }, ` ${each}`)))))));

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
  "player.challenge": "Challenge",
  "player.friend": "Add to my friends",
  "player.friend-hint": "A friend may seat you at a table without asking.",
  "player.friends": "Friends",
  "player.is-friend": "{name} may seat you at a table without asking.",
  "player.unfriend": "Remove from my friends",
  "player.none": "None that you may see.",
  "player.none.own": "None now.",
});

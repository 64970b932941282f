/** The seats of a new table: the player's own, named players, bots, open seats and invitations. */

import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { botKind, personName } from "../base/bots.js";

/** The seat of a stranger, who becomes a guest when the table is made. No player has this name. */
export const ME = "@me";

/** Return the name of the player's own seat: ME for a stranger, null if strangers can't play. */
export const ownName = ({ player, guests }) => player?.name ?? (guests ? ME : null);

/** Return { node, value(), resize(count) }; `value()` is the list of seats as the server takes it, or ME. */
export function seatFields(session, bots) {
  const zone = h("div", null);
  let seats = [];
  const draw = (kinds) => {
    seats = kinds.map((kind, at) => seatField(at, kind, session, bots));
    replace(zone, null, seats.map((each) => each.node));
  };
  const value = () => seats.map((seat) => seat.value());
  const resize = (count, kinds = value()) => draw(Array.from({ length: count }, (_, at) => kinds[at] ?? ((at === 0 && ownName(session)) || bots[0])));
  return { node: zone, value, resize };
}

function seatField(at, kind, session, bots) {
  const own = ownName(session);
  const label = t("seat.number", { number: at + 1 });
  const begin = kind === own && own ? "me" : kind === "open" || kind === "invite" || bots.includes(kind) ? kind : "player";
  const name = h("input", { type: "text", maxlength: 32, autocapitalize: "none", spellcheck: "false", placeholder: t("seat.name"), "aria-label": t("seat.name-of", { number: at + 1 }), value: begin === "player" ? kind : "", hidden: begin !== "player" });
  const choices = [own && ["me", own === ME ? t("seat.guest") : t("seat.me", { name: personName(own) })], ["open", t("seat.open")], ["invite", t("seat.invite")], ["player", t("seat.player")], ...bots.map((bot) => [bot, t("seat.bot", { kind: botKind(bot.slice(4)) })])];
  const select = h("select", { "aria-label": label, onchange: () => name.toggleAttribute("hidden", select.value !== "player") }, choices.filter(Boolean).map(([value, text]) => h("option", { value, selected: value === begin }, text)));
  const value = () => (select.value === "me" ? own : select.value === "player" ? name.value.trim() : select.value);
  return { node: h("div", { class: "seat-row" }, h("span", { class: "seat-name", "aria-hidden": "true" }, label), select, name), value };
}

define({
  "seat.bot": "A {kind} bot",
  "seat.guest": "You, as a guest",
  "seat.invite": "Somebody with a link",
  "seat.me": "You, {name}",
  "seat.name": "Name",
  "seat.name-of": "Name of the player at seat {number}",
  "seat.number": "Seat {number}",
  "seat.open": "Anybody who comes",
  "seat.player": "A player by name",
});

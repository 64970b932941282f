/** A table before the deal: its seats, taking and leaving them, invitations, starting with bots. */

import { addressOf, ownPath, visit, wholeAddressOf } from "../base/address.js";
import { h, replace } from "../base/dom.js";
import { ago, define, t } from "../base/messages.js";
import { ask, get, send } from "../base/net.js";
import { showFailure } from "../base/shell.js";
import { followInbox } from "../base/stream.js";
import { actionButton } from "./forms.js";
import { labelOf, optionWords, saysOf } from "./option-texts.js";
import { somebody } from "./play-now.js";
import "./table-fields.js";
import { HOUSE, nameOf, titleOf, variants } from "./words.js";

const LOOK_MS = 3_000;
const BOT = "bot:simple";

/**
 * Show a table that forms, and keep it up to date; return a promise of the table when it has become a game, or of null when
 * the invitation is no longer valid. `invitation` is the token of a link.
 */
export async function showForming(main, first, session, invitation = null) {
  const [{ items }, book] = await Promise.all([variants(), bookOf(first)]);
  const zone = h("div", null);
  main.classList.add("padded");
  replace(main, null, zone);
  return new Promise((resolve) => {
    let isSeated = false;
    const draw = (table) => {
      if (table.status !== "forming" && table.status !== "closing") {
        stop();
        if (table.status === "cancelled" || table.status === "lapsed") return ended(zone, table);
        main.classList.remove("padded");
        scrollTo(0, 0); // the table is another page
        return resolve(table);
      }
      isSeated = Boolean(ownSeat(table, session));
      replace(zone, JSON.stringify([table, session.player]), () => page(table, { items, book, session, invitation, draw, update }));
    };
    const update = async () => {
      try {
        draw(await get(invitation && !isSeated ? `/invitations/${invitation}` : `/games/${first.id}`));
      } catch (error) {
        if (error.status !== 404) return; // the next look may succeed
        stop();
        main.classList.remove("padded");
        if (invitation) resolve(null);
        else showFailure(zone, error, () => location.reload());
      }
    };
    const timer = setInterval(() => document.hidden || void update(), LOOK_MS);
    const unfollow = session.player ? followInbox(update) : () => {};
    const stop = () => {
      clearInterval(timer);
      unfollow();
    };
    draw(first);
  });
}

/** @param {Api.NamedTable} table */
function page(table, context) {
  const { items, book, session } = context;
  const mine = ownSeat(table, session);
  return [
    h("h1", null, t("forming.title", { title: book?.name ?? titleOf(items, table.variant), board: String(table.board) })),
    h("p", { class: "soft" }, table.opener === session.player?.id ? null : [t("forming.by", { name: nameOf(table.opener, table.names) }), " "], t("forming.text"), " ", t("forming.expires", { when: ago(table.expires) })),
    h("ol", { class: "chairs" }, table.seats.map((seat) => chair(seat, table, session))),
    h("div", { class: "columns" }, h("div", null, table.opener === session.player?.id ? invitations(table) : null, buttons(table, mine, context)), rules(table, items, book)),
  ];
}

/** @param {Api.NamedTable} table */
const ownSeat = (table, { player }) => table.seats.find((seat) => player && seat.player === player.id);

const chair = (seat, table, session) =>
  h("li", { class: seat.state === "claimed" ? "chair" : "chair open" },
    h("span", { class: "soft" }, t("forming.seat", { number: seat.seat + 1 })),
    h("strong", null, seat.player ? nameOf(seat.player, table.names) : t(`forming.free.${seat.state}`)),
    h("span", { class: "soft" }, seat.player && seat.player === session.player?.id ? t("forming.you") : t(`forming.state.${seat.state}`)));

/** @param {Api.NamedTable} table */
function buttons(table, mine, { session, invitation, draw, update }) {
  const claim = async () => {
    await somebody(session);
    draw(await claimed(table, invitation));
    if (!session.player) location.reload();
  };
  const leave = async () => {
    await ask("DELETE", `/games/${table.id}/seats/current`);
    await update();
  };
  const begin = async () => draw((await send("POST", `/games/${table.id}/start`, { bots: BOT })).body);
  const cancel = async () => {
    await ask("DELETE", `/games/${table.id}`);
    visit("/");
  };
  const opener = session.player?.id === table.opener;
  const free = table.seats.some((seat) => seat.state === "open" || (invitation && seat.state === "invite"));
  const may = session.player || session.guests;
  return h("p", { class: "buttons" },
    mine?.state === "asked" && [actionButton(t("forming.accept"), claim, { kind: "primary" }), actionButton(t("forming.decline"), leave)],
    !mine && free && may && actionButton(t("forming.claim"), claim, { kind: "primary large" }),
    !mine && free && !may && h("a", { class: "button primary", href: `/sign-in#${encodeURIComponent(ownPath() + location.hash)}` }, t("forming.sign-in")),
    !mine && free && may && !session.player && session.registration && h("a", { class: "button large", href: `/sign-up#${encodeURIComponent(ownPath() + location.hash)}` }, t("forming.named")),
    opener && actionButton(t("forming.start"), begin, { kind: "primary" }),
    mine?.state === "claimed" && !opener && actionButton(t("forming.leave"), leave),
    opener && actionButton(t("forming.cancel"), cancel, { kind: "danger" }));
}

/** Take the seat; a repeated request gets the same seat. */
const claimed = async (table, invitation) => (await ask("POST", `/games/${table.id}/seats`, { body: invitation ? { invitation } : {} })).body;

/**
 * Links that let people sit down, for the opener. A link is shown once, when it's made.
 *
 * @param {Api.NamedTable} table
 */
function invitations(table) {
  const place = h("div", null);
  const free = table.seats.filter((seat) => seat.state === "invite" || seat.state === "open" || seat.state === "asked").length;
  const make = async () => {
    const { body } = await ask("POST", `/games/${table.id}/invitations`, { body: { uses: Math.max(1, free) } });
    const link = wholeAddressOf(`/join#${body.token}`);
    const said = h("span", { role: "status", class: "hint" });
    const copy = () => navigator.clipboard?.writeText(link).then(() => replace(said, null, t("invite.copied")), () => {});
    replace(place, null, [
      h("div", { class: "link-box" }, h("input", { type: "text", readonly: true, value: link, "aria-label": t("invite.link"), onfocus: (event) => event.target.select() }), h("button", { type: "button", class: "button", onclick: copy }, t("invite.copy"))),
      h("p", { class: "hint" }, t("invite.uses", { count: body.uses }), " ", t("forming.expires", { when: ago(body.expires) })), said]);
  };
  if (location.hash === "#invite") {
    history.replaceState(null, "", addressOf(ownPath())); // once, since each link is another one
    void make().then(() => place.scrollIntoView({ block: "center" }), () => {});
  }
  return h("section", { class: "panel block" }, h("h2", null, t("invite.title")), h("p", { class: "soft" }, t("invite.text")), place, h("p", { class: "buttons" }, actionButton(t("invite.make"), make)));
}

/** @param {Api.NamedTable} table */
const rules = (table, items, book) =>
  h("section", { class: "panel block" }, h("h2", null, t("forming.rules")),
    h("dl", { class: "facts" }, table.variant === HOUSE && [h("dt", null, t("variant.house")), h("dd", null, book?.name ?? "–")], Object.entries(table.variant === HOUSE ? {} : table.options).map(([name, value]) => [h("dt", null, labelOf({ name })), h("dd", null, chosenWords(name, value), saidOf(items, table.variant, name))]),
      table.undo && [h("dt", null, t("table.undo")), h("dd", null, t(`table.undo.${table.undo}`))],
      h("dt", null, t("table.cuts")), h("dd", null, t(`table.cuts.${table.fairness.cuts}`)),
      h("dt", null, t("table.watch")), h("dd", null, t(!table.watch.public ? "table.watch.private" : table.watch.delay ? "table.watch.delayed" : "table.watch.public"))),
    h("p", { class: "buttons" }, h("a", { class: "button small", href: table.variant === HOUSE ? `/house-rules#${table.options.rulebook}` : `/rules/${table.variant}` }, t("forming.sheet"))));

/**
 * Return the rulebook of a table, or null.
 *
 * @param {Api.NamedTable} table
 */
const bookOf = ({ variant, options }) => (variant === HOUSE ? get(`/rulebooks/${options.rulebook}`).catch(() => null) : null);

const chosenWords = (name, value) => (typeof value === "object" && value !== null ? t("forming.drawn") : optionWords(name, value));

const saidOf = (items, variant, name) => {
  const option = items.find((each) => each.name === variant)?.options.find((each) => each.name === name);
  const says = option && saysOf(option);
  return says && h("p", { class: "hint" }, says);
};

const ended = (zone, table) =>
  replace(zone, "ended", h("section", { class: "state" }, h("h1", null, t(`forming.${table.status}`)), h("p", null, t("forming.ended")), h("p", { class: "buttons" }, h("a", { class: "button primary", href: "/" }, t("page.lobby")))));

define({
  "forming.accept": "Sit down",
  "forming.by": "{name} made this table.",
  "forming.cancel": "Cancel the table",
  "forming.cancelled": "This table was cancelled",
  "forming.claim": "Sit down here",
  "forming.decline": "Decline",
  "forming.drawn": "drawn by the table",
  "forming.ended": "Nothing was dealt.",
  "forming.expires": "Expires {when}.",
  "forming.free.asked": "Somebody who is asked",
  "forming.free.invite": "Free, with a link",
  "forming.free.open": "Free",
  "forming.lapsed": "This table has lapsed",
  "forming.leave": "Leave the seat",
  "forming.named": "Sign up first, so that the others know you",
  "forming.rules": "What is played",
  "forming.seat": "Seat {number}",
  "forming.sheet": "The rules",
  "forming.sign-in": "Sign in to sit down",
  "forming.start": "Start now, with bots in the free seats",
  "forming.state.asked": "is asked",
  "forming.state.claimed": "sits",
  "forming.state.invite": "for somebody with a link",
  "forming.state.open": "for anybody",
  "forming.text": "The cards are dealt when every seat is taken.",
  "forming.title": "{title}, board {board}",
  "forming.you": "you",
  "invite.copied": "Copied.",
  "invite.copy": "Copy",
  "invite.link": "The link",
  "invite.make": "Make a link",
  "invite.text": "Make a link and send it to friends. Anybody who opens it can sit down, without an account too.",
  "invite.title": "Invite friends",
  "invite.uses": { one: "Good for {count} person.", other: "Good for {count} people." },
});

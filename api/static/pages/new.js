/** Make a table: a form from what the server says about each variant. */

import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { get, send } from "../base/net.js";
import { choose, setting } from "../base/settings.js";
import { start } from "../base/shell.js";
import { actionButton } from "./forms.js";
import { optionField } from "./option-fields.js";
import { go, somebody } from "./play-now.js";
import { PRESETS } from "./presets.js";
import { ME, ownName, seatFields } from "./seat-fields.js";
import { tableFields } from "./table-fields.js";
import { HOUSE, variants } from "./words.js";

const CHALLENGED = /^#player=(.+)$/;
const CHOSEN = /^#rulebook=([0-9a-f]{64})$/;

void start(async (main, session) => {
  const linked = CHOSEN.exec(location.hash)?.[1];
  const isUser = session.player && !session.player.guest;
  const [{ items, bots }, { items: green, restricted }, chosenBook, { friends }] = await Promise.all([variants(), get("/rulebooks"), linked ? get(`/rulebooks/${linked}`) : null, isUser ? get("/me/seating") : { friends: [] }]);
  const books = chosenBook?.allowed && !green.some(({ rulebook }) => rulebook === linked) ? [chosenBook, ...green] : green;
  const seats = seatFields(session, [...bots].sort((a) => (a === "bot:simple" ? -1 : 1)));
  const table = tableFields();
  const zones = { options: h("div", null), count: h("select", { id: "count", onchange: () => seats.resize(Number(zones.count.value)) }) };
  let fields = [];
  const bookOf = () => books.find(({ rulebook }) => rulebook === select.value);
  const variantOf = () => (bookOf() ? { name: HOUSE, says: bookOf().text ?? "", seats: bookOf().rules.seats, options: [] } : items.find((each) => each.name === select.value));
  const select = h("select", { id: "variant", onchange: () => draw({}) },
    h("optgroup", { label: t("new.games") }, items.map((item) => h("option", { value: item.name, selected: !linked && item.name === setting("rules").last }, item.title))),
    books.length > 0 && h("optgroup", { label: t("variant.house") }, books.map(({ rulebook, name }) => h("option", { value: rulebook, selected: rulebook === linked }, name ?? t("new.unnamed", { address: rulebook.slice(0, 8) })))));
  const says = h("p", { class: "hint" });
  const house = h("p", { class: "hint" });
  function draw(chosen, wanted = null) {
    const variant = variantOf();
    replace(says, select.value, variant.says);
    replace(house, select.value, () => h("a", { href: bookOf() ? `/house-rules#${select.value}` : "/house-rules" }, t(bookOf() ? "new.read" : "new.house")));
    const count = wanted ? wanted.length : variant.seats.includes(4) ? 4 : Math.max(...variant.seats);
    replace(zones.count, null, variant.seats.map((each) => h("option", { value: each, selected: each === count }, each)));
    seats.resize(count, wanted ?? undefined);
    fields = variant.options.map((option) => ({ option, ...optionField(option, variant.name, chosen[option.name]) }));
    replace(zones.options, null, fields.length ? fields.map(({ node }) => node) : h("p", { class: "empty" }, t(bookOf() ? "new.no-options-house" : "new.no-options")));
  }
  const preset = ({ variant, options, seats: more }) => {
    select.value = variant;
    draw(options, [ownName(session) ?? "open", ...more]);
  };
  /** Have a seat for one more, a player by name or somebody with a link, in place of the last bot. */
  const seatOne = (name) => {
    const now = seats.value();
    const at = now.includes(name) ? -1 : now.findLastIndex((seat) => bots.includes(seat) || seat === "open");
    if (at >= 0) seats.resize(now.length, now.with(at, name));
  };
  const invite = () => {
    seatOne("invite");
    return make("#invite");
  };
  const make = async (hash = "") => {
    const player = await somebody(session);
    const options = Object.fromEntries(fields.map(({ option, value }) => [option.name, value()]).filter(([, value]) => value !== undefined));
    const own = seats.value().map((seat) => (seat === ME ? player.name : seat));
    const book = bookOf();
    if (!book) choose("rules", { ...setting("rules"), last: variantOf().name });
    const what = book ? { rulebook: book.rulebook } : { variant: variantOf().name, options };
    go((await send("POST", "/games", { ...what, seats: own, ...table.value() }, { onWait: (text) => replace(wait, text, text) })).body, hash);
  };
  const wait = h("p", { class: "hint", role: "status" });
  const may = session.player || session.guests;
  draw({});
  if (linked && bookOf()?.rulebook === linked) seats.resize(seats.value().length, [ownName(session) ?? "open", ...Array(6).fill("invite")]);
  const challenged = CHALLENGED.exec(location.hash)?.[1];
  if (challenged) seatOne(decodeURIComponent(challenged));
  replace(main, "new", [
    h("h1", null, t("new.title")),
    may && h("div", { class: "presets" }, actionButton(t("new.invite"), invite, { kind: "primary large" })),
    friends.length > 0 && h("section", { "aria-labelledby": "friends" }, h("h2", { id: "friends" }, t("new.friends")), h("div", { class: "presets" }, friends.map((name) => h("button", { type: "button", class: "button", onclick: () => seatOne(name) }, name)))),
    !linked && h("p", { class: "soft" }, t("new.presets")),
    !linked && h("div", { class: "presets" }, PRESETS.filter((each) => items.some((item) => item.name === each.variant)).map((each) => h("button", { type: "button", class: "button", onclick: () => preset(each) }, t(`preset.${each.name}`)))),
    h("form", { class: "form-grid", onsubmit: (event) => event.preventDefault() },
      h("div", { class: "settings" },
        h("section", { class: "panel" }, h("h2", null, t("new.game")),
          chosenBook?.allowed === false && h("p", { class: "notice" }, t("new.not-allowed")),
          h("div", { class: "field" }, h("label", { for: "variant" }, t("new.variant")), select, says, house, restricted && h("p", { class: "hint" }, t("new.restricted"))),
          h("div", { class: "field" }, h("label", { for: "count" }, t("new.count")), zones.count)),
        h("section", { class: "panel" }, h("h2", null, t("new.seats")), seats.node, h("p", { class: "hint" }, t("new.seats-hint"))),
        h("div", null, may ? h("p", { class: "buttons first" }, actionButton(t("new.make"), () => make(), { kind: "primary large" })) : h("p", null, h("a", { class: "button primary large", href: "/sign-in#/new" }, t("new.sign-in"))), wait)),
      h("div", { class: "settings" },
        h("section", { class: "panel" }, h("h2", null, t("new.options")), zones.options),
        h("section", { class: "panel" }, h("h2", null, t("new.table")), table.node))),
  ]);
});

define({
  "new.count": "How many players?",
  "new.game": "The game",
  "new.games": "Games",
  "new.house": "Or write down your own house rules",
  "new.friends": "Give a friend a seat",
  "new.invite": "Invite a friend",
  "new.make": "Make the table",
  "new.no-options": "This game has none.",
  "new.no-options-house": "The rulebook says everything.",
  "new.not-allowed": "The host of this server doesn't allow tables to play by the house rules of your link.",
  "new.options": "Rules that you can choose",
  "new.presets": "Begin with one of these, or choose everything yourself.",
  "new.read": "Read these rules",
  "new.restricted": "The host of this server chooses the house rules that tables can play by.",
  "new.seats": "The seats",
  "new.seats-hint": "People whom you name are asked first. A table with free seats begins when the last one is taken.",
  "new.sign-in": "Sign in to make a table",
  "new.table": "The table",
  "new.title": "New table",
  "new.unnamed": "House rules {address}",
  "new.variant": "Which game?",
  "preset.evening": "Corellian Pitch for two hours",
  "preset.partners": "Setback in partnerships",
  "preset.quick": "Quick Pitch to 7 with bots",
  "preset.thirteen": "Blackout, open to all",
});

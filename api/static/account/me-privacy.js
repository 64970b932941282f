/** Who may seat the player, blocks, the own data, and deleting the account. */

import { h, replace } from "../base/dom.js";
import { day, define, t } from "../base/messages.js";
import { ask, get } from "../base/net.js";
import { loading, notify, showFailure } from "../base/shell.js";
import { actionButton, field, form, PASSWORD } from "../pages/forms.js";
import { hours } from "./me-hours.js";

/**
 * Return the panel about other people and one's data.
 *
 * @param {Api.Account} me
 */
export function privacyPanel(me) {
  return h("section", { class: "panel" }, h("h2", null, t("privacy.title")),
    h("details", { class: "more" }, h("summary", null, t("seating.title")), loaded("/me/seating", seating)),
    h("details", { class: "more" }, h("summary", null, t("presence.title")), presence()),
    h("details", { class: "more" }, h("summary", null, t("hours.title")), loaded("/me/hours", hours)),
    h("details", { class: "more" }, h("summary", null, t("blocks.title")), loaded("/me/blocks", blocks)),
    h("details", { class: "more" }, h("summary", null, t("data.title")), h("p", { class: "soft" }, t("data.text")),
      h("p", null, h("a", { class: "button", href: "/api/v1/me/export", download: `${me.name}.json` }, t("data.button")))),
    h("details", { class: "more" }, h("summary", null, t("leave.title")), leave(me)));
}

/** Return a zone that is filled from an address, and again by the function that `draw` gets. */
function loaded(path, draw) {
  const place = h("div", null, loading());
  const load = async () => {
    try {
      replace(place, null, draw(await get(path), load));
    } catch (error) {
      showFailure(place, error, () => void load());
    }
  };
  void load();
  return place;
}

/** @param {Api.SeatingAllowance} found */
function seating(found, load) {
  const keep = async (body) => {
    await ask("PUT", "/me/seating", { body });
    notify(t("seating.done"));
    await load();
  };
  const all = h("input", { type: "checkbox", id: "seating-all", checked: found.at_once, onchange: () => void keep({ at_once: all.checked, friends: found.friends }).catch((error) => notify(error.message)) });
  return [
    h("p", { class: "soft" }, t("seating.text")),
    h("label", { class: "check" }, all, h("span", null, t("seating.all"))),
    names(found.friends, t("seating.none"), t("seating.remove"), (name) => keep({ at_once: found.at_once, friends: found.friends.filter((each) => each !== name) })),
    form({ fields: [field({ name: "friend", label: t("seating.friend"), maxlength: 32, autocomplete: "off" })], button: t("seating.add"), submit: ({ friend }) => keep({ at_once: found.at_once, friends: [...found.friends, friend] }) }),
  ];
}

// Whether others see that the player is at the table: a setting of command lines, too.
function presence() {
  const place = h("div", null, loading());
  const run = async (line) => (await ask("POST", "/commands", { body: { line } })).body;
  const shown = async () => {
    const found = /** @type {any} */ (await run("set"));
    const box = h("input", { type: "checkbox", checked: found.data.presence === "on", onchange: () => void keep(box.checked).catch((error) => notify(error.message)) });
    replace(place, null, [h("p", { class: "soft" }, t("presence.text")), h("label", { class: "check" }, box, h("span", null, t("presence.box")))]);
  };
  const keep = async (isOn) => {
    await run(`set presence ${isOn ? "on" : "off"}`);
    notify(t("seating.done"));
  };
  const load = () => void shown().catch((error) => showFailure(place, error, load));
  load();
  return place;
}

/** @param {Api.BlockList} found */
function blocks(found, load) {
  const lift = async (name) => {
    await ask("DELETE", `/me/blocks/${encodeURIComponent(name)}`);
    await load();
  };
  const block = async ({ blocked }) => {
    await ask("PUT", `/me/blocks/${encodeURIComponent(blocked)}`);
    await load();
  };
  return [
    h("p", { class: "soft" }, t("blocks.text")),
    names(found.items.map((each) => each.name), t("blocks.none"), t("blocks.lift"), lift),
    form({ fields: [field({ name: "blocked", label: t("blocks.name"), maxlength: 32, autocomplete: "off" })], button: t("blocks.add"), submit: block }),
  ];
}

const names = (all, none, remove, act) =>
  all.length
    ? h("ul", { class: "rows" }, all.map((name) => h("li", { class: "row" }, h("span", { class: "title" }, name), h("span", { class: "action" }, actionButton(remove, () => act(name), { kind: "small", "aria-label": `${remove}: ${name}` })))))
    : h("p", { class: "empty" }, none);

/** @param {Api.Account} me */
function leave(me) {
  const whole = h("div", null);
  const go = async (values) => {
    const { body } = await ask("DELETE", "/me", { body: me.guest ? {} : values });
    replace(document.getElementById("main"), null, h("section", { class: "state" }, h("h1", null, t("leave.done")), h("p", null, t("leave.until", { when: day(body.deleted_at) }))));
  };
  replace(whole, null, [
    h("p", { class: "soft" }, t("leave.text")),
    form({ fields: me.guest ? [] : [field({ ...PASSWORD, id: "field-leave-password", label: t("account.password-now") })], username: me.guest ? null : me.name, button: t("leave.button"), danger: true, submit: go }),
  ]);
  return whole;
}

define({
  "account.password-now": "Your password",
  "blocks.add": "Block",
  "blocks.lift": "Lift the block",
  "blocks.name": "Name of the player",
  "blocks.none": "You have blocked nobody.",
  "blocks.text": "Somebody you block can't seat you, write to you or join your tables, and isn't told so.",
  "blocks.title": "Blocked players",
  "data.button": "Download",
  "data.text": "One file with all that the server stores about you.",
  "data.title": "Your data",
  "leave.button": "Delete my account",
  "leave.done": "Your account will be deleted",
  "leave.text": "You resign your running games, and your name, password and texts are deleted. For a day, you can come back by signing in.",
  "leave.title": "Delete the account",
  "leave.until": "Until {when} you can keep it: sign in again.",
  "presence.box": "The others at my tables see whether I'm there",
  "presence.text": "Nobody else sees it. Without it, you are neither there nor away for them.",
  "presence.title": "At the table or away",
  "privacy.title": "Privacy",
  "seating.add": "Add",
  "seating.all": "Everybody may seat me at once, without asking",
  "seating.done": "Saved.",
  "seating.friend": "A player who may",
  "seating.none": "Everybody has to ask.",
  "seating.remove": "Remove",
  "seating.text": "Normally you are asked before you sit at a table. These players may seat you at once.",
  "seating.title": "Players who may seat you",
});

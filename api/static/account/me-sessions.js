/** The browsers and programs that act for the player, and tokens for programs. */

import { h, replace } from "../base/dom.js";
import { ago, day, define, t } from "../base/messages.js";
import { ask, get } from "../base/net.js";
import { loading, notify, showFailure } from "../base/shell.js";
import { actionButton, field, form, PASSWORD } from "../pages/forms.js";

/**
 * Return the panel with the list of sessions and tokens.
 *
 * @param {Api.Account} me
 */
export function sessionsPanel(me) {
  const place = h("div", { class: "rows-loading" }, loading());
  const load = async () => {
    try {
      const { items } = await get("/me/tokens");
      replace(place, null, list(items, load));
    } catch (error) {
      showFailure(place, error, () => void load());
    }
  };
  void load();
  return h("section", { class: "panel" }, h("h2", null, t("sessions.title")), h("p", { class: "soft" }, t("sessions.text")), place, me.guest ? null : newToken(me, load));
}

/** @param {Api.OwnToken[]} items */
function list(items, load) {
  const end = async (token) => {
    await ask("DELETE", `/me/tokens/${token.id}`);
    await load();
  };
  const endOthers = async () => {
    const { body } = await ask("DELETE", "/me/tokens");
    notify(t("sessions.ended", { count: body.ended }));
    await load();
  };
  const row = (token) =>
    h("li", { class: "row" },
      h("span", { class: "title" }, token.label === "browser" ? t("sessions.browser") : token.label ?? t("sessions.token"), " ", token.current ? h("span", { class: "tag" }, t("sessions.this")) : null),
      h("span", { class: "facts" }, t("sessions.facts", { scope: t(`sessions.scope.${token.scope.includes(":") ? "game" : token.scope}`), created: ago(token.created), used: token.used ? day(token.used) : t("sessions.never"), expires: token.expires ? day(token.expires) : t("sessions.open") })),
      h("span", { class: "action" }, token.current ? null : actionButton(t("sessions.end"), () => end(token), { kind: "small", "aria-label": t("sessions.end-one", { label: token.label ?? token.id }) })));
  return [h("ul", { class: "rows" }, items.map(row)), items.length > 1 ? h("p", { class: "buttons" }, actionButton(t("sessions.end-others"), endOthers, { kind: "danger" })) : null];
}

/** @param {Api.Account} me */
function newToken(me, load) {
  const place = h("div", { role: "status" });
  const make = async ({ label, password }) => {
    const { body } = await ask("POST", "/tokens", { body: { name: me.name, password, label } });
    replace(place, null, h("div", { class: "notice" }, h("p", null, t("sessions.made")), h("p", null, h("code", null, body.token))));
    await load();
  };
  return h("details", { class: "more" }, h("summary", null, t("sessions.new")), h("p", { class: "soft" }, t("sessions.new-text")),
    form({
      fields: [field({ name: "label", label: t("sessions.label"), maxlength: 64, autocomplete: "off" }), field({ ...PASSWORD, id: "field-token-password", label: t("account.password-now") })],
      username: me.name,
      button: t("sessions.make"),
      submit: make,
    }), place);
}

define({
  "account.password-now": "Your password",
  "sessions.browser": "A browser",
  "sessions.end": "End",
  "sessions.end-one": "End {label}",
  "sessions.end-others": "Sign out everywhere else",
  "sessions.ended": { one: "{count} session ended.", other: "{count} sessions ended." },
  "sessions.facts": "{scope} · since {created} · last used {used} · until {expires}",
  "sessions.label": "What is it for?",
  "sessions.made": "Copy this token now. It isn't shown again.",
  "sessions.make": "Make a token",
  "sessions.never": "never",
  "sessions.new": "A token for a program",
  "sessions.new-text": "With a token, a bot or a script of yours plays in your name. Treat it like a password.",
  "sessions.open": "you end it",
  "sessions.text": "Where you are signed in, and which programs act for you.",
  "sessions.scope.game": "plays one game",
  "sessions.scope.moderate": "moderates",
  "sessions.scope.play": "plays",
  "sessions.scope.read": "reads",
  "sessions.this": "this one",
  "sessions.title": "Sessions and tokens",
  "sessions.token": "A token",
});

/** Name, password, recovery codes, e-mail, signing out. */

import { visit } from "../base/address.js";
import { personName } from "../base/bots.js";
import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { ask, session } from "../base/net.js";
import { notify } from "../base/shell.js";
import { showCodes } from "./account.js";
import { actionButton, field, form, NEW_PASSWORD, PASSWORD } from "../pages/forms.js";
import { mailLevels } from "./me-mail.js";

/**
 * Return the panel about who the player is.
 *
 * @param {Api.Account} me
 */
export function accountPanel(me) {
  const out = async () => {
    await ask("DELETE", "/session");
    visit("/");
  };
  return h("section", { class: "panel" },
    h("h2", null, me.guest ? t("account.guest") : me.name),
    me.guest
      ? [h("p", null, t("account.guest-text", { name: personName(me.name) })), h("p", { class: "buttons" }, h("a", { class: "button primary", href: "/sign-up#/me" }, t("account.keep")))]
      : [h("p", null, h("a", { href: `/players/${encodeURIComponent(me.name)}` }, t("account.history"))), password(me), codes(me), email(me)],
    h("div", { class: "buttons last-buttons" }, actionButton(t("account.sign-out"), out)));
}

const part = (title, ...content) => h("details", { class: "more" }, h("summary", null, title), content);

/** @param {Api.Account} me */
function password(me) {
  const change = async (values) => {
    await ask("POST", "/me/password", { body: values });
    whole.querySelector("form").reset();
    whole.open = false;
    notify(t("account.password-done"));
  };
  const whole = part(t("account.password"),
    h("p", { class: "soft" }, t("account.password-text")),
    form({
      fields: [field({ ...PASSWORD, label: t("account.old") }), field({ ...NEW_PASSWORD, name: "new_password", label: t("account.new") })],
      username: me.name,
      button: t("account.password-button"),
      submit: change,
    }));
  return whole;
}

/** @param {Api.Account} me */
function codes(me) {
  const renew = async (values) => {
    const { body } = await ask("POST", "/me/recovery-codes", { body: values });
    showCodes(document.getElementById("main"), body.recovery_codes, () => location.reload());
  };
  return part(t("account.codes", { count: me.recovery_codes }),
    h("p", { class: "soft" }, t("account.codes-text")),
    form({ fields: [field({ ...PASSWORD, name: "password", id: "field-codes-password", label: t("account.password-now") })], username: me.name, button: t("account.codes-button"), submit: renew }));
}

/** @param {Api.Account} me */
function email(me) {
  const zone = h("div", null);
  void session().then(({ mail }) => mail && replace(zone, null, part(t("account.email"), emailForms(me), me.email?.confirmed ? mailLevels(me.mail) : null)));
  return zone;
}

/** @param {Api.Account} me */
function emailForms(me) {
  const place = h("div", null);
  const confirm = form({
    fields: [field({ name: "code", label: t("account.email-code"), inputmode: "numeric", maxlength: 8 })],
    button: t("account.email-confirm"),
    submit: async (values) => {
      await ask("POST", "/me/email/confirmation", { body: values });
      notify(t("account.email-done"));
      replace(place, null, null);
    },
  });
  const send = async (values) => {
    await ask("PUT", "/me/email", { body: values });
    replace(place, null, confirm);
  };
  const known = me.email ? t(me.email.confirmed ? "account.email-is" : "account.email-unconfirmed", { address: me.email.address }) : t("account.email-none");
  return [h("p", { class: "soft" }, known), form({ fields: [field({ name: "email", type: "email", label: t(me.email ? "account.email-other" : "account.email-address"), autocomplete: "email" })], button: t("account.email-button"), submit: send }), place];
}

define({
  "account.codes": { one: "Recovery codes ({count} left)", other: "Recovery codes ({count} left)" },
  "account.codes-button": "Make new codes",
  "account.codes-text": "New codes make the earlier ones invalid.",
  "account.email": "E-mail",
  "account.email-address": "Address",
  "account.email-button": "Send a code there",
  "account.email-code": "Code from the mail",
  "account.email-confirm": "Confirm",
  "account.email-done": "Your address is confirmed.",
  "account.email-is": "Your address is {address}.",
  "account.email-other": "Another address",
  "account.email-none": "The server has no address of yours.",
  "account.email-unconfirmed": "{address} isn't confirmed yet.",
  "account.guest": "You play as a guest",
  "account.guest-text": "Others see you as {name}. Take a name and a password, and your games stay yours.",
  "account.history": "Your games and results",
  "account.keep": "Take a name",
  "account.new": "New password",
  "account.old": "Present password",
  "account.password": "Password",
  "account.password-button": "Change the password",
  "account.password-done": "Your password is changed.",
  "account.password-now": "Your password",
  "account.password-text": "All other devices and programs are signed out.",
  "account.sign-out": "Sign out",
});

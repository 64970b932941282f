/** Register, or keep a guest's games under a name. */

import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { ask, renewSession } from "../base/net.js";
import { start } from "../base/shell.js";
import { narrow, nextPage, showCodes } from "./account.js";
import { field, form, NAME, NEW_PASSWORD } from "../pages/forms.js";

void start((main, session) => {
  const guest = session.player?.guest === true;
  if (!session.registration) {
    replace(main, "closed", narrow(t("sign-up.title"), h("p", null, t("sign-up.closed"))));
    return;
  }
  replace(main, "sign-up", narrow(t(guest ? "sign-up.keep-title" : "sign-up.title"), h("p", null, t(guest ? "sign-up.keep-text" : "sign-up.text")),
    form({
      fields: [
        field({ ...NAME, label: t("field.name"), hint: t("sign-up.name-hint"), "data-first": true }),
        field({ ...NEW_PASSWORD, name: "password", label: t("field.password"), hint: t("sign-up.password-hint") }),
      ],
      button: t(guest ? "sign-up.keep-button" : "sign-up.button"),
      submit: (values) => signUp(values, guest, main),
    }),
    guest ? null : h("p", { class: "alternatives" }, h("a", { href: `/sign-in${location.hash}` }, t("sign-up.known")))));
});

async function signUp(values, guest, main) {
  const { body } = await ask("POST", guest ? "/me/account" : "/users", { body: values });
  if (!guest) await ask("POST", "/session", { body: values });
  await renewSession();
  showCodes(main, body.recovery_codes, () => location.assign(nextPage()));
}

define({
  "field.name": "Name",
  "field.password": "Password",
  "sign-up.button": "Sign up",
  "sign-up.closed": "This server takes no new players. Ask the host.",
  "sign-up.keep-button": "Keep my games",
  "sign-up.keep-text": "Choose a name and a password. Your games stay yours, also in another browser.",
  "sign-up.keep-title": "Keep your games",
  "sign-up.known": "You have an account? Sign in",
  "sign-up.name-hint": "1 to 32 letters, digits, hyphens, dots and underscores. Others at the table see it.",
  "sign-up.password-hint": "At least 8 characters. Three or four words are easy to keep in mind and hard to guess.",
  "sign-up.text": "A name and a password, nothing else.",
  "sign-up.title": "Sign up",
});

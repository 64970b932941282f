/** A new password by a recovery code. */

import { visit } from "../base/address.js";
import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { ask, renewSession } from "../base/net.js";
import { start } from "../base/shell.js";
import { narrow } from "./account.js";
import { field, form, NAME, NEW_PASSWORD } from "../pages/forms.js";

void start((main) => {
  replace(main, "recover", narrow(t("recover.title"), h("p", null, t("recover.text")),
    form({
      fields: [
        field({ ...NAME, label: t("field.name"), "data-first": true }),
        field({ name: "code", label: t("recover.code"), autocomplete: "one-time-code", spellcheck: "false", maxlength: 64 }),
        field({ ...NEW_PASSWORD, name: "new_password", label: t("field.new-password") }),
      ],
      button: t("recover.button"),
      submit: recover,
    }),
    h("p", { class: "alternatives" }, t("recover.no-code"))));
});

async function recover(values) {
  await ask("POST", "/session/recovery", { body: values });
  await renewSession();
  visit("/");
}

define({
  "field.name": "Name",
  "field.new-password": "New password",
  "recover.button": "Set the password and sign in",
  "recover.code": "Recovery code",
  "recover.no-code": "Neither password nor code? The host of the server can reset the password.",
  "recover.text": "One of the codes that you noted when you signed up lets you choose a new password. All other devices are signed out.",
  "recover.title": "New password",
});

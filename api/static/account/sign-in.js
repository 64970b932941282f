/** Sign in with name and password; an account that is being deleted can be kept. */

import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { ask, Problem, renewSession } from "../base/net.js";
import { start } from "../base/shell.js";
import { narrow, nextPage } from "./account.js";
import { actionButton, field, form, NAME, PASSWORD } from "../pages/forms.js";

void start((main, session) => {
  const more = h("div", null);
  const guest = session.player?.guest ? h("p", { class: "notice warn" }, t("sign-in.guest"), " ", h("a", { href: "/sign-up" }, t("sign-in.keep"))) : null;
  replace(main, "sign-in", narrow(t("sign-in.title"), guest,
    form({
      fields: [field({ ...NAME, label: t("field.name"), "data-first": true }), field({ ...PASSWORD, label: t("field.password") })],
      button: t("sign-in.button"),
      submit: (values) => signIn("/session", values, more),
    }),
    more,
    h("p", { class: "alternatives" }, session.registration ? [h("a", { href: `/sign-up${location.hash}` }, t("sign-in.new")), " · "] : null, h("a", { href: "/recover" }, t("sign-in.forgot")))));
});

async function signIn(path, values, more) {
  try {
    await ask("POST", path, { body: values });
    await renewSession();
    location.assign(nextPage());
  } catch (error) {
    if (!(error instanceof Problem) || error.type !== "user-leaving") throw error;
    replace(more, null, h("div", { class: "notice warn" }, h("p", null, t("sign-in.leaving")), actionButton(t("sign-in.restore"), () => signIn("/session/restore", values, more))));
  }
}

define({
  "field.name": "Name",
  "field.new-password": "New password",
  "field.password": "Password",
  "sign-in.button": "Sign in",
  "sign-in.forgot": "Forgot your password?",
  "sign-in.guest": "You play as a guest. If you sign in to another account, the guest's games stay behind.",
  "sign-in.keep": "Keep them under a name",
  "sign-in.leaving": "This account is being deleted, as you asked. You can still keep it.",
  "sign-in.new": "New here? Sign up",
  "sign-in.restore": "Keep the account and sign in",
  "sign-in.title": "Sign in",
});

/** The own account, and how the pages look and behave in this browser. */

import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { get } from "../base/net.js";
import { start } from "../base/shell.js";
import { accountPanel } from "./me-account.js";
import { privacyPanel } from "./me-privacy.js";
import { settingsPanels } from "./me-settings.js";
import { sessionsPanel } from "./me-sessions.js";

void start(async (main, session) => {
  const me = session.player ? await get("/me") : null;
  replace(main, "me", [
    h("h1", null, t(me ? "me.title" : "me.settings-title")),
    h("div", { class: "settings" },
      me ? accountPanel(me) : h("section", { class: "panel" }, h("p", null, t("me.signed-out")), h("p", { class: "buttons" }, h("a", { class: "button primary", href: "/sign-in#/me" }, t("me.sign-in")))),
      settingsPanels(me),
      me ? [sessionsPanel(me), privacyPanel(me)] : null),
  ]);
});

define({
  "me.settings-title": "Settings",
  "me.sign-in": "Sign in",
  "me.signed-out": "You aren't signed in. The settings below belong to this browser.",
  "me.title": "Your account",
});

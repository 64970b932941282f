/** The page of the link in every mail: `/mail/unsubscribe/<key>`. Nothing ends before the click: programs open links too. */

import { ownPath } from "../base/address.js";
import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { ask } from "../base/net.js";
import { start } from "../base/shell.js";
import { narrow } from "./account.js";
import { actionButton } from "../pages/forms.js";

const key = ownPath().split("/").pop();

void start((main) => {
  const show = (name, ...more) =>
    replace(main, name, narrow(t("unsubscribe.title"), h("p", { role: "status" }, t(`unsubscribe.${name}`)), more, h("p", { class: "alternatives" }, h("a", { href: "/me" }, t("unsubscribe.levels")))));
  const end = async () => {
    try {
      await ask("POST", `/mail/unsubscribe/${key}`);
      show("done");
    } catch (error) {
      if (error.status !== 404) throw error;
      show("old");
    }
  };
  show("text", h("p", { class: "buttons" }, actionButton(t("unsubscribe.button"), end, { kind: "primary" })));
});

define({
  "unsubscribe.button": "Send me no more mails",
  "unsubscribe.done": "You get no more mails about boards.",
  "unsubscribe.levels": "Choose which mails you get",
  "unsubscribe.old": "This link isn't valid any more. Sign in to choose which mails you get.",
  "unsubscribe.text": "You play on, but the server doesn't write to you when it's your turn.",
  "unsubscribe.title": "Mails about boards",
});

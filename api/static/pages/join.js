/** The page of an invitation: `/join#<token>`. The token is in the fragment, which no browser sends to a server. */

import { addressOf } from "../base/address.js";
import { replace, h } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { get } from "../base/net.js";
import { start } from "../base/shell.js";
import { showForming } from "./forming.js";

void start(async (main, session) => {
  const token = location.hash.slice(1);
  const table = await invited(token);
  const game = table?.status === "forming" ? await showForming(main, table, session, token) : table;
  if (game === null) showNone(main);
  else location.replace(addressOf(`/games/${game.board}`));
});

const showNone = (main) =>
  replace(main, "none", h("section", { class: "state" }, h("h1", null, t("join.none")), h("p", null, t("join.none-text")), h("p", { class: "buttons" }, h("a", { class: "button primary", href: "/" }, t("page.lobby")))));

/** Return the table of an invitation, or null if the link is wrong, used up or expired. */
async function invited(token) {
  if (!/^[\w-]{1,64}$/.test(token)) return null;
  try {
    return await get(`/invitations/${token}`);
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

define({
  "join.none": "This invitation is no longer valid",
  "join.none-text": "It was used, it has expired, or the table has begun without it. Ask for a new link.",
});

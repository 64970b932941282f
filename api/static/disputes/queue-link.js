/** A link at the top of the lobby for arbiters, with the number of disputes that wait for them. */

import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { get } from "../base/net.js";

const MOST = 50;

/** Add the link if this player is an arbiter. It stands after the other links, so that nothing moves. */
export async function showQueueLink() {
  const { roles } = await get("/me");
  if (!roles?.includes("arbiter")) return;
  const link = h("a", { href: "/disputes" }, t("queue-link.title"));
  document.querySelector(".top .links").append(link);
  const { items, next } = await get(`/disputes?limit=${MOST}`);
  const count = items.length;
  if (count) replace(link, count, [t("queue-link.title"), " ", h("span", { class: "count" }, next ? `${count}+` : count, h("span", { class: "hidden-text" }, " ", t("queue-link.waiting", { count })))]);
}

define({
  "queue-link.title": "Disputes",
  "queue-link.waiting": { one: "waits for you", other: "wait for you" },
});

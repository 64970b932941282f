/** The page that a browser keeps to show without a network. */

import { addressOf, visit } from "../base/address.js";
import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";

define({
  "offline.again": "Try again",
  "offline.text": "Your games are on the server, and nothing is lost. This page goes on by itself when the network is back.",
  "offline.title": "You're offline",
});

const again = () => visit("/");

replace(document.getElementById("main"), "offline", h("section", { class: "state" },
  h("h1", null, t("offline.title")),
  h("p", null, t("offline.text")),
  h("p", { class: "buttons" }, h("button", { class: "button primary", type: "button", onclick: again }, t("offline.again")))));

// The first attempt after a network comes back may fail, and no event tells of the next one.
const RETRY_MS = 3000;
const look = async () => {
  if (await fetch(addressOf("/health/live"), { cache: "no-store" }).then((answer) => answer.ok, () => false)) again();
};
window.addEventListener("online", look);
setInterval(() => navigator.onLine && look(), RETRY_MS);

/** Use the pages as an app: install them, and keep a page for times without a network. Nothing happens without a click. */

import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { canKeepOffline, keepOffline, keepsOffline } from "../base/offline.js";
import { start } from "../base/shell.js";
import { narrow } from "../account/account.js";
import { actionButton } from "./forms.js";

let prompt = null;
const place = h("div", null);

window.addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  prompt = event;
  drawInstall();
});

void start(async (main) => {
  const offline = h("div", null);
  const drawOffline = async () => {
    const kept = await keepsOffline();
    replace(offline, String(kept), () => (kept ? h("p", { class: "notice", role: "status" }, t("app.kept")) : h("p", { class: "buttons" }, actionButton(t("app.keep"), () => keepOffline().then(drawOffline), { kind: "primary" }))));
  };
  drawInstall();
  replace(main, "app", narrow(t("app.title"), h("p", null, t("app.text")), place,
    h("h2", null, t("app.offline")), h("p", null, t("app.offline-text")),
    canKeepOffline() ? offline : h("p", { class: "soft" }, t("app.cannot"))));
  if (canKeepOffline()) await drawOffline();
});

const drawInstall = () =>
  replace(place, prompt ? "can" : "how", () => (prompt ? h("p", { class: "buttons" }, actionButton(t("app.install"), async () => void (await prompt.prompt()), { kind: "primary" })) : h("p", { class: "soft" }, t("app.how"))));

define({
  "app.cannot": "This browser, or this address, can't keep a page.",
  "app.how": "In the menu of your browser: “Install” or “Add to home screen”.",
  "app.install": "Install",
  "app.keep": "Keep a page for offline",
  "app.kept": "Kept. Without a network you see a page of ours, which goes on by itself when the network is back.",
  "app.offline": "Without a network",
  "app.offline-text": "Games are on the server, so nobody can play offline. Your browser can keep a page that says so. It keeps nothing else: no game and no card.",
  "app.text": "It opens in a window of its own, with an icon on your desktop or home screen. There are no messages unless you ask for them.",
  "app.title": "Use trickbook as an app",
});

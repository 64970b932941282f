/**
 * What every page has: the account at the top, notices, the tab's title and picture, and the states of loading and failing.
 */

import { addressOf, ownPath } from "./address.js";
import { h, replace } from "./dom.js";
import { define, t } from "./messages.js";
import { Problem, session, Unreached } from "./net.js";
import "./settings.js";
import { showBell } from "./waiting.js";

const MOST_WAITING = 9;
const title = document.title;
let noticeTimer = null;
const icon = /** @type {HTMLLinkElement | null} */ (document.getElementById("icon"));
const plainIcon = icon?.href ?? "";

/**
 * Run a page: `draw(main, session)` fills the main part. A failure is shown with a button that tries again.
 */
export async function start(draw) {
  const main = document.getElementById("main");
  try {
    const found = await session();
    showAccount(found);
    await draw(main, found);
  } catch (error) {
    showFailure(main, error, () => start(draw));
  }
}

/** Show in a zone that something failed, and why, with a button that tries again. */
export function showFailure(zone, error, again) {
  if (!(error instanceof Problem || error instanceof Unreached)) console.error(error);
  const away = error instanceof Unreached;
  const text = away || error instanceof Problem ? error.message : t("page.broken");
  replace(zone, null, () =>
    h("section", { class: "state", role: "alert" },
      h("h1", null, t(away ? "page.away" : error.status === 404 ? "page.absent" : "page.failed")),
      h("p", null, text),
      h("p", { class: "buttons" },
        error.status === 404 ? null : h("button", { type: "button", class: "button primary", onclick: again }, t("page.again")),
        h("a", { class: "button", href: "/" }, t("page.lobby")))));
  if (away) window.addEventListener("online", again, { once: true });
}

/** Return a zone's content while it loads. */
export const loading = () => h("div", { class: "loading" }, h("span", { class: "spinner", "aria-hidden": "true" }), t("page.loading"));

/** Say how many games wait, in the tab's title and its picture. */
export function showWaiting(count, heading = title) {
  document.title = count ? `(${count}) ${heading}` : heading;
  if (!icon) return;
  const shown = Math.min(count, MOST_WAITING);
  const href = shown ? plainIcon.replace(/icon\.svg$/, `waiting-${shown}.svg`) : plainIcon;
  if (icon.href !== href) icon.href = href;
}

/** Say something for a moment, at the foot of the page and to screen readers. */
export function notify(text) {
  let zone = document.getElementById("notice");
  if (!zone) document.body.append((zone = h("div", { id: "notice", class: "toast", role: "status" })));
  replace(zone, null, text ? h("p", null, text) : null);
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => replace(zone, null, null), 6000);
}

/** @param {Api.Session} found */
function showAccount(found) {
  const { player, address } = found;
  const zone = document.getElementById("account");
  const isOther = replace(zone, JSON.stringify(player), () =>
    player
      ? h("a", { class: "who", href: "/me" }, initial(player), h("span", { class: "who-name" }, player.guest ? t("shell.guest") : player.name))
      : h("a", { class: "button small", href: "/sign-in" }, t("shell.sign-in")));
  if (isOther && player) showBell(zone, player);
  const banner = document.getElementById("banner");
  replace(banner, address, () => (address === "network" || address === "refused" ? h("p", null, t(`shell.address.${address}`)) : null));
}

const initial = (player) => h("span", { class: "initial", "aria-hidden": "true" }, player.guest ? "G" : player.name.slice(0, 1).toUpperCase());

function showConnection() {
  document.documentElement.toggleAttribute("data-offline", !navigator.onLine);
  if (!navigator.onLine && document.documentElement.dataset.page !== "table") notify(t("shell.offline")); // a table says so itself
}

for (const name of ["online", "offline"]) window.addEventListener(name, showConnection);
window.addEventListener("session", (event) => showAccount(event.detail));
const here = addressOf(ownPath());
/** @type {NodeListOf<HTMLAnchorElement>} */
const links = document.querySelectorAll(".links a");
for (const link of links) {
  const { pathname } = new URL(link.href);
  if (pathname === here) link.setAttribute("aria-current", "page");
  else if (pathname !== addressOf("/") && here.startsWith(`${pathname}/`)) link.setAttribute("aria-current", "true");
}
define({
  "page.absent": "Page not found",
  "page.again": "Try again",
  "page.away": "The server can't be reached",
  "page.broken": "This page has a fault. Load it again; if that doesn't help, tell the host.",
  "page.failed": "That didn't work",
  "page.loading": "Loading…",
  "page.lobby": "To the lobby",
  "shell.address.network":
    "This address isn't encrypted: everybody on this network can read along. Use a password here that you use nowhere else.",
  "shell.address.refused":
    "This address isn't encrypted, so you can only watch here. Open the page with https to play.",
  "shell.guest": "Guest",
  "shell.offline": "You're offline. What you do is sent when the network is back.",
  "shell.sign-in": "Sign in",
});

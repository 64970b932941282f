/** Web Push: notices in this browser while no page is open. Nothing happens before a click, and each can be undone. */

import { addressOf, ROOT } from "../base/address.js";
import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { ask, get } from "../base/net.js";
import "../base/notices.js";
import { canKeepOffline, keepOffline } from "../base/offline.js";
import { notify } from "../base/shell.js";
import { actionButton } from "../pages/forms.js";
import { HOUSE, variants } from "../pages/words.js";

/**
 * What is told: entries of the inbox for which a player is awaited.
 *
 * @type {Api.InboxEntry["kind"][]}
 */
const KINDS = ["turn", "question", "invitation", "seat", "dispute"];
const CACHE = `trickbook-push${ROOT}`;

/** Return the box, or null where a browser has no Web Push. */
export function pushBox() {
  if (!canKeepOffline() || !("PushManager" in window) || typeof Notification !== "function") return null;
  const place = h("div", { class: "push" });
  const draw = async () => {
    const { found, key } = await mine();
    if (!key) return; // this server sends nothing
    if (found) await keepTexts();
    const box = h("input", { type: "checkbox", checked: Boolean(found), onchange: () => void (box.checked ? begin(key) : end(found)).catch((error) => notify(error.message)).then(draw) });
    replace(place, null, [
      h("label", { class: "check" }, box, h("span", null, t("push.box"), h("span", { class: "hint" }, " ", t("push.hint")))),
      found && h("p", { class: "buttons" }, actionButton(t("push.test"), () => test(found), { kind: "small" })),
      found?.failure && h("p", { class: "soft" }, t("push.failing", { why: found.failure })),
    ]);
  };
  void draw().catch(() => {}); // the page has the rest
  return place;
}

// Return the subscription of this browser as the server knows it, and the key for a new one.
async function mine() {
  const [subscription, { items, push_key: key }] = await Promise.all([subscribed(), get("/me/webhooks")]);
  return { found: items.find(({ url, format }) => format === "push" && url === subscription?.endpoint) ?? null, key };
}

const subscribed = async () => (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription() ?? null;

async function begin(key) {
  if ((await Notification.requestPermission()) !== "granted") return notify(t("setting.notices.refused"));
  await keepOffline();
  await keepTexts();
  const { pushManager } = await navigator.serviceWorker.ready;
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  await ask("POST", "/me/webhooks", { body: { url: endpoint, kinds: KINDS, format: "push", keys: { p256dh: keys.p256dh, auth: keys.auth } } });
}

async function end({ id }) {
  await ask("DELETE", `/me/webhooks/${id}`);
  await (await subscribed())?.unsubscribe();
}

async function test({ id }) {
  await ask("POST", `/me/webhooks/${id}/test`, { body: {} });
  notify(t("push.tested"));
}

// Keep the sentences and the names of the games in this page's language where the worker finds them: a message names only what happened.
async function keepTexts() {
  const { items } = await variants();
  const titles = items.map(({ name, title }) => [`variant.${name}`, title]);
  const texts = Object.fromEntries([...titles, [`variant.${HOUSE}`, t("variant.house")], ...[...KINDS, "test"].map((kind) => [kind, t(`notice.${kind}`)])]);
  await (await caches.open(CACHE)).put(addressOf("/push-texts"), new Response(JSON.stringify(texts)));
}

define({
  "notice.test": "This is a test. Notices reach this browser.",
  "push.box": "Also when no page is open",
  "push.failing": "The last message didn't arrive: {why}.",
  "push.hint": "Through the push service of your browser, which can't read it. It never names a card. Signing out ends it.",
  "push.test": "Send a test",
  "push.tested": "A test is on its way.",
});

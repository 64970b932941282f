/**
 * Keeps one page to show without a network. It keeps no answer of the server, and asks the network for everything else. If
 * a player has switched on Web Push, it shows the messages, which name no card.
 */

const NAME = "trickbook-offline{{root}}-";
const CACHE = `${NAME}{{version}}`;
const KEPT = ["{{kept}}"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith(NAME) && name.length === CACHE.length && name !== CACHE; // servers share a host
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(KEPT[0])));
  else if (KEPT.includes(new URL(request.url).pathname)) event.respondWith(fetch(request).catch(() => caches.match(request)));
});

self.addEventListener("push", (event) => event.waitUntil(tell(event.data?.json() ?? {})));

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data));
});

// The sentences and the names of the games are those that the page kept (account/me-push.js), in its language.
async function tell({ kind, id, board, variant }) {
  const kept = await caches.match("{{root}}/push-texts");
  const texts = kept ? await kept.json() : {};
  const path = board ? `/games/${board}${kind === "dispute" ? "/disputes" : ""}` : "/me";
  await self.registration.showNotification(board ? `trickbook · ${texts[`variant.${variant}`] ?? variant} ${board}` : "trickbook", { body: texts[kind] ?? "", tag: id, data: `{{root}}${path}` });
}

async function show(path) {
  const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = open.find(({ url }) => new URL(url).pathname === path);
  return there ? there.focus() : self.clients.openWindow(path);
}

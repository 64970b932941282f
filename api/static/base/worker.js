/**
 * Keeps one page to show without a network. It keeps no answer of the server, and asks the network for everything else.
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

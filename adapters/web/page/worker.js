// Works while there is no network: it then shows one page that says so. It keeps no message and no answer.

const KEPT = "durak-offline";
const PAGE = "/page/offline.html";
const FILES = [
  PAGE,
  "/page/offline.js",
  "/page/room.css",
  "/page/around.css",
  "/page/icon.svg",
  "/page/texts.js",
  "/page/dom.js",
  "/page/memory.js",
  "/texts",
];

addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)));
  skipWaiting();
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const isPage = request.mode === "navigate";
  const path = new URL(request.url).pathname;
  if (!isPage && !FILES.includes(path)) return;
  event.respondWith(fetch(request).catch(() => caches.match(isPage ? PAGE : path)));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(
    clients
      .matchAll({ type: "window", includeUncontrolled: true })
      .then(([page]) => (page ? page.focus() : clients.openWindow("/"))),
  );
});

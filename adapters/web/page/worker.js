// The service worker: without a network it serves a page that says so. It caches no messages and no answers.

const KEPT = "durak-offline";
const PAGE = "/page/offline.html";
const NAMED = /"(\/page\/[^"]+)"/g; // the files that the page links to

addEventListener("install", (event) => {
  event.waitUntil(keep());
  skipWaiting();
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const isPage = request.mode === "navigate";
  const isFile = new URL(request.url).pathname.startsWith("/page/");
  if (isPage || isFile) event.respondWith(fetch(request).catch(() => fromCache(isPage ? PAGE : request)));
});

async function keep() {
  await caches.delete(KEPT);
  const cache = await caches.open(KEPT);
  const page = await (await fetch(PAGE)).text();
  const files = [...page.matchAll(NAMED)].map(([, file]) => file);
  await cache.addAll([...new Set([PAGE, ...files])]);
}

/** @param {RequestInfo} request */
async function fromCache(request) {
  return (await caches.match(request)) ?? Response.error();
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(
    clients
      .matchAll({ type: "window", includeUncontrolled: true })
      .then(([page]) => (page ? page.focus() : clients.openWindow("/"))),
  );
});

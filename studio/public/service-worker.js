/**
 * Lets the Studio open without a connection: it keeps the page and the build's files that were loaded, nothing else. Answers of
 * the API never pass through it, and nothing is fetched with cookies. Each build has a name (scripts/make/studio.ts), so a
 * deployment replaces this worker and all that it kept. How to remove it: docs/studio.md.
 */
const KEPT = "studio-BUILD";
const SHELL = "/";
/** What the API, the documentation and the agents' interface own; as in src/interface/http/studio-page.ts. */
const OTHERS = /^\/(api|docs|mcp)(\/|$)/;

/** Files are named by their content, so a kept one is never old. `Vary` is ignored: it matters only to API programs. */
async function fileOf(address) {
  const cache = await caches.open(KEPT);
  const kept = await cache.match(address, { ignoreVary: true });
  if (kept !== undefined) return kept;
  const answer = await fetch(address, { credentials: "omit" });
  // The page needs the file even if the browser has no room to keep it.
  if (answer.ok) await cache.put(address, answer.clone()).catch(() => {});
  return answer;
}

/** The newest page; the kept one without a connection. */
async function pageOf(request) {
  try {
    return await fetch(request);
  } catch {
    const cache = await caches.open(KEPT);
    return (await cache.match(SHELL, { ignoreVary: true })) ?? Response.error();
  }
}

const isFile = ({ origin, pathname }) => origin === location.origin && pathname.startsWith("/studio/");

/** Keeps the page, unless it is kept. Signing out with "remove data" deletes the cache, but not this worker. */
async function keepShell() {
  const cache = await caches.open(KEPT);
  if ((await cache.match(SHELL, { ignoreVary: true })) !== undefined) return;
  const headers = { Accept: "text/html" };
  await cache.add(new Request(SHELL, { credentials: "omit", headers, cache: "no-store" }));
}

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keepShell());
});

self.addEventListener("activate", (event) => {
  const deleteOld = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(deleteOld());
});

// Files that the page loaded before this worker controlled it, read from the browser's own cache.
self.addEventListener("message", (event) => {
  const files = event.data.filter((address) => isFile(new URL(address)));
  event.waitUntil(Promise.allSettled([keepShell(), ...files.map(fileOf)]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (isFile(url)) event.respondWith(fileOf(request.url));
  else if (request.destination === "document" && !OTHERS.test(url.pathname))
    event.respondWith(pageOf(request));
});

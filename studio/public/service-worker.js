/**
 * Lets the Studio open offline. Caches the page and the files that it has loaded, but never API responses or requests
 * with cookies. Each build has a name (scripts/make/studio.ts): a deployment replaces this worker, and the new worker
 * replaces its cache once a page of the new build has loaded. docs/studio.md describes how to remove it.
 */
const KEPT = "studio-BUILD";
const SHELL = "/";
/** Paths that are not Studio pages; same list as in src/interface/http/studio-page.ts. */
const NON_STUDIO_PATHS = /^\/(api|docs|i|mcp|oauth|\.well-known)(\/|$)/;

/** Ignores `Vary`, which only matters to API clients. */
const ANY = { ignoreVary: true };

/** Returns a file, from the cache if possible. File names contain a content hash, so a cached file is never stale. */
const fileOf = async (address) =>
  (await caches.match(address, ANY)) ?? keep(address, await fetch(address, { credentials: "omit" }));

async function keep(address, answer) {
  const cache = await caches.open(KEPT);
  // The page needs the file even if the cache is full.
  if (answer.ok) await cache.put(address, answer.clone()).catch(() => {});
  return answer;
}

/** Fetches the page. Offline, returns the cached page, whose files are cached too. */
async function pageOf(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(SHELL, ANY)) ?? Response.error();
  }
}

const isFile = ({ origin, pathname }) => origin === location.origin && pathname.startsWith("/studio/");

/**
 * Caches the page if it is missing. It may be missing later, too: removing all data at sign-out deletes the cache, but
 * not this worker.
 */
async function keepShell() {
  const cache = await caches.open(KEPT);
  if ((await cache.match(SHELL, ANY)) !== undefined) return;
  const headers = { Accept: "text/html" };
  await cache.add(new Request(SHELL, { credentials: "omit", headers, cache: "no-store" }));
}

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keepShell());
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** Whether a page with these files belongs to this build, that is, loads the entry script of the cached page. */
async function areOwn(files) {
  const page = await (await caches.open(KEPT)).match(SHELL, ANY);
  const [, script] = /<script[^>]* src="([^"]+)"/.exec((await page?.text()) ?? "") ?? [];
  return files.some((address) => new URL(address).pathname === script);
}

/**
 * Caches a page's files, including those loaded before this worker controlled it. Then deletes the caches of earlier
 * builds, which open tabs still need until a page of this build has loaded.
 */
async function keepPage(files) {
  await keepShell();
  if (!(await areOwn(files))) return;
  const cache = await caches.open(KEPT);
  const keepFile = async (address) =>
    (await cache.match(address, ANY)) ?? keep(address, await fileOf(address));
  await Promise.allSettled(files.map(keepFile));
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
}

self.addEventListener("message", (event) => {
  event.waitUntil(keepPage(event.data.filter((address) => isFile(new URL(address)))));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (isFile(url)) event.respondWith(fileOf(request.url));
  else if (request.destination === "document" && !NON_STUDIO_PATHS.test(url.pathname))
    event.respondWith(pageOf(request));
});

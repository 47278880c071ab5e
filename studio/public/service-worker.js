/**
 * Lets the Studio open without a connection: it keeps the page and the build's files that were loaded, nothing else. Answers of
 * the API never pass through it, and nothing is fetched with cookies. Each build has a name (scripts/make/studio.ts), so a
 * deployment replaces this worker and, once a page of it was loaded, all that it kept. How to remove it: docs/studio.md.
 */
const KEPT = "studio-BUILD";
const SHELL = "/";
/** Addresses that are no page of the Studio; as in src/interface/http/studio-page.ts. */
const OTHERS = /^\/(api|docs|i|mcp|oauth|\.well-known)(\/|$)/;

/** `Vary` matters only to API programs. */
const ANY = { ignoreVary: true };

/** Files are named by their content, so a kept one is never old, whichever build kept it. */
const fileOf = async (address) =>
  (await caches.match(address, ANY)) ?? keep(address, await fetch(address, { credentials: "omit" }));

async function keep(address, answer) {
  const cache = await caches.open(KEPT);
  // The page needs the file even if the browser has no room to keep it.
  if (answer.ok) await cache.put(address, answer.clone()).catch(() => {});
  return answer;
}

/** The newest page; without a connection the one that was kept first, because only its files are sure to be kept. */
async function pageOf(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(SHELL, ANY)) ?? Response.error();
  }
}

const isFile = ({ origin, pathname }) => origin === location.origin && pathname.startsWith("/studio/");

/** Keeps the page, unless it is kept. Signing out with "remove data" deletes the cache, but not this worker. */
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

/** Whether a page with these files is of this build: it was begun by the script that the kept page names. */
async function areOwn(files) {
  const page = await (await caches.open(KEPT)).match(SHELL, ANY);
  const [, script] = /<script[^>]* src="([^"]+)"/.exec((await page?.text()) ?? "") ?? [];
  return files.some((address) => new URL(address).pathname === script);
}

/**
 * Keeps the files of a page, also those that it loaded before this worker controlled it. What earlier builds kept is deleted
 * only then: until the first page of this build, a tab opens with theirs.
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
  else if (request.destination === "document" && !OTHERS.test(url.pathname))
    event.respondWith(pageOf(request));
});

import { createServer } from "node:http";
import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { loadSample, untilGrid } from "./support/order.ts";
import { test } from "./support/shared-studio.ts";
import { openSignedIn, openVisitor, openWorkspace, type Studio } from "./support/studio.ts";

/** Paths of the files in the service worker's first cache. */
const keptPaths = (page: Page): Promise<string[]> =>
  page.evaluate(
    "caches.keys().then(async ([name]) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname))",
  );

/** Whether the service worker has cached every file that the page has loaded. */
const isKept = (page: Page): Promise<boolean> =>
  page.evaluate(
    `Promise.all(performance.getEntriesByType("resource").map(({ name }) => name)
      .filter((name) => new URL(name).pathname.startsWith("/studio/"))
      .map((name) => caches.match(name, { ignoreVary: true }))).then((kept) => kept.every(Boolean))`,
  );

/** Whether the newest service worker is active. Before that, its cache may exist without the page. */
const isUpdated = (page: Page): Promise<boolean> =>
  page.evaluate(
    "navigator.serviceWorker.ready.then(({ installing, waiting, active }) => !installing && !waiting && active?.state === 'activated')",
  );

test("the editor opens offline with its draft drawn; no API response is cached", async ({ studio }) => {
  const { page, context, person } = await openSignedIn(studio, 20, { serviceWorkers: "allow" });
  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  await untilGrid(page, 10);
  // The draft is stored when the page is left; the service worker is active from the second visit on.
  await page.reload();
  await untilGrid(page, 10);
  await context.setOffline(true);
  await page.reload();
  await page.getByText("You are offline. Your draft is kept in this browser.").waitFor();
  await page.getByText("dandelion.webp", { exact: true }).waitFor();
  await untilGrid(page, 10);
  const kept = await keptPaths(page);
  expect(kept).toContain("/");
  expect(kept.filter((path) => path !== "/" && !path.startsWith("/studio/"))).toEqual([]);
});

/** A proxy in front of the Studio that can deploy the build under other names, without its earlier files. */
async function openDeployments({ service }: Studio) {
  let isNext = false;
  const server = createServer(async ({ url = "/", headers }, response) => {
    const isGone = isNext && url.startsWith("/studio/") && !url.startsWith("/studio/next/");
    if (isGone) return response.writeHead(404).end();
    const address = new URL(url.replace("/studio/next/", "/studio/"), service.origin);
    const answer = await fetch(address, { headers: { Accept: headers.accept ?? "" } });
    const type = answer.headers.get("Content-Type") ?? "";
    const body = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { "Content-Type": type });
    response.end(isNext && /html|javascript|css/.test(type) ? renamed(body.toString()) : body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => server.close().closeAllConnections());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const deploy = (): void => {
    isNext = true;
  };
  return { baseURL: `http://127.0.0.1:${address.port}`, deploy };
}

const renamed = (text: string): string =>
  text
    .replaceAll(/(?<=["'`(/])studio\/(?=\w)/g, "studio/next/")
    .replace(/"studio-[0-9a-f]{12}"/, '"studio-next"');

test("after a deployment an open tab still opens offline, and its next visit leaves only the new files cached", async ({
  studio,
}) => {
  const { baseURL, deploy } = await openDeployments(studio);
  const { page, context } = await openVisitor(studio, { serviceWorkers: "allow", baseURL });
  const untilShown = () => page.getByRole("heading", { name: "One photo in." }).waitFor();
  const cacheNames = () => page.evaluate<string[]>("caches.keys()");
  const reloadOffline = async () => {
    await context.setOffline(true);
    await page.reload();
    await untilShown();
    await context.setOffline(false);
  };
  await page.goto("/");
  await untilShown();
  await page.reload();
  await untilShown();
  await expect.poll(() => isKept(page)).toBe(true);
  deploy();
  await page.evaluate("navigator.serviceWorker.ready.then((registration) => registration.update())");
  await expect.poll(cacheNames).toContain("studio-next");
  await expect.poll(() => isUpdated(page)).toBe(true);
  await reloadOffline();
  await page.reload();
  await untilShown();
  await expect.poll(cacheNames).toEqual(["studio-next"]);
  await reloadOffline();
  const kept = await keptPaths(page);
  expect(kept.filter((path) => path !== "/" && !path.startsWith("/studio/next/"))).toEqual([]);
});

import { readFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { BrowserContext, Response } from "playwright-core";
import { expect } from "vitest";
import { ASSETS_FOLDER, inRoot } from "../../scripts/local/paths.ts";
import { loadSample, untilGrid } from "./support/order.ts";
import { test } from "./support/shared-studio.ts";
import { openSignedIn, openVisitor, openWorkspace } from "./support/studio.ts";

/** Tests how many bytes a first visit loads. */

const FIRST_SCRIPTS_BYTES_MAX = 150_000;
const SAMPLE_PAGE_BYTES_MAX = 1_500_000;

/** Cloudflare's compression level for dynamic compression. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Collects the bodies that a context's pages load, each path once. */
function watchLoads(context: BrowserContext): () => Promise<ReadonlyMap<string, Buffer>> {
  const loads = new Map<string, Promise<Buffer>>();
  context.on("response", (response) => {
    const { pathname, protocol } = new URL(response.url());
    if (protocol === "http:" && !loads.has(pathname)) loads.set(pathname, bodyOf(response, pathname));
  });
  return async () =>
    new Map(await Promise.all([...loads].map(async ([path, body]) => [path, await body] as const)));
}

/** Read static files from disk, because the browser discards pictures that it has shown. */
const bodyOf = (response: Response, path: string): Promise<Buffer> =>
  path.startsWith("/studio/")
    ? Promise.resolve(readFileSync(inRoot(`${ASSETS_FOLDER}${path}`)))
    : response.body().catch(() => Buffer.alloc(0));

test("the first page's gzipped scripts stay within 150 KB", async ({ studio }) => {
  const { page, context } = await openVisitor(studio);
  const loaded = watchLoads(context);
  await page.goto("/", { waitUntil: "networkidle" });
  const scripts = [...(await loaded())].filter(([path]) => path.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(5);
  const bytes = scripts.reduce((sum, [, body]) => sum + gzipSync(body, { level: 9 }).length, 0);
  expect(bytes).toBeLessThanOrEqual(FIRST_SCRIPTS_BYTES_MAX);
});

test("the editor with the sample drawn stays within 1.5 MB, engine, fonts and pictures included", async ({
  studio,
}) => {
  const { page, context, person } = await openSignedIn(studio, 20);
  const loaded = watchLoads(context);
  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  await untilGrid(page, 10);
  const bodies = [...(await loaded()).values()];
  expect(bodies.length).toBeGreaterThan(40);
  const bytes = bodies.reduce(
    (sum, body) => sum + Math.min(body.length, brotliCompressSync(body, BROTLI).length),
    0,
  );
  expect(bytes).toBeLessThanOrEqual(SAMPLE_PAGE_BYTES_MAX);
});

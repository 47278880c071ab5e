import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { chargesOf, ledgerOf } from "./support/credits.ts";
import { photoOf } from "./support/files.ts";
import { beginVersion, loadSample, orderButton, untilGrid, untilPack } from "./support/order.ts";
import { test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace, pageFaults, type Studio } from "./support/studio.ts";
import { trappingModule } from "./trapping-module.ts";

/** A connection that breaks and an engine that does: each is told of, and the pack can be had all the same. */

let studio: Studio;
test.beforeAll(({ studio: shared }) => {
  studio = shared;
});

test("offline in the middle of an upload: it waits, nothing is lost, and it goes on by itself", async () => {
  const visitor = await openSignedIn(studio, 20);
  const { page, context, person } = visitor;
  await openWorkspace(page, person.workspaceId, "create");
  await page.getByRole("button", { name: "Choose files" }).waitFor();
  // The engine is there before the connection goes.
  await expect.poll(() => page.evaluate('performance.getEntriesByName("grid: warm").length')).toBe(1);
  const slow = await context.newCDPSession(page);
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 40_000 };
  await slow.send("Network.enable");
  await slow.send("Network.emulateNetworkConditions", conditions);
  const photo = await photoOf(3_000, 2_000);
  await page.locator("input[type=file]").setInputFiles({ ...photo });
  const upload = page.getByRole("progressbar", { name: "Upload of holiday.jpg" });
  await upload
    .and(page.locator('[aria-valuenow]:not([aria-valuenow="0"]):not([aria-valuenow="100"])'))
    .waitFor();
  await context.setOffline(true);
  await page.getByText("No connection. The upload goes on when it is back; nothing is lost.").waitFor();
  await page.getByLabel("Headline", { exact: true }).fill("Typed without a connection");
  await untilGrid(page, 10);

  await slow.send("Network.emulateNetworkConditions", { ...conditions, uploadThroughput: -1 });
  await context.setOffline(false);
  await orderButton(page).click();
  await untilPack(page);
  await page.getByRole("heading", { name: "Typed without a connection" }).waitFor();
  expect(chargesOf(await ledgerOf(studio, visitor, person.workspaceId))).toEqual([-10]);
  expect(pageFaults(visitor)).toEqual([]);
});

test("an engine that traps: the grid says so, the pack is ordered without it, and the next page draws again", async () => {
  const visitor = await openSignedIn(studio, 20);
  const { page, person } = visitor;
  const resampler = readFileSync(join(import.meta.dirname, "../../src/renderer/kernels/resample.wasm"));
  await page.route(/resample[^/]*\.wasm$/, (route) =>
    route.fulfill({ contentType: "application/wasm", body: Buffer.from(trappingModule(resampler)) }),
  );
  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  await page.getByRole("alert").filter({ hasText: "The preview stopped working twice." }).waitFor();
  await orderButton(page).click();
  await untilPack(page);
  expect(chargesOf(await ledgerOf(studio, visitor, person.workspaceId))).toEqual([-10]);

  await page.unroute(/resample[^/]*\.wasm$/);
  await beginVersion(page);
  await untilGrid(page, 10);
  expect(pageFaults(visitor)).toEqual([]);
});

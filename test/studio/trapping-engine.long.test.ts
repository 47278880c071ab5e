import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { amountsExceptGrants, ledgerOf } from "./support/credits.ts";
import { beginVersion, loadSample, orderButton, untilGrid, untilPack } from "./support/order.ts";
import { studio, test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace, pageFaults } from "./support/studio.ts";
import { trappingModule } from "./trapping-module.ts";

test("if the engine traps, the grid reports it, orders still work, and the next page draws again", async () => {
  const visitor = await openSignedIn(studio, 20);
  const { page, person } = visitor;
  const resampler = readFileSync(join(import.meta.dirname, "../../src/renderer/kernels/resample.wasm"));
  await page.route(/resample[^/]*\.wasm$/, (route) =>
    route.fulfill({ contentType: "application/wasm", body: Buffer.from(trappingModule(resampler)) }),
  );
  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  await page.getByRole("alert").filter({ hasText: "The preview crashed twice." }).waitFor();
  await orderButton(page).click();
  await untilPack(page);
  expect(amountsExceptGrants(await ledgerOf(studio, visitor, person.workspaceId))).toEqual([-10]);

  await page.unroute(/resample[^/]*\.wasm$/);
  await beginVersion(page);
  await untilGrid(page, 10);
  expect(pageFaults(visitor)).toEqual([]);
});

import { readFile } from "node:fs/promises";
import { unzipSync } from "fflate";
import { expect } from "vitest";
import { allBarriers } from "../conformance/support/browser.ts";
import { finishJob } from "../conformance/support/flow.ts";
import { seedPack } from "./support/seed.ts";
import { test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace } from "./support/studio.ts";

test("runs an HTML5 banner on its pack's page, and saves one network's files", async ({ studio }) => {
  const { page, person, faults } = await openSignedIn(studio, 30);
  const { key, mediaId } = await seedPack(studio, person);
  const { artifactId } = await finishJob(studio.service, key, {
    contractId: "campaign.v3",
    selectedSizeIds: ["iab-300x250", "gads-336x280"],
    motion: "animated",
    outputFormat: "html5",
    network: "google",
    clickUrl: "https://example.com/",
    assetIds: { media: mediaId },
    copy: { headline: "Soft" },
  });
  await openWorkspace(page, person.workspaceId, `packs/${artifactId}`);
  await page.getByRole("button", { name: "Show IAB banners 300 × 250 large" }).click();
  await page.getByRole("button", { name: "Play the banner" }).click();
  const banner = page.frameLocator("iframe");
  await banner.locator("#click").waitFor();
  expect((await banner.locator("img").first().boundingBox())?.width).toBeGreaterThan(0);
  expect(await allBarriers(page, '[role="dialog"]')).toEqual([]);
  await page.keyboard.press("Escape");
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download by network" }).click();
  await page.getByRole("menuitem", { name: /Google Ads/ }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/^soft-\d{4}-\d\d-\d\d-gads\.zip$/);
  const zip = unzipSync(new Uint8Array(await readFile(await download.path())));
  const sizes = ["soft-300x250", "soft-336x280"];
  expect(Object.keys(zip).sort()).toEqual(sizes.flatMap((name) => [`${name}.jpg`, `${name}.zip`]));
  expect(faults()).toEqual([]);
});

test("shows a video's still, and plays it with the browser's controls", async ({ studio }) => {
  const { page, person, faults } = await openSignedIn(studio, 30);
  const { key, mediaId } = await seedPack(studio, person);
  const { artifactId } = await finishJob(studio.service, key, {
    contractId: "social.v2",
    selectedSizeIds: ["meta-feed-1080x1080"],
    motion: "animated",
    outputFormat: "mp4",
    assetIds: { media: mediaId },
    copy: { headline: "Soft" },
  });
  await openWorkspace(page, person.workspaceId, `packs/${artifactId}`);
  await page.getByRole("button", { name: "Show Meta feed 1080 × 1080 large" }).click();
  await page.locator('video[controls][src^="blob:"][poster^="blob:"]').waitFor();
  expect(await allBarriers(page, '[role="dialog"]')).toEqual([]);
  expect(faults()).toEqual([]);
});

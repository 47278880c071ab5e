import { describe, expect, it } from "vitest";
import { seedWorkspace } from "../support/arrange.ts";
import { expectRateLimitHeaders, send } from "../support/client.ts";
import { createIntent, createJob, LOGO, uploadLogo, uploadMedia } from "../support/flow.ts";
import type { Harness } from "../support/harness.ts";

export const assets = (harness: Harness): void => {
  const { service, rich } = harness;
  describe("API §2.7 assets", () => {
    it("API §4.22 GET /assets 200: newest first, filtered by slot and status, paged by time", async () => {
      const { key } = await seedWorkspace(service, { credits: 1 });
      const made = [await uploadLogo(service, key), await uploadLogo(service, key)];
      made.push(await uploadMedia(service, key));
      await createIntent(service, key, LOGO);
      const list = async (query: string) =>
        (await send(service, "GET", `/api/v1/assets?${query}`, { key })).body.data;
      const ids = (page: { items: { assetId: string }[] }) => page.items.map((asset) => asset.assetId);
      expect(ids(await list("status=ready"))).toEqual([...made].reverse());
      expect(ids(await list("slotId=media"))).toEqual([made[2]]);
      expect((await list("status=processing")).items).toHaveLength(1);
      expect((await list("status=rejected")).items).toHaveLength(0);
      const first = await list("limit=2&status=ready");
      const second = await list(`limit=2&status=ready&before=${encodeURIComponent(first.nextBefore)}`);
      expect([...ids(first), ...ids(second)]).toEqual([...made].reverse());
      expect(second.nextBefore).toBeNull();
      const [{ sha256 }] = (await list("slotId=media")).items;
      expect(ids(await list(`sha256=${sha256}`))).toEqual([made[2]]);
      expect(ids(await list(`slotId=logo&sha256=${sha256}`))).toEqual([]);
      expect(ids(await list("status=ready&before=2100-01-01T02:00:00%2B02:00"))).toHaveLength(made.length);
      expect(ids(await list("before=2000-01-01T00:00:00Z"))).toEqual([]);
    });

    it.each(["slotId=poster", "status=broken", "sha256=12"])(
      "API §4.22 GET /assets?%s is 400",
      async (query) => {
        expect((await send(service, "GET", `/api/v1/assets?${query}`, { key: rich.key })).status).toBe(400);
      },
    );

    it("API §3.10 DELETE /assets/{assetId} 200 returns the deleted asset, which is then hidden and unusable", async () => {
      const { key } = await seedWorkspace(service, { credits: 1 });
      const assetId = await uploadLogo(service, key);
      const path = `/api/v1/assets/${assetId}`;
      const found = await send(service, "GET", path, { key });
      expect(found.status).toBe(200);
      expectRateLimitHeaders(found);
      const deleted = await send(service, "DELETE", path, { key });
      expect(deleted.status).toBe(200);
      expectRateLimitHeaders(deleted);
      expect(deleted.body.data.assetId).toBe(assetId);
      expect(Date.parse(deleted.body.data.deletedAt)).not.toBeNaN();
      expect((await send(service, "GET", path, { key })).status).toBe(404);
      const again = await send(service, "DELETE", path, { key });
      expect(again.status).toBe(200);
      expect(again.body.data).toEqual(deleted.body.data);
      expect((await send(service, "GET", "/api/v1/assets", { key })).body.data.items).toEqual([]);
      const job = await createJob(service, key, {
        contractId: "display.v1",
        selectedSizeIds: ["iab-300x250"],
        assetIds: { logo: assetId },
      });
      expect([job.status, job.body.error.code]).toEqual([422, "ASSET_UNKNOWN"]);
    });

    it("API §4.51 GET /assets/{assetId}/content 200 sends the uploaded file; 304 with its ETag; 409 while not ready; 404 for a foreign asset", async () => {
      const { key } = await seedWorkspace(service, { credits: 1 });
      const path = (assetId: string) => `/api/v1/assets/${assetId}/content`;
      const assetId = await uploadLogo(service, key);
      const sent = await send(service, "GET", path(assetId), { key });
      expect([sent.status, sent.headers.get("Content-Type")]).toEqual([200, LOGO.mimeType]);
      expectRateLimitHeaders(sent);
      expect(sent.bytes).toEqual(LOGO.bytes);
      const known = { key, headers: { "If-None-Match": sent.headers.get("ETag") ?? "" } };
      expect((await send(service, "GET", path(assetId), known)).status).toBe(304);
      const intent = await createIntent(service, key, LOGO);
      expect((await send(service, "GET", path(intent.assetId), { key })).status).toBe(409);
      const foreign = await send(service, "GET", path(assetId), { key: harness.stranger.key });
      expect([foreign.status, foreign.body.error.code]).toEqual([404, "ASSET_NOT_FOUND"]);
    });
  });
};

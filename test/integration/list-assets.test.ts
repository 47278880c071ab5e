import { describe, expect, it } from "vitest";
import { assetPageSchema } from "../../src/contract/schemas/asset.ts";
import { logoFile, mediaFile } from "../support/asset-files.ts";
import { createIntent, resourceOf, send, uploadAsset } from "../support/assets.ts";
import { createWorkspace } from "../support/workspace.ts";

const list = async (secret: string, query = "") =>
  resourceOf(await send(secret, "GET", `/api/v1/assets${query}`), 200, assetPageSchema);

const idsOf = ({ items }: { items: readonly { assetId: string }[] }) => items.map(({ assetId }) => assetId);

describe("GET /api/v1/assets", () => {
  it("200: every asset once, newest first, over pages of any size", async () => {
    const { secret } = await createWorkspace({});
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) made.unshift((await createIntent(secret, logoFile)).assetId);
    for (const limit of [1, 2, 5, 100]) {
      const seen: string[] = [];
      let query = `?limit=${limit}`;
      for (;;) {
        const page = await list(secret, query);
        expect(page.items.length).toBeLessThanOrEqual(limit);
        seen.push(...idsOf(page));
        if (page.nextBefore === null) break;
        query = `?limit=${limit}&before=${encodeURIComponent(page.nextBefore)}`;
      }
      expect(seen, `limit ${limit}`).toEqual(made);
    }
  });

  it("200: narrows by slot and status together", async () => {
    const { secret } = await createWorkspace({});
    const ready = await uploadAsset(secret, mediaFile);
    const waiting = (await createIntent(secret, mediaFile)).assetId;
    const logo = (await createIntent(secret, logoFile)).assetId;
    expect(idsOf(await list(secret))).toEqual([logo, waiting, ready]);
    expect(idsOf(await list(secret, "?slotId=media"))).toEqual([waiting, ready]);
    expect(idsOf(await list(secret, "?status=processing"))).toEqual([logo, waiting]);
    expect(idsOf(await list(secret, "?status=processing&slotId=media"))).toEqual([waiting]);
    expect(await list(secret, "?status=rejected")).toEqual({ items: [], nextBefore: null });
  });

  it("200: takes a time with an offset as cursor", async () => {
    const { secret } = await createWorkspace({});
    await createIntent(secret, logoFile);
    expect(
      (await list(secret, `?before=${encodeURIComponent("2100-01-01T02:00:00+02:00")}`)).items,
    ).toHaveLength(1);
    expect((await list(secret, "?before=2000-01-01T00:00:00Z")).items).toHaveLength(0);
  });
});

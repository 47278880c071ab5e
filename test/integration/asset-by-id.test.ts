import { expect, it, vi } from "vitest";
import { assetSchema } from "#api/schemas/asset.ts";
import { clock } from "#platform/clock.ts";
import { logoFile } from "../support/asset-files.ts";
import { resourceOf, send, uploadAsset } from "../support/assets.ts";
import { createWorkspace } from "../support/workspace.ts";

const pathOf = (assetId: string): string => `/api/v1/assets/${assetId}`;

it("DELETE /api/v1/assets/{assetId} 200: ten concurrent requests all return the asset, deleted once", async () => {
  const { secret } = await createWorkspace({});
  const assetId = await uploadAsset(secret, logoFile);
  const before = await resourceOf(await send(secret, "GET", pathOf(assetId)), 200, assetSchema);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => send(secret, "DELETE", pathOf(assetId))),
  );
  const shown = await Promise.all(answers.map((answer) => resourceOf(answer, 200, assetSchema)));
  const later = vi.spyOn(clock, "now").mockReturnValue(Date.now() + 3_600_000);
  const again = await send(secret, "DELETE", pathOf(assetId)).finally(() => later.mockRestore());
  shown.push(await resourceOf(again, 200, assetSchema));
  const [deleted] = shown;
  expect(deleted?.deletedAt).not.toBeNull();
  expect({ ...deleted, deletedAt: null }).toEqual(before);
  for (const asset of shown) expect(asset).toEqual(deleted);
});

import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { idsOf, type NamedAssets, validateReadyInputs } from "#domains/assets/ready-inputs.ts";
import { assetsByIds } from "#domains/assets/store.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { logoFile, mediaFile } from "../support/asset-files.ts";
import { complete, createIntent, sendBytes, uploadAsset } from "../support/assets.ts";
import { createWorkspace } from "../support/workspace.ts";

const readyInputs = async (workspaceId: string, assetIds: NamedAssets) =>
  validateReadyInputs(
    assetIds,
    await assetsByIds.all(env.DB, { workspaceId, assetIds: JSON.stringify(idsOf(assetIds)) }),
  );

it("inputs are ready assets in their own slots, with the storage key of their bytes", async () => {
  const { secret, workspaceId } = await createWorkspace({});
  const [logo, media] = [await uploadAsset(secret, logoFile), await uploadAsset(secret, mediaFile)];
  const inputs = await readyInputs(workspaceId, { logo, media });
  if (!inputs.ok) throw new Error(inputs.message);
  expect(Object.keys(inputs.value).sort()).toEqual(["logo", "media"]);
  expect(inputs.value.media).toMatchObject({
    assetId: media,
    mimeType: "image/png",
    width: 480,
    height: 360,
  });
  const stored = await env.BUCKET.get(inputs.value.media?.objectKey ?? "");
  const bytes = new Uint8Array((await stored?.arrayBuffer()) ?? new ArrayBuffer(0));
  expect(await sha256Hex(bytes)).toBe(inputs.value.media?.sha256);
  expect(await readyInputs(workspaceId, {})).toEqual({ ok: true, value: {} });
});

it("an asset in another slot is refused before one that is not ready", async () => {
  const { secret, workspaceId } = await createWorkspace({});
  const media = await uploadAsset(secret, mediaFile);
  const waiting = (await createIntent(secret, logoFile)).assetId;
  expect(await readyInputs(workspaceId, { background: media, logo: waiting })).toMatchObject({
    code: "SLOT_UNSUPPORTED",
    details: { slots: ["background"] },
  });
  expect(await readyInputs(workspaceId, { media, logo: waiting })).toMatchObject({
    code: "ASSET_NOT_READY",
    details: { slots: ["logo"] },
  });
  const spoilt = { ...mediaFile, width: 481 };
  const intent = await createIntent(secret, spoilt);
  await sendBytes(secret, intent, spoilt.bytes);
  await complete(secret, intent);
  expect(await readyInputs(workspaceId, { media: intent.assetId })).toMatchObject({
    code: "ASSET_NOT_READY",
    details: { slots: ["media"], safeToRetryUnchanged: false },
  });
});

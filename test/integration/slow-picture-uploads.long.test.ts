import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { type AssetFile, complete, createIntent, sendBytes, uploadAsset } from "../support/assets.ts";
import { barsPng } from "../support/files.ts";
import { jobIn, postJob, readJob } from "../support/jobs.ts";
import { postPreview } from "../support/previews.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { createWorkspace } from "../support/workspace.ts";

const SLOW = { bytes: barsPng(6_000, 4_000), mimeType: "image/png", width: 6_000, height: 4_000 };
const slowFile = (slotId: string): AssetFile => ({ slotId, fileName: `${slotId}.png`, ...SLOW });

let workspace: Awaited<ReturnType<typeof createWorkspace>>;
beforeEach(async () => {
  workspace = await createWorkspace({ credits: 20 });
});

const packOf = (assetIds: Readonly<Record<string, string>>) => ({
  contractId: "display.v1",
  selectedSizeIds: ["iab-320x50"],
  assetIds,
  copy: { headline: "Bars" },
});

/** Object keys of an asset: its bytes, then its renditions. */
async function storedOf(assetId: string): Promise<readonly string[]> {
  const prefix = `workspaces/${workspace.workspaceId}/assets/${assetId}/`;
  return (await env.BUCKET.list({ prefix })).objects.map(({ key }) => key);
}

/** Records the keys that are read and written from now on. */
function watchBucket() {
  const get = vi.spyOn(env.BUCKET, "get");
  const put = vi.spyOn(env.BUCKET, "put");
  return {
    read: () => get.mock.calls.map(([key]) => key),
    written: () => put.mock.calls.map(([key]) => key),
  };
}

async function drawJob(assetIds: Readonly<Record<string, string>>): Promise<void> {
  const { jobId } = jobIn(await postJob(workspace.secret, packOf(assetIds)));
  await vi.waitUntil(async () => (await readJob(workspace.secret, jobId)).status === "succeeded", {
    timeout: 20_000,
  });
}

it("pictures that decode slowly are decoded at upload, and not again by the first previews or the first job", async () => {
  const media = await uploadAsset(workspace.secret, slowFile("media"));
  const secondaryMedia = await uploadAsset(workspace.secret, slowFile("secondaryMedia"));
  const background = await uploadAsset(workspace.secret, slowFile("background"));
  const originals = await Promise.all(
    [media, secondaryMedia, background].map(async (assetId) => (await storedOf(assetId))[0]),
  );
  const bucket = watchBucket();
  for (const assetIds of [{ media }, { media, secondaryMedia }, { media, secondaryMedia, background }]) {
    expect((await postPreview(workspace.secret, packOf(assetIds))).status).toBe(200);
  }
  await drawJob({ media, secondaryMedia, background });
  const read = bucket.read();
  expect(read.some((key) => key.includes("/renditions/"))).toBe(true);
  expect(originals.filter((key) => key === undefined || read.includes(key))).toEqual([]);
  expect(bucket.written().filter((key) => key.includes("/renditions/"))).toEqual([]);
});

it("a completion that cannot store renditions succeeds, and the job decodes the picture", async () => {
  silenceLogs();
  const { put } = env.BUCKET;
  const putting = vi.spyOn(env.BUCKET, "put").mockImplementation((key: string, ...rest: unknown[]) => {
    if (key.includes("/renditions/")) throw new Error("put failed");
    return Reflect.apply(put, env.BUCKET, [key, ...rest]);
  });
  const media = await uploadAsset(workspace.secret, slowFile("media"));
  putting.mockRestore();
  expect(await storedOf(media)).toHaveLength(1);
  await drawJob({ media });
  expect(await storedOf(media)).toHaveLength(2);
});

it("a replayed completion reads no stored object", async () => {
  const file = slowFile("product");
  const intent = await createIntent(workspace.secret, file);
  await sendBytes(workspace.secret, intent, file.bytes);
  expect((await complete(workspace.secret, intent, file.bytes.length, "once")).status).toBe(200);
  expect(await storedOf(intent.assetId)).toHaveLength(3);
  const bucket = watchBucket();
  expect((await complete(workspace.secret, intent, file.bytes.length, "once")).status).toBe(200);
  expect([bucket.read(), bucket.written()]).toEqual([[], []]);
});

it("a picture that decodes quickly is not decoded at its completion", async () => {
  const bytes = barsPng(5_000, 4_000);
  const file = { ...slowFile("media"), bytes, width: 5_000 };
  expect(await storedOf(await uploadAsset(workspace.secret, file))).toHaveLength(1);
});

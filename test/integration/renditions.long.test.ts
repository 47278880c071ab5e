import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { deleteAssetBytes } from "#domains/assets/retention-sweeps.ts";
import { clock } from "#platform/clock.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { mediaFile } from "../support/asset-files.ts";
import { send, uploadAsset } from "../support/assets.ts";
import { png } from "../support/files.ts";
import { jobIn, postJob, readJob } from "../support/jobs.ts";
import { createWorkspace } from "../support/workspace.ts";

const PHOTO = png(2400, 1700);

/** A workspace with one picture that is large enough for its decoded form to be cached. */
async function workspaceWithPhoto() {
  const workspace = await createWorkspace({ credits: 20 });
  const mediaId = await uploadAsset(workspace.secret, {
    ...mediaFile,
    bytes: PHOTO,
    width: 2400,
    height: 1700,
  });
  const prefix = `workspaces/${workspace.workspaceId}/assets/${mediaId}/`;
  const stored = async () => (await env.BUCKET.list({ prefix })).objects.map(({ key }) => key);
  return { ...workspace, mediaId, stored };
}

type PhotoWorkspace = Awaited<ReturnType<typeof workspaceWithPhoto>>;

async function drawnJob({ secret, mediaId }: PhotoWorkspace, headline: string): Promise<void> {
  const body = {
    contractId: "display.v1",
    selectedSizeIds: ["iab-320x50"],
    assetIds: { media: mediaId },
    copy: { headline },
  };
  const { jobId } = jobIn(await postJob(secret, body));
  await vi.waitUntil(async () => (await readJob(secret, jobId)).status === "succeeded", { timeout: 20_000 });
}

it("the second job with a picture does not read its bytes", async () => {
  const workspace = await workspaceWithPhoto();
  await drawnJob(workspace, "One");
  const [original, rendition, ...others] = await workspace.stored();
  expect(original).toBeDefined();
  expect(rendition).toContain("/renditions/");
  expect(others).toEqual([]);
  const get = vi.spyOn(env.BUCKET, "get");
  await drawnJob(workspace, "Two");
  const read = get.mock.calls.map(([key]) => key);
  expect(read).toContain(rendition);
  expect(read).not.toContain(original);
});

it("a job succeeds, but takes longer, if storage loses the renditions", async () => {
  const workspace = await workspaceWithPhoto();
  const { put, get } = env.BUCKET;
  vi.spyOn(env.BUCKET, "put").mockImplementation((key: string, ...rest: unknown[]) => {
    if (key.includes("/renditions/")) throw new Error("put failed");
    return Reflect.apply(put, env.BUCKET, [key, ...rest]);
  });
  vi.spyOn(env.BUCKET, "get").mockImplementation((key: string, ...rest: unknown[]) => {
    if (key.includes("/renditions/")) throw new Error("get failed");
    return Reflect.apply(get, env.BUCKET, [key, ...rest]);
  });
  await drawnJob(workspace, "One");
  expect(await workspace.stored()).toHaveLength(1);
});

it("a rendition altered in storage is made again", async () => {
  const workspace = await workspaceWithPhoto();
  await drawnJob(workspace, "One");
  const rendition = (await workspace.stored()).find((key) => key.includes("/renditions/")) ?? "";
  // Compares digests, because comparing megabytes element by element takes too much memory.
  const digestOf = async () =>
    sha256Hex((await (await env.BUCKET.get(rendition))?.bytes()) ?? new Uint8Array(0));
  const before = await digestOf();
  await env.BUCKET.put(rendition, new Uint8Array(100), { customMetadata: { sha256: "0".repeat(64) } });
  await drawnJob(workspace, "Two");
  expect(await digestOf()).toBe(before);
});

it("storing a rendition deletes the renditions of other engine versions", async () => {
  const workspace = await workspaceWithPhoto();
  const [original = ""] = await workspace.stored();
  const older = `${original.slice(0, original.lastIndexOf("/"))}/renditions/older-engine/of-the-picture`;
  await env.BUCKET.put(older, "pixels");
  await drawnJob(workspace, "One");
  const [first, rendition, ...others] = await workspace.stored();
  expect(first).toBe(original);
  expect(rendition).toContain("/renditions/");
  expect([rendition === older, others]).toEqual([false, []]);
});

it("renditions are deleted with the asset", async () => {
  const workspace = await workspaceWithPhoto();
  await drawnJob(workspace, "One");
  expect((await send(workspace.secret, "DELETE", `/api/v1/assets/${workspace.mediaId}`)).status).toBe(200);
  await deleteAssetBytes(env.DB, env.BUCKET, clock.now() + LIMITS.deletedAssetRetentionMs + 1, 1_000);
  expect(await workspace.stored()).toEqual([]);
});

import { env, exports } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { expireArtifacts } from "#domains/artifacts/retention-sweep.ts";
import { finishJob } from "#domains/jobs/end-job.ts";
import { changeAccess } from "#domains/workspaces/change-access.ts";
import { clock } from "#platform/clock.ts";
import type { DrawnFile } from "#platform/db/schema/index.ts";
import { newId } from "#platform/ids.ts";
import { log } from "#platform/log/log.ts";
import { pick } from "#platform/pick-members.ts";
import { ENGINE_VERSION } from "#renderer/version.ts";
import {
  filePath,
  firstFile,
  linksOf,
  pathOf,
  readManifest,
  readyPack,
  storedObject,
} from "../support/artifacts.ts";
import { execute, selectValue } from "../support/database.ts";
import { heldJob, SIX_SIZES } from "../support/held-jobs.ts";
import { deliver, readJob } from "../support/jobs.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { refusalOf } from "../support/refusals.ts";
import { call } from "../support/workspace.ts";

it("API §2.13 a manifest names the engine that drew each file, and the newest of these engines", async () => {
  const { client, jobId } = await heldJob({ selectedSizeIds: SIX_SIZES });
  await deliver({ jobId, part: 0 });
  const drawn: readonly DrawnFile[] = JSON.parse(
    (await selectValue<string>`SELECT files FROM job_parts WHERE job_id = ${jobId}`) ?? "",
  );
  expect(drawn.map(({ engineVersion }) => engineVersion)).toEqual(drawn.map(() => ENGINE_VERSION));
  const versions = ["1.9.7", "1.10.0"];
  for (const [part, engineVersion] of versions.entries()) {
    const files = drawn.map((file) => {
      const fileName = `${part}-${file.fileName}`;
      return { ...file, fileName, fileId: newId(), engineVersion };
    });
    await execute`INSERT OR REPLACE INTO job_parts (job_id, part, attempts, files)
        VALUES (${jobId}, ${part}, 1, ${JSON.stringify(files)})`;
  }
  expect(await finishJob({ db: env.DB, bucket: env.BUCKET }, jobId, clock.now())).toBe(true);
  const { artifactId } = await readJob(client.secret, jobId);
  const { manifest, files } = await readManifest(client.secret, artifactId ?? "");
  expect(manifest.engineVersion).toBe("1.10.0");
  expect(new Set(files.map(({ engineVersion }) => engineVersion))).toEqual(new Set(versions));
});

it("a missing or altered manifest is 500, and its links are 409; the files can still be downloaded", async () => {
  silenceLogs();
  const pack = await readyPack();
  const { client, artifactId, manifest } = pack;
  const { key, bytes } = await storedObject(pack, "manifest.json");
  const refusals = async () => {
    const paths = [`/api/v1/artifacts/${artifactId}`, `/api/v1/artifacts/${artifactId}/download`];
    return Promise.all(
      paths.map(async (path) => refusalOf(await call("GET", path, { secret: client.secret }))),
    );
  };
  const corrupt = [
    [500, "INTERNAL_ERROR"],
    [409, "FILE_CORRUPT"],
  ];
  await env.BUCKET.put(key, bytes.slice(1));
  expect(await refusals()).toEqual(corrupt);
  await env.BUCKET.delete(key);
  expect(await refusals()).toEqual(corrupt);
  const { workspaceId } = client;
  expect(log.failure).toHaveBeenCalledWith({ event: "manifest_lost", workspaceId, artifactId });
  const file = await exports.default.fetch(
    new Request(`https://packs.example${filePath(pack, firstFile(pack).fileId)}`, {
      headers: { Authorization: `Bearer ${client.secret}` },
    }),
  );
  expect(file.status).toBe(200);
  expect((await file.arrayBuffer()).byteLength).toBe(firstFile(pack).byteLength);
  await env.BUCKET.put(key, bytes);
  expect(await readManifest(client.secret, artifactId)).toEqual(manifest);
});

it("a pack from before manifests were objects has its details in its row, and is shown and linked as usual", async () => {
  const pack = await readyPack();
  const { client, artifactId, manifest } = pack;
  const details = manifest.files.map((file) => pick(file, "fileId", "compliance", "layout"));
  await execute`UPDATE artifacts SET manifest_sha256 = NULL, file_details = ${JSON.stringify(details)}
      WHERE artifact_id = ${artifactId}`;
  const { key } = await storedObject(pack, "manifest.json");
  await env.BUCKET.delete(key);
  const files = manifest.files.map(({ engineVersion: _, ...file }) => file);
  expect(await readManifest(client.secret, artifactId)).toEqual({ ...manifest, files });
  const links = await linksOf(pack);
  const zip = await exports.default.fetch(new Request(links.url));
  expect([zip.status, (await zip.arrayBuffer()).byteLength]).toEqual([200, links.byteLength]);
});

it("API §16.3 an expired artifact keeps its manifest, refuses every download with 409, and loses its files", async () => {
  const pack = await readyPack();
  const { client, artifactId, manifest } = pack;
  const expiresAtMs = Date.parse(manifest.manifest.expiresAt);
  const late = vi.spyOn(clock, "now").mockReturnValue(expiresAtMs - 1_000);
  const links = await linksOf(pack);
  expect(links.expiresAt).toBe(manifest.manifest.expiresAt);
  late.mockReturnValue(expiresAtMs);
  expect(await readManifest(client.secret, artifactId)).toEqual({ ...manifest, status: "expired" });
  for (const path of [`/api/v1/artifacts/${artifactId}/download`, filePath(pack, firstFile(pack).fileId)]) {
    const refused = await call("GET", path, { secret: client.secret });
    expect(refusalOf(refused)).toEqual([409, "ARTIFACT_NOT_READY"]);
  }
  expect((await call("GET", pathOf(links.url))).status).toBe(403);

  const prefix = `workspaces/${client.workspaceId}/artifacts/${artifactId}/`;
  const deletesAtMs = expiresAtMs + 60 * 60_000;
  vi.spyOn(env.BUCKET, "delete").mockRejectedValueOnce(new Error("storage is down"));
  await expect(expireArtifacts(env.DB, env.BUCKET, deletesAtMs, 1_000)).rejects.toThrow();
  expect((await env.BUCKET.list({ prefix })).objects).toHaveLength(3);
  await expireArtifacts(env.DB, env.BUCKET, deletesAtMs, 1_000);
  // The manifest stays as long as its row.
  const kept = (await env.BUCKET.list({ prefix })).objects.map((object) => object.key.slice(prefix.length));
  expect(kept).toEqual(["manifest.json"]);
  expect(await readManifest(client.secret, artifactId)).toEqual({ ...manifest, status: "expired" });
  expect(await expireArtifacts(env.DB, env.BUCKET, deletesAtMs, 1_000)).toEqual({ expired: 0, deleted: 0 });
});

it.each([
  ["credits", { credits: 20 }],
  ["subscription", { quota: 20, credits: 20 }],
  ["unlimited", { unlimited: true }],
] as const)(
  "API §16.5 how a pack was paid (%s) decides how long its files are kept, whatever access changes later",
  async (source, access) => {
    const { client, artifactId, manifest } = await readyPack(access);
    const { createdAt, expiresAt } = manifest.manifest;
    const endMs = Date.parse(createdAt) + LIMITS.artifactRetentionMs[source];
    expect(Date.parse(expiresAt)).toBe(endMs);
    expect((await changeAccess(env.DB, client.workspaceId, { kind: "credits" }, Date.now())).ok).toBe(true);
    await expireArtifacts(env.DB, env.BUCKET, endMs - 1, 1_000);
    expect(await readManifest(client.secret, artifactId)).toEqual(manifest);
    await expireArtifacts(env.DB, env.BUCKET, endMs, 1_000);
    expect((await readManifest(client.secret, artifactId)).status).toBe("expired");
  },
);

/** A ZIP reads its files one by one while it is sent. So the sweep deletes files only some time after their expiry. */
it("a ZIP that began before its artifact expired is sent completely, despite the sweep", async () => {
  const pack = await readyPack();
  const expiresAtMs = Date.parse(pack.manifest.manifest.expiresAt);
  vi.spyOn(clock, "now").mockReturnValue(expiresAtMs - 1_000);
  const links = await linksOf(pack);
  const response = await exports.default.fetch(new Request(links.url));
  expect(response.status).toBe(200);
  const swept = await expireArtifacts(env.DB, env.BUCKET, expiresAtMs + 59 * 60_000, 1_000);
  expect(swept.expired).toBeGreaterThan(0);
  const prefix = `workspaces/${pack.client.workspaceId}/artifacts/${pack.artifactId}/`;
  expect((await env.BUCKET.list({ prefix })).objects).toHaveLength(3);
  expect((await response.arrayBuffer()).byteLength).toBe(links.byteLength);
});

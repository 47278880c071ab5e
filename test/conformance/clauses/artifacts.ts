import { createHash, randomUUID } from "node:crypto";
import { unzipSync } from "fflate";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { damageFirstFile, expireArtifact, seedWorkspace } from "../support/arrange.ts";
import { type Answer, expectRateLimitHeaders, send } from "../support/client.ts";
import { finishJob, finishLogoPack, uploadLogo, uploadMedia } from "../support/flow.ts";
import type { Harness } from "../support/harness.ts";

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const SIZES = ["iab-300x250", "iab-320x50", "meta-feed-1080x1080"];

interface ManifestFile {
  readonly fileId: string;
  readonly sizeId: string;
  readonly fileName: string;
  readonly width: number;
  readonly height: number;
  readonly contentType: string;
  readonly byteLength: number;
  readonly checksum: { readonly algorithm: string; readonly value: string };
}

export const artifacts = (harness: Harness): void => {
  const { service, rich } = harness;
  let pack: { artifactId: string; jobId: string; renderFingerprint: string } | undefined;
  const packOf = async () => {
    if (pack) return pack;
    const logo = await uploadLogo(service, rich.key);
    const media = await uploadMedia(service, rich.key);
    const job = await finishJob(service, rich.key, {
      contractId: "campaign.v1",
      selectedSizeIds: SIZES,
      outputFormat: "jpg",
      assetIds: { logo, media },
      copy: { headline: "Slow mornings, bright days", cta: "Shop now" },
    });
    pack = job;
    return job;
  };
  const get = (path: string, key = rich.key, headers: Record<string, string> = {}): Promise<Answer> =>
    send(service, "GET", path, { key, headers });
  const manifestOf = async () => (await get(`/api/v1/artifacts/${(await packOf()).artifactId}`)).body.data;

  it("API §2.13, §4.36 200: the ready artifact with its pack, its manifest and one file per size", async () => {
    const { artifactId, jobId, renderFingerprint } = await packOf();
    const answer = await get(`/api/v1/artifacts/${artifactId}`);
    expect(answer.status).toBe(200);
    expectRateLimitHeaders(answer);
    const artifact = answer.body.data;
    expect(artifact).toMatchObject({
      artifactId,
      jobId,
      status: "ready",
      pack: {
        contractId: "campaign.v1",
        motion: "static",
        outputFormat: "jpg",
        sizeIds: SIZES,
        renderFingerprint,
      },
    });
    expect(artifact.manifest.engineVersion.length).toBeGreaterThan(0);
    expect(artifact.files.map((file: ManifestFile) => file.sizeId)).toEqual(SIZES);
    const bytes = artifact.files.reduce((sum: number, file: ManifestFile) => sum + file.byteLength, 0);
    expect(artifact.manifest.totalBytes).toBe(bytes);
    for (const file of artifact.files) {
      expect(file.role).toBe("primary");
      expect(file.checksum.algorithm).toBe("sha256");
      expect(file.checksum.value).toMatch(/^[0-9a-f]{64}$/);
      expect(file.compliance.verdict).toBe("pass");
      expect(file.layout.family).toBe("campaign");
    }
  });

  describe("API §4.39 GET /artifacts/{artifactId}/files/{fileId}/download", () => {
    it("API §4.39 200 with headers, and the bytes that the manifest describes, which another decoder can read", async () => {
      const artifact = await manifestOf();
      for (const file of artifact.files as ManifestFile[]) {
        const answer = await get(`/api/v1/artifacts/${artifact.artifactId}/files/${file.fileId}/download`);
        expect(answer.status).toBe(200);
        expectRateLimitHeaders(answer);
        expect(answer.bytes.byteLength).toBe(file.byteLength);
        expect(digestOf(answer.bytes)).toBe(file.checksum.value);
        expect(answer.headers.get("Content-Type")).toBe(file.contentType);
        expect(answer.headers.get("Content-Length")).toBe(String(file.byteLength));
        expect(answer.headers.get("Content-Disposition")).toContain(`filename="${file.fileName}"`);
        expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
        const image = await sharp(answer.bytes).metadata();
        expect([image.width, image.height, image.format]).toEqual([file.width, file.height, "jpeg"]);
      }
    });

    it("API §4.39 304 for an unchanged file", async () => {
      const artifact = await manifestOf();
      const path = `/api/v1/artifacts/${artifact.artifactId}/files/${artifact.files[0].fileId}/download`;
      const etag = (await get(path)).headers.get("ETag") ?? "";
      const again = await get(path, rich.key, { "If-None-Match": etag });
      expect([again.status, again.bytes.byteLength]).toEqual([304, 0]);
    });

    it("API §1.3 404: a file that the artifact does not have", async () => {
      const { artifactId } = await packOf();
      const wrongFile = await get(`/api/v1/artifacts/${artifactId}/files/${randomUUID()}/download`);
      expect([wrongFile.status, wrongFile.body.error.code]).toEqual([404, "FILE_NOT_FOUND"]);
    });

    it("API §4.40 409 FILE_CORRUPT: a stored file that fails its checks is never sent", async () => {
      const job = await finishLogoPack(service, rich.key);
      const artifact = (await get(`/api/v1/artifacts/${job.artifactId}`)).body.data;
      const { fileId } = artifact.files[0];
      await damageFirstFile(service, artifact.artifactId);
      const answer = await get(`/api/v1/artifacts/${artifact.artifactId}/files/${fileId}/download`);
      expect([answer.status, answer.body.error.code]).toEqual([409, "FILE_CORRUPT"]);
    });
  });

  describe("API §2.14, §4.37 GET /artifacts/{artifactId}/download", () => {
    it("API §2.14, §4.37 200: a short-lived link that streams a ZIP of the promised length", async () => {
      const artifact = await manifestOf();
      const answer = await get(`/api/v1/artifacts/${artifact.artifactId}/download`);
      expect(answer.status).toBe(200);
      expectRateLimitHeaders(answer);
      const { url, method, expiresAt, contentType, byteLength, files } = answer.body.data;
      expect(method).toBe("GET");
      const lifetimeMs = Date.parse(expiresAt) - Date.now();
      expect(lifetimeMs).toBeGreaterThan(0);
      expect(lifetimeMs).toBeLessThanOrEqual(300_000);
      const address = new URL(url);
      expect(address.origin).toBe(service.origin);
      const zip = await send(service, "GET", address.pathname + address.search);
      expect(zip.status).toBe(200);
      expect(zip.headers.get("Content-Type")).toBe(contentType);
      expect(zip.headers.get("Content-Length")).toBe(String(byteLength));
      expect(zip.bytes.byteLength).toBe(byteLength);
      const entries = unzipSync(zip.bytes);
      for (const file of artifact.files as ManifestFile[]) {
        const entry = entries[file.fileName];
        expect(entry && digestOf(entry)).toBe(file.checksum.value);
      }
      const manifest = JSON.parse(new TextDecoder().decode(entries["manifest.json"]));
      expect(manifest.artifactId).toBe(artifact.artifactId);
      expect(Object.keys(entries)).toHaveLength(artifact.files.length + 1);
      const single = new URL(files[0].url);
      const one = await send(service, "GET", single.pathname + single.search);
      expect(digestOf(one.bytes)).toBe(artifact.files[0].checksum.value);
    });

    it("API §1.8 501 without a signing key", async () => {
      const { key } = await seedWorkspace(harness.withoutDelivery, { credits: 1 });
      const answer = await send(
        harness.withoutDelivery,
        "GET",
        `/api/v1/artifacts/${randomUUID()}/download`,
        {
          key,
        },
      );
      expect(answer.status).toBe(501);
    });
  });

  it("API §3.11 409 on every download of an expired artifact; the manifest shows the expiry", async () => {
    const { artifactId } = await finishLogoPack(service, rich.key);
    const artifact = (await get(`/api/v1/artifacts/${artifactId}`)).body.data;
    await expireArtifact(service, artifactId);
    await service.sweep();
    expect((await get(`/api/v1/artifacts/${artifactId}`)).body.data.status).toBe("expired");
    for (const path of ["download", `files/${artifact.files[0].fileId}/download`]) {
      const answer = await get(`/api/v1/artifacts/${artifactId}/${path}`);
      expect([answer.status, answer.body.error.code]).toEqual([409, "ARTIFACT_NOT_READY"]);
    }
  });
};

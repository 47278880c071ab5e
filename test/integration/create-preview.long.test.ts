import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { runSweeps } from "#interface/queue/sweeps/run-sweeps.ts";
import { readCapabilities } from "#platform/bindings/capabilities.ts";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { getRenderer } from "#platform/render-engine.ts";
import { readManifest } from "../support/artifacts.ts";
import { mediaFile } from "../support/asset-files.ts";
import { uploadAsset } from "../support/assets.ts";
import { execute, selectValue } from "../support/database.ts";
import { padPng, png } from "../support/files.ts";
import { acceptedJob, endedJob, jobIn, postJob, workspaceWithLogo } from "../support/jobs.ts";
import {
  errorIn,
  expectPreviewHeaders,
  postPreview,
  previewIn,
  previewOf,
  quotaOf,
} from "../support/previews.ts";

const DAY_MS = 86_400_000;
const DEFAULTS = { ...LIMITS };

afterEach(() => {
  Object.assign(LIMITS, DEFAULTS);
});

describe("API §13.6 a preview is the pack's first size, protected and free", () => {
  it("API §13.7 predicts the length and verdict of the paid output in the requested format", async () => {
    const client = await workspaceWithLogo({ credits: 5 });
    const changes = { selectedSizeIds: ["iab-300x50"], outputFormat: "webp", copy: { cta: "Ride" } };
    const { predicted } = previewIn(await postPreview(client.secret, previewOf(client, changes)));
    const job = await endedJob(client.secret, (await acceptedJob(client, changes)).jobId);
    const [file] = (await readManifest(client.secret, job.artifactId ?? "")).files;
    expect(predicted).toEqual({
      outputFormat: "webp",
      motion: "static",
      byteLength: file?.byteLength,
      compliance: file?.compliance,
      failure: null,
    });
  });

  it("predicts the paid file of one size among several, however the sizes are split into messages", async () => {
    const client = await workspaceWithLogo({ credits: 10 });
    const bytes = png(1200, 850);
    const mediaId = await uploadAsset(client.secret, { ...mediaFile, bytes, width: 1200, height: 850 });
    const sizeIds = ["iab-300x250", "iab-320x50", "iab-728x90", "iab-300x50", "gads-320x100"];
    const body = (selectedSizeIds: readonly string[]) => ({
      contractId: "campaign.v1",
      outputFormat: "jpg",
      selectedSizeIds,
      assetIds: { media: mediaId, logo: client.logoId },
      copy: { headline: "Two wheels" },
    });
    const job = await endedJob(client.secret, jobIn(await postJob(client.secret, body(sizeIds))).jobId);
    const { files } = await readManifest(client.secret, job.artifactId ?? "");
    for (const sizeId of ["iab-300x250", "gads-320x100"]) {
      const paid = files.find((file) => file.sizeId === sizeId);
      const others = sizeIds.filter((other) => other !== sizeId);
      for (const selected of [[sizeId], [sizeId, ...others]]) {
        const { predicted, layout } = previewIn(await postPreview(client.secret, body(selected)));
        expect(predicted).toMatchObject({ byteLength: paid?.byteLength, compliance: paid?.compliance });
        expect(layout).toEqual(paid?.layout);
      }
    }
  });

  it("predicts the file of an animation, but shows a still", async () => {
    const client = await workspaceWithLogo({ credits: 1 });
    const changes = { selectedSizeIds: ["iab-320x50"], motion: "animated" };
    const { predicted, image } = previewIn(await postPreview(client.secret, previewOf(client, changes)));
    expect(image.contentType).toBe("image/png");
    expect(predicted).toMatchObject({ outputFormat: "gif", motion: "animated", failure: null });
    expect(predicted?.compliance?.checks.map((check) => check.rule)).toContain("loops");
  });
});

describe("API §13.4 the same preview is drawn once", () => {
  it("API §13.3 an identical request with another Idempotency-Key is cached: nothing is rendered or reserved", async () => {
    const client = await workspaceWithLogo();
    const first = previewIn(await postPreview(client.secret, previewOf(client)));
    const draw = vi.spyOn(getRenderer(), "preview");
    // The order of the later sizes and an empty text do not change the image.
    const again = previewIn(
      await postPreview(
        client.secret,
        previewOf(client, { selectedSizeIds: ["iab-320x50", "iab-728x90"], copy: { cta: "" } }),
      ),
    );
    expect(draw).not.toHaveBeenCalled();
    expect(again).toEqual({ ...first, cached: true, quota: again.quota });
    expect(again.quota.product.used).toBe(1);
    expect(again.quota.burst.used).toBe(1);
  });

  it("a replay returns the first result, even without allowance; another body is 409", async () => {
    const client = await workspaceWithLogo();
    const key = newId();
    const first = previewIn(await postPreview(client.secret, previewOf(client), key));
    const one = { PREVIEW_DAILY: "1", PREVIEW_BURST: "1" };
    const answer = await postPreview(client.secret, previewOf(client), key, one);
    const replay = previewIn(answer);
    expect(answer.headers.get("Idempotent-Replayed")).toBe("true");
    expectPreviewHeaders(answer, replay.quota);
    expect(replay).toEqual({ ...first, cached: true, quota: replay.quota });
    const other = await postPreview(client.secret, previewOf(client, { copy: { cta: "Go" } }), key);
    expect([other.status, errorIn(other).code]).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
    expect((await quotaOf(client.secret)).product.used).toBe(1);
  });

  it("previewId is the same in every workspace, and differs for every difference in the drawing", async () => {
    const one = await workspaceWithLogo();
    const other = await workspaceWithLogo({ unlimited: true });
    const idOf = async (client: typeof one, changes = {}) =>
      previewIn(await postPreview(client.secret, previewOf(client, changes))).previewId;
    const same = await idOf(one);
    expect(await idOf(other)).toBe(same);
    const others = [
      await idOf(one, { copy: { cta: "Go" } }),
      await idOf(one, { selectedSizeIds: ["iab-300x50"] }),
      await idOf(one, { brand: { primaryColor: "#ff0000" } }),
      await idOf(one, { outputFormat: "webp" }),
    ];
    expect(new Set([same, ...others]).size).toBe(5);
  });

  it("API §13.8 has the same watermark in all workspaces that never paid, and a separate one in each that did", async () => {
    const pictures = [];
    for (const credits of [0, 0, 5, 5]) {
      const client = await workspaceWithLogo({ credits });
      pictures.push(previewIn(await postPreview(client.secret, previewOf(client))));
    }
    const [one, other, ...paid] = pictures.map(({ image }) => image.sha256);
    expect(other).toBe(one);
    expect(new Set([one, ...paid]).size).toBe(3);
    expect(pictures[0]?.protection).toBe("watermarked-lowres");
  });

  it("API §13.8 a workspace without paid access may see only a few similar previews a day", async () => {
    Object.assign(LIMITS, { similarPreviewsPerDay: 2 });
    const { secret, logoId } = await workspaceWithLogo({ credits: 0 });
    const upload = (bytes: Uint8Array) => uploadAsset(secret, { ...mediaFile, bytes });
    const show = async (media: string, copy = {}) => {
      const answer = await postPreview(secret, previewOf({ logoId }, { assetIds: { media }, copy }));
      return [answer.status, answer.status === 200 ? null : errorIn(answer).code];
    };
    const pictures = [20, 21, 22].map((more) => padPng(mediaFile.bytes, mediaFile.bytes.length + more));
    const [first = "", second = "", third = ""] = await Promise.all(pictures.map(upload));
    const drawn = [200, null];
    const refused = [429, "PREVIEW_QUOTA_EXCEEDED"];
    expect([await show(first), await show(second), await show(third)]).toEqual([drawn, drawn, refused]);
    // A preview with other copy or another image is not similar.
    const cutOut = await upload(png(480, 360, { isCutOut: true }));
    expect([await show(first, { headline: "Ride on" }), await show(cutOut)]).toEqual([drawn, drawn]);
    expect([await show(third), (await quotaOf(secret)).product.used]).toEqual([refused, 4]);
  });

  it("with other access a preview is drawn again, so that watermarked and unwatermarked previews never mix", async () => {
    const client = await workspaceWithLogo();
    const marked = previewIn(await postPreview(client.secret, previewOf(client)));
    await execute`UPDATE workspaces SET has_unlimited_access = 1 WHERE workspace_id = ${client.workspaceId}`;
    const plain = previewIn(await postPreview(client.secret, previewOf(client)));
    expect([marked.protection, plain.protection, plain.cached]).toEqual(["watermarked", "none", false]);
    expect(plain.previewId).toBe(marked.previewId);
    expect(plain.image.sha256).not.toBe(marked.image.sha256);
  });

  it("a damaged cached preview is drawn again and sent completely", async () => {
    const client = await workspaceWithLogo();
    const first = previewIn(await postPreview(client.secret, previewOf(client)));
    const objectKey = `workspaces/${client.workspaceId}/previews/${first.previewId}/${first.protection}.json`;
    const stored = await (await env.BUCKET.get(objectKey))?.text();
    await env.BUCKET.put(objectKey, (stored ?? "").replace(/"base64":"...../, '"base64":"AAAAA'));
    const again = previewIn(await postPreview(client.secret, previewOf(client)));
    expect(again).toEqual({ ...first, cached: false, quota: again.quota });
  });

  it("a preview is cached for a week; a day later the sweep deletes it", async () => {
    const client = await workspaceWithLogo();
    const startMs = clock.now();
    const { previewId, protection } = previewIn(await postPreview(client.secret, previewOf(client)));
    const objectKey = `workspaces/${client.workspaceId}/previews/${previewId}/${protection}.json`;
    const sweepAt = (nowMs: number) => runSweeps(readCapabilities(env), nowMs);
    await sweepAt(startMs + 8 * DAY_MS - 60_000);
    expect(await env.BUCKET.head(objectKey)).not.toBeNull();
    vi.spyOn(clock, "now").mockReturnValue(startMs + 7 * DAY_MS + 60_000);
    expect(previewIn(await postPreview(client.secret, previewOf(client))).cached).toBe(false);
    await sweepAt(startMs + 8 * DAY_MS + 120_000);
    expect(await env.BUCKET.head(objectKey)).not.toBeNull();
    await sweepAt(startMs + 15 * DAY_MS + 120_000);
    expect(await env.BUCKET.head(objectKey)).toBeNull();
    const rows =
      await selectValue<number>`SELECT COUNT(*) AS rows FROM previews WHERE workspace_id = ${client.workspaceId}`;
    expect(rows).toBe(0);
  });
});

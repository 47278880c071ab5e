import { exports } from "cloudflare:workers";
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { newId } from "#platform/ids.ts";
import { readManifest } from "../support/artifacts.ts";
import { mediaFile } from "../support/asset-files.ts";
import { uploadAsset } from "../support/assets.ts";
import { selectValue } from "../support/database.ts";
import { png } from "../support/files.ts";
import { claimAndDie } from "../support/held-jobs.ts";
import {
  type Client,
  deliver,
  eventsOf,
  expectInvariants,
  holdQueue,
  jobIn,
  packOf,
  postJob,
  readJob,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { errorIn, postPreview, previewIn, quotaOf } from "../support/previews.ts";
import { balanceOf, detailsOf, refusalOf } from "../support/refusals.ts";
import { call, type Settings } from "../support/workspace.ts";

const CLICK_URL = "https://example.com/spring";
const BANNER = {
  contractId: "display.v3",
  selectedSizeIds: ["iab-300x250"],
  motion: "animated",
  outputFormat: "html5",
  clickUrl: CLICK_URL,
};
const VIDEO = {
  contractId: "social.v2",
  selectedSizeIds: ["tiktok-640x640"],
  motion: "animated",
  outputFormat: "mp4",
};
const CREDITS = 10;

/** A workspace with a logo and a photo, and the body of a pack with both. */
async function clientWithPhoto() {
  const client = await workspaceWithLogo({ credits: CREDITS });
  const bytes = png(800, 600);
  const media = await uploadAsset(client.secret, { ...mediaFile, bytes, width: 800, height: 600 });
  const pack = (changes: Record<string, unknown>) =>
    packOf(client, {
      assetIds: { logo: client.logoId, media },
      copy: { headline: "Two wheels" },
      ...changes,
    });
  return { client, pack };
}

/** The files of a finished job with their bytes. */
async function filesOf({ secret }: Client, jobId: string) {
  const { artifactId } = await readJob(secret, jobId);
  const { files } = await readManifest(secret, artifactId ?? "");
  const load = async (fileId: string): Promise<Uint8Array> => {
    const url = `https://packs.example/api/v1/artifacts/${artifactId}/files/${fileId}/download`;
    const headers = { Authorization: `Bearer ${secret}` };
    const answer = await exports.default.fetch(new Request(url, { headers }));
    expect(answer.status).toBe(200);
    return new Uint8Array(await answer.arrayBuffer());
  };
  return Promise.all(files.map(async (file) => ({ ...file, bytes: await load(file.fileId) })));
}

const CHARGED_ONCE = [{ type: "consumption", amount: -3, source: "credits" }];

it("an HTML5 banner is charged once, contains its click URL, and has a JPEG backup beside the ZIP", async () => {
  holdQueue();
  const { client, pack } = await clientWithPhoto();
  const key = newId();
  const order = (changes: object) => postJob(client.secret, pack({ ...BANNER, ...changes }), key);
  const accepted = await order({});
  expect(accepted.status, JSON.stringify(accepted.body)).toBe(202);
  const { jobId } = jobIn(accepted);
  await deliver({ jobId, part: 0 });
  const click = { network: "google", clickUrl: CLICK_URL };
  expect(await readJob(client.secret, jobId)).toMatchObject({ status: "succeeded", ...click });
  expect([(await order({})).status, jobIn(await order({})).jobId]).toEqual([200, jobId]);
  const conflict = await order({ clickUrl: "https://example.com/summer" });
  expect(refusalOf(conflict)).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
  const [banner, backup] = await filesOf(client, jobId);
  expect(banner).toMatchObject({ role: "primary", contentType: "application/zip" });
  expect(backup).toMatchObject({ role: "backup", contentType: "image/jpeg" });
  const rules = banner?.compliance.checks.map(({ rule }) => rule);
  expect(rules).toEqual(expect.arrayContaining(["load_bytes", "files"]));
  expect(banner?.compliance.checks.filter(({ passed }) => !passed)).toEqual([]);
  const page = unzipSync(banner?.bytes ?? new Uint8Array())["index.html"];
  expect(new TextDecoder().decode(page)).toContain(CLICK_URL);
  expect(await eventsOf(jobId)).toEqual(CHARGED_ONCE);
  expect(await balanceOf(client.workspaceId)).toBe(CREDITS - 3);
  await expectInvariants(client.workspaceId);
});

it("a video is drawn by the next delivery if rendering dies, and is charged once", async () => {
  holdQueue();
  const { client, pack } = await clientWithPhoto();
  const { jobId } = jobIn(await postJob(client.secret, pack(VIDEO)));
  const messageId = newId();
  await claimAndDie(jobId, messageId);
  await deliver({ jobId, part: 0 }, { messageId, attempts: 2, queue: "creative-packs-videos" });
  const [video, backup] = await filesOf(client, jobId);
  expect(video).toMatchObject({ role: "primary", contentType: "video/mp4", durationMs: 6_000 });
  expect(new TextDecoder().decode(video?.bytes.subarray(4, 8))).toBe("ftyp");
  expect(backup).toMatchObject({ role: "backup", contentType: "image/jpeg" });
  expect(video?.compliance.checks.map(({ rule }) => rule)).toContain("bit_rate");
  expect(video?.compliance.checks.filter(({ passed }) => !passed)).toEqual([]);
  expect(await readJob(client.secret, jobId)).toMatchObject({ network: null, clickUrl: null });
  expect(await eventsOf(jobId)).toEqual(CHARGED_ONCE);
  expect(await balanceOf(client.workspaceId)).toBe(CREDITS - 3);
  await expectInvariants(client.workspaceId);
}, 60_000);

describe("an impossible moving pack is refused with the allowed values, and not created or charged", () => {
  const FORMATS = { formats: ["gif", "webp", "apng"] };
  it.each<[string, number, string, object, object]>([
    ["a malformed address", 400, "INVALID_REQUEST", { clickUrl: "example.com/spring" }, {}],
    ["an unknown network", 400, "INVALID_REQUEST", { network: "yahoo" }, {}],
    ["a duration, which a request cannot set", 400, "INVALID_REQUEST", { durationMs: 60_000 }, {}],
    [
      "an http: address",
      422,
      "CLICK_URL_UNSUPPORTED",
      { clickUrl: "http://example.com/" },
      { macros: expect.arrayContaining(["%%CLICK_URL_UNESC%%"]) },
    ],
    [
      "another network's macro",
      422,
      "CLICK_URL_UNSUPPORTED",
      { network: "amazon", clickUrl: "%%CLICK_URL_ESC%%" },
      { macros: ["%%CLICK_URL%%"] },
    ],
    [
      "HTML5 for a network that does not accept it",
      422,
      "FORMAT_UNSUPPORTED",
      { contractId: "campaign.v3", selectedSizeIds: ["og-1200x630"] },
      { sizeIds: ["og-1200x630"] },
    ],
    ["HTML5 with an older contract", 422, "FORMAT_UNSUPPORTED", { contractId: "display.v2" }, FORMATS],
  ])("%s is %i %s", async (_, status, code, changes, details) => {
    const client = await workspaceWithLogo({ credits: CREDITS });
    const answer = await postJob(client.secret, packOf(client, { ...BANNER, ...changes }));
    expect(refusalOf(answer)).toEqual([status, code]);
    expect(detailsOf(answer)).toMatchObject(details);
    expect(await balanceOf(client.workspaceId)).toBe(CREDITS);
    const jobs =
      await selectValue<number>`SELECT COUNT(*) FROM jobs WHERE workspace_id = ${client.workspaceId}`;
    expect(jobs).toBe(0);
  });
});

describe("previews of an animation", () => {
  it("show its first, middle or last frame (the default), protected and counted separately", async () => {
    const client = await workspaceWithLogo();
    const pack = packOf(client, { ...VIDEO, copy: { headline: "Two wheels, no excuses", cta: "Ride" } });
    const shown = async (frame?: string) =>
      previewIn(await postPreview(client.secret, { ...pack, ...(frame && { frame }) }));
    const frames = [await shown("first"), await shown("middle"), await shown("last")];
    expect(new Set(frames.map(({ image }) => image.sha256)).size).toBe(3);
    expect(new Set(frames.map(({ previewId }) => previewId)).size).toBe(3);
    for (const { protection, image, predicted } of frames) {
      expect([protection, predicted]).toEqual(["watermarked", null]);
      expect([image.width, image.height]).toEqual([448, 448]);
    }
    expect(await shown()).toMatchObject({ cached: true, previewId: frames[2]?.previewId });
    expect((await shown("first")).cached).toBe(true);
    expect((await quotaOf(client.secret)).product.used).toBe(3);
  });

  it("cannot select a frame of a static pack: 400 names the member, and nothing is counted", async () => {
    const client = await workspaceWithLogo();
    const answer = await postPreview(client.secret, packOf(client, { frame: "first" }));
    expect([answer.status, errorIn(answer).message]).toEqual([400, expect.stringContaining("frame")]);
    expect((await quotaOf(client.secret)).product.used).toBe(0);
  });
});

describe("MP4_OUTPUT", () => {
  it.each([
    ["off", { MP4_OUTPUT: "off" }],
    ["without a queue for videos", { VIDEO_QUEUE: undefined }],
  ])(
    "%s refuses videos and names the remaining formats; no video is listed, and nothing is charged",
    async (_, settings) => {
      const client = await workspaceWithLogo({ credits: CREDITS });
      const { secret } = client;
      const headers = { "Idempotency-Key": newId() };
      const asked = { secret, headers, settings, body: packOf(client, VIDEO) };
      for (const path of ["/api/v1/jobs", "/api/v1/jobs/quote"]) {
        const answer = await call("POST", path, asked);
        expect(refusalOf(answer)).toEqual([422, "FORMAT_UNSUPPORTED"]);
        expect(detailsOf(answer).formats).toEqual(["gif", "webp", "apng", "html5"]);
      }
      const preview = await postPreview(secret, asked.body, newId(), settings);
      expect([preview.status, errorIn(preview).details.reason]).toEqual([400, "FORMAT_UNSUPPORTED"]);
      const { body } = await call("GET", "/api/v1/contracts/social.v2", { settings });
      expect(body.data.animatedFormats).not.toContain("mp4");
      expect(body.data.sizes.filter((size: object) => "video" in size)).toEqual([]);
      expect(await balanceOf(client.workspaceId)).toBe(CREDITS);
    },
  );

  it("is on if unset; /health reports an invalid value and a missing queue", async () => {
    const shown = async (MP4_OUTPUT: unknown, others: Settings = {}) => {
      const settings = { MP4_OUTPUT, ...others };
      const contract = await call("GET", "/api/v1/contracts/social.v2", { settings });
      const health = await call("GET", "/health", { settings });
      return [contract.body.data.animatedFormats.includes("mp4"), health.body.data.missing];
    };
    for (const setting of [undefined, "on"]) expect(await shown(setting)).toEqual([true, []]);
    expect(await shown("ON")).toEqual([false, ["MP4_OUTPUT"]]);
    const withoutQueue = { VIDEO_QUEUE: undefined };
    expect(await shown("on", withoutQueue)).toEqual([false, ["VIDEO_QUEUE"]]);
    expect(await shown("off", withoutQueue)).toEqual([false, []]);
  });
});

import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { deleteAsset } from "#domains/assets/asset.ts";
import { rerunJob } from "#domains/jobs/rerun-job.ts";
import { createBrand } from "#operations/save-brand.ts";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import interBold from "../../src/renderer/fonts/inter-display-bold.ttf";
import interMedium from "../../src/renderer/fonts/inter-medium.ttf";
import { uploadAsset } from "../support/assets.ts";
import { brandIn, postBrand, savedBrand } from "../support/brands.ts";
import { execute } from "../support/database.ts";
import {
  acceptedJob,
  deliver,
  failByDeadLetter,
  holdQueue,
  jobIn,
  packOf,
  postJob,
  readJob,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { postPreview, previewIn } from "../support/previews.ts";
import { refusalOf } from "../support/refusals.ts";
import { call } from "../support/workspace.ts";

const DEFAULTS = { ...LIMITS };
afterEach(() => void Object.assign(LIMITS, DEFAULTS));

const WHITE_LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">
  <rect width="200" height="100" rx="30" fill="#ffffff"/></svg>`;

const DESIGN = {
  colors: { primaryColor: "#0b5fff", accentColor: "#e4572e" },
  look: "bold",
  buttonStyle: "pill_outline",
  disclaimer: "While stocks last.",
  language: "en-GB",
};

/** A workspace with two logos and two fonts. */
async function agency() {
  const client = await workspaceWithLogo();
  const upload = (slotId: string, fileName: string, mimeType: string, bytes: Uint8Array) =>
    uploadAsset(client.secret, { slotId, fileName, mimeType, bytes });
  const font = (bytes: ArrayBuffer) => upload("font", "inter.ttf", "font/ttf", new Uint8Array(bytes));
  const assetIds = {
    logoOnLight: client.logoId,
    logoOnDark: await upload("logo", "w.svg", "image/svg+xml", new TextEncoder().encode(WHITE_LOGO)),
    headlineFont: await font(interBold),
    textFont: await font(interMedium),
  };
  return { client, assetIds };
}

const patch = (secret: string, brandId: string, body: object) =>
  call("PATCH", `/api/v1/brands/${brandId}`, { secret, body });

const quoted = async (secret: string, body: object): Promise<string> =>
  (await call("POST", "/api/v1/jobs/quote", { secret, body })).body.data?.renderFingerprint;

describe("API §21.3 a request takes missing values from its brand", () => {
  it("a job uses and shows the brand's values unless it sets its own, like quotes and previews", async () => {
    const { client, assetIds } = await agency();
    const { brandId } = await savedBrand(client.secret, { name: "Velo", assetIds, ...DESIGN });
    const own = { copy: { headline: "Hello", language: "de" }, brand: { accentColor: "#000000" } };
    const body = packOf(client, { assetIds: {}, brandId, look: "retail", ...own });
    const job = jobIn(await postJob(client.secret, body));
    expect(job).toMatchObject({
      brandId,
      brand: { primaryColor: "#0b5fff", accentColor: "#000000" },
      ...{ look: "retail", buttonStyle: "pill_outline" },
      copy: { headline: "Hello", disclaimer: "While stocks last.", language: "de" },
      assetIds: { logo: assetIds.logoOnLight, font: assetIds.headlineFont },
      brandAssetIds: { logoOnDark: assetIds.logoOnDark, textFont: assetIds.textFont },
    });
    expect(await quoted(client.secret, body)).toBe(job.renderFingerprint);
    expect(previewIn(await postPreview(client.secret, body)).image.width).toBeGreaterThan(0);
  });

  it("the request's logo and font replace all logos and fonts of the brand; an empty text removes the brand's text", async () => {
    const { client, assetIds } = await agency();
    const { brandId } = await savedBrand(client.secret, { name: "Velo", assetIds, ...DESIGN });
    const own = { logo: assetIds.logoOnDark, font: assetIds.textFont };
    const job = await acceptedJob(client, { brandId, assetIds: own, copy: { disclaimer: "" } });
    expect(job).toMatchObject({ assetIds: own, brandAssetIds: {} });
    expect(job.copy).toEqual({ language: "en-GB" });
  });

  it("its fingerprint is the same as for the same explicit values", async () => {
    const client = await workspaceWithLogo();
    const { disclaimer, language, colors, look, buttonStyle } = DESIGN;
    const assetIds = { logoOnLight: client.logoId };
    const { brandId } = await savedBrand(client.secret, { name: "Velo", assetIds, ...DESIGN });
    const byHand = packOf(client, { brand: colors, look, buttonStyle, copy: { disclaimer, language } });
    const byBrand = packOf(client, { assetIds: {}, brandId });
    expect(await quoted(client.secret, byBrand)).toBe(await quoted(client.secret, byHand));
  });
});

describe("API §21.5 changes of a brand change no job", () => {
  it("a queued job is drawn, and a failed job rerun, with the values at the time of its order", async () => {
    const { client, assetIds } = await agency();
    const { brandId } = await savedBrand(client.secret, { name: "Velo", assetIds, ...DESIGN });
    const held = holdQueue();
    const body = packOf(client, { assetIds: {}, brandId, copy: { headline: "Hello" } });
    const key = newId();
    const [drawn, failed] = [
      jobIn(await postJob(client.secret, body, key)),
      jobIn(await postJob(client.secret, body)),
    ];
    expect((await patch(client.secret, brandId, { colors: null, look: "premium" })).status).toBe(200);
    const newFingerprint = await quoted(client.secret, body);
    expect(newFingerprint).not.toBe(drawn.renderFingerprint);
    expect((await call("DELETE", `/api/v1/brands/${brandId}`, { secret: client.secret })).status).toBe(200);
    held.mockRestore();
    await deliver({ jobId: drawn.jobId, part: 0 });
    expect(await readJob(client.secret, drawn.jobId)).toMatchObject({
      ...{ status: "succeeded", brandId, renderFingerprint: drawn.renderFingerprint },
    });
    await failByDeadLetter({ jobId: failed.jobId, part: 0 });
    const rerun = await rerunJob(env.DB, client.workspaceId, failed.jobId, clock.now());
    expect(rerun.ok && rerun.value.job).toMatchObject({
      ...{ brandId, look: "bold", buttonStyle: "pill_outline", brandAssetIds: drawn.brandAssetIds },
      renderFingerprint: failed.renderFingerprint,
    });
    const replay = await postJob(client.secret, body, key);
    expect([replay.status, jobIn(replay).jobId]).toEqual([200, drawn.jobId]);
    expect(refusalOf(await postJob(client.secret, body))).toEqual([422, "BRAND_UNKNOWN"]);
  });

  it("deleting an asset removes it from its brand, but a job that uses it is still drawn", async () => {
    const { client, assetIds } = await agency();
    const brand = await savedBrand(client.secret, { name: "Velo", assetIds });
    const { secret } = client;
    const held = holdQueue();
    const job = await acceptedJob(client, { brandId: brand.brandId, assetIds: {} });
    await call("DELETE", `/api/v1/assets/${assetIds.logoOnLight}`, { secret });
    const { logoOnLight: _, ...left } = assetIds;
    const now = brandIn(await call("GET", `/api/v1/brands/${brand.brandId}`, { secret }));
    expect(now.assetIds).toEqual(left);
    expect(await acceptedJob(client, { brandId: brand.brandId, assetIds: {} })).toMatchObject({
      assetIds: { logo: left.logoOnDark },
      brandAssetIds: { textFont: left.textFont },
    });
    held.mockRestore();
    await deliver({ jobId: job.jobId, part: 0 });
    expect(await readJob(secret, job.jobId)).toMatchObject({ status: "succeeded" });
  });
});

describe("API §21.2 a brand names only ready assets of its workspace", () => {
  it("if an asset is deleted between check and write, nothing is saved", async () => {
    const { workspaceId, apiKeyId, logoId } = await workspaceWithLogo();
    const nowMs = clock.now();
    const claim = { workspaceId, apiKeyId, nowMs, idempotencyKey: newId(), operation: "-", requestHash: "-" };
    const batch = vi.fn(async (statements: D1PreparedStatement[]) => {
      await deleteAsset(env.DB, workspaceId, logoId, nowMs);
      return env.DB.batch(statements);
    });
    const db = { prepare: env.DB.prepare.bind(env.DB), batch: batch as D1Database["batch"] };
    const made = await createBrand(db, claim, { name: "Velo", assetIds: { logoOnLight: logoId } });
    expect(made).toMatchObject({ ok: false, code: "ASSET_UNKNOWN" });
    const rows = env.DB.prepare("SELECT count(*) FROM brands WHERE workspace_id = ?1").bind(workspaceId);
    expect(await rows.raw()).toEqual([[0]]);
  });
});

it("API §21.2 two fonts together may be no larger than one file", async () => {
  const { client, assetIds } = await agency();
  await execute`UPDATE assets SET byte_length = ${LIMITS.uploadBytesMax} WHERE asset_id = ${assetIds.textFont}`;
  const refused = await postBrand(client.secret, { name: "Velo", assetIds });
  expect(refusalOf(refused)).toEqual([422, "SLOT_COMBINATION_UNSUPPORTED"]);
  const { headlineFont: _, ...others } = assetIds;
  await savedBrand(client.secret, { name: "Velo", assetIds: others });
});

describe("API §21.1 the number of brands", () => {
  it("is limited even for concurrent requests, and a replay works at the limit", async () => {
    Object.assign(LIMITS, { brandsPerWorkspaceMax: 2 });
    const { secret } = await workspaceWithLogo();
    const key = newId();
    const first = await postBrand(secret, { name: "A" }, key);
    const answers = await Promise.all(["B", "C", "D"].map((name) => postBrand(secret, { name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused && refusalOf(refused)).toEqual([409, "BRAND_LIMIT_REACHED"]);
    const replay = await postBrand(secret, { name: "A" }, key);
    expect([replay.status, brandIn(replay)]).toEqual([200, brandIn(first)]);
  });
});

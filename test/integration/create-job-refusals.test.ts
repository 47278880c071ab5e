import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "#platform/ids.ts";
import interMedium from "../../src/renderer/fonts/inter-medium.ttf";
import invertedMarkOf32Ems from "../fixtures/fonts/inverted-mark-of-32-ems.ttf";
import { uploadAsset } from "../support/assets.ts";
import { selectValue } from "../support/database.ts";
import { type Client, packOf, postJob, workspaceWithLogo } from "../support/jobs.ts";
import { balanceOf, detailsOf, refusalOf } from "../support/refusals.ts";
import { call } from "../support/workspace.ts";

/** A font whose inverted exclamation mark is 32 ems wide; other glyphs are normal. Its upload is accepted. */
const flawedFont = new Uint8Array(invertedMarkOf32Ems);

let client: Client;
beforeAll(async () => {
  client = await workspaceWithLogo();
});

// Property names of Object.prototype are refused like other unknown names.
describe.each(["__proto__", "constructor", "toString", "hasOwnProperty"])("the property name %s", (name) => {
  const named = (value: unknown) => JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`);

  it.each([
    [422, "SLOT_UNSUPPORTED", (logo: string) => ({ assetIds: { logo, ...named(newId()) } })],
    [400, "INVALID_REQUEST", (logo: string) => ({ assetIds: { logo, ...named({ product: logo }) } })],
    [400, "INVALID_REQUEST", () => named(newId())],
    [400, "INVALID_REQUEST", () => named({ motion: "animated" })],
    [400, "INVALID_REQUEST", () => ({ copy: { headline: "Hello", ...named("words") } })],
    [400, "INVALID_REQUEST", () => ({ copy: { headline: "Hello", ...named({ cta: "Go" }) } })],
    [400, "INVALID_REQUEST", () => ({ brand: named("#000000") })],
    [422, "CONTRACT_UNSUPPORTED", () => ({ contractId: name })],
    [422, "SIZE_UNSUPPORTED", () => ({ selectedSizeIds: [name] })],
    [422, "FORMAT_UNSUPPORTED", () => ({ outputFormat: name })],
    [422, "LOOK_UNSUPPORTED", () => ({ look: name })],
    [422, "OVERRIDE_UNSUPPORTED", () => ({ overrides: named({ variant: 2 }) })],
    [400, "INVALID_REQUEST", () => ({ placements: named({ focalPoint: { x: 0, y: 0 } }) })],
  ] as const)("is %i %s (%#)", async (status, code, changes) => {
    const answer = await postJob(client.secret, packOf(client, changes(client.logoId)));
    expect(refusalOf(answer)).toEqual([status, code]);
    expect(answer.body.error.message).toContain(name);
    expect(await balanceOf(client.workspaceId)).toBe(20);
  });
});

it("an uploaded font's characters are checked, and an unreadable font is refused", async () => {
  const fontId = await uploadAsset(client.secret, {
    slotId: "font",
    fileName: "inter.ttf",
    mimeType: "font/ttf",
    bytes: new Uint8Array(interMedium),
  });
  const pack = { assetIds: { logo: client.logoId, font: fontId } };
  const lacking = await postJob(client.secret, packOf(client, { ...pack, copy: { cta: "ក" } }));
  expect([lacking.status, detailsOf(lacking).characters]).toEqual([422, ["ក"]]);
  const flawedId = await uploadAsset(client.secret, {
    slotId: "font",
    fileName: "flawed.ttf",
    mimeType: "font/ttf",
    bytes: flawedFont,
  });
  const assetIds = { logo: client.logoId, font: flawedId };
  for (const copy of [{ headline: "¡Hola" }, { headline: "Hola", cta: "¡Ya!" }, { cta: "¡Ya!" }]) {
    const failing = await postJob(client.secret, packOf(client, { assetIds, copy }));
    expect([...refusalOf(failing), failing.body.error.message]).toEqual([
      422,
      "COPY_UNSUPPORTED",
      expect.stringContaining("breaks while setting text"),
    ]);
    const { status } = await call("POST", "/api/v1/jobs/quote", {
      secret: client.secret,
      body: packOf(client, { assetIds, copy }),
    });
    expect(status).toBe(422);
  }
  const key = await selectValue<string>`SELECT object_key FROM assets WHERE asset_id = ${fontId}`;
  await env.BUCKET.delete(key ?? "");
  const gone = await postJob(client.secret, packOf(client, { ...pack, copy: { cta: "Go" } }));
  expect(refusalOf(gone)).toEqual([422, "COPY_UNSUPPORTED"]);
});

it("API §4.33 an asset that is not ready is 409, checked after every 422 and before 402", async () => {
  const poor = await workspaceWithLogo({ credits: 0 });
  const intent = await call("POST", "/api/v1/assets/uploads", {
    secret: poor.secret,
    headers: { "Idempotency-Key": newId() },
    body: {
      slotId: "media",
      fileName: "a.png",
      mimeType: "image/png",
      byteLength: 5_000,
      width: 400,
      height: 400,
    },
  });
  const { assetId } = (intent.body as { data: { assetId: string } }).data;
  const unready = { assetIds: { logo: poor.logoId, media: assetId } };
  expect(refusalOf(await postJob(poor.secret, packOf(poor, unready)))).toEqual([409, "ASSET_NOT_READY"]);
  const unset = await postJob(poor.secret, packOf(poor, { ...unready, copy: { cta: "ក" } }));
  expect(refusalOf(unset)).toEqual([422, "COPY_UNSUPPORTED"]);
});

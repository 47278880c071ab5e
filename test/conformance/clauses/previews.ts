import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { seedKey, seedWorkspace } from "../support/arrange.ts";
import { type Answer, send } from "../support/client.ts";
import { LOGO_SVG, transparentProduct } from "../support/files.ts";
import {
  clientOf,
  createIntent,
  creditsOf,
  intentBody,
  LOGO,
  ledgerOf,
  newKey,
  uploadAsset,
  uploadLogo,
} from "../support/flow.ts";
import type { Harness } from "../support/harness.ts";
import type { Service } from "../support/service.ts";

const WHOLE_NUMBER = /^\d+$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const body = (logo: string, over: object = {}) => ({
  contractId: "display.v1",
  selectedSizeIds: ["iab-320x50"],
  assetIds: { logo },
  ...over,
});

const preview = (service: Service, key: string, json: object, idempotencyKey = newKey()): Promise<Answer> =>
  send(service, "POST", "/api/v1/previews", { key, json, idempotencyKey });

const quota = (service: Service, key: string): Promise<Answer> =>
  send(service, "GET", "/api/v1/previews/quota", { key });

/** Checks that the preview headers (API §4.30) have the values of the quota body. */
function expectPreviewHeaders({ headers }: Answer, told: Answer["body"]): void {
  expect(["watermarked-lowres", "watermarked", "none"]).toContain(headers.get("X-Preview-Protection"));
  for (const name of ["Limit", "Used", "Remaining"]) {
    expect(headers.get(`X-Preview-Quota-${name}`)).toMatch(WHOLE_NUMBER);
  }
  expect(headers.get("X-Preview-Quota-Reset")).toMatch(TIMESTAMP);
  expect({
    limit: Number(headers.get("X-Preview-Quota-Limit")),
    used: Number(headers.get("X-Preview-Quota-Used")),
    remaining: Number(headers.get("X-Preview-Quota-Remaining")),
    resetsAt: headers.get("X-Preview-Quota-Reset"),
  }).toEqual(told.product);
  expect(headers.get("X-Preview-Protection")).toBe(told.protection);
  const isExhausted = told.product.remaining === 0 || told.burst.remaining === 0;
  if (isExhausted) expect(Number(headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
  else expect(headers.get("Retry-After")).toBeNull();
}

export const previews = (harness: Harness): void => {
  const { service, rich } = harness;
  const newClient = async (service = harness.service, seed: object = { credits: 2 }) => {
    const { key, workspaceId } = await seedWorkspace(service, seed);
    return { key, workspaceId, logo: await uploadLogo(service, key) };
  };

  describe("API §2.15, §2.16 GET /previews/quota and POST /previews", () => {
    it("API §4.28, §4.30 preview quota 200: the effective allowance and policy, with the headers, and nothing is reserved", async () => {
      const { key } = await seedWorkspace(service, {});
      const first = await quota(service, key);
      const second = await quota(service, key);
      expect([first.status, second.status]).toEqual([200, 200]);
      expect(second.body.data.product).toMatchObject({ limit: 30, used: 0, remaining: 30 });
      expect(second.body.data.burst).toMatchObject({ limit: 6, used: 0, remaining: 6 });
      expect(second.body.data.protection).toBe("watermarked-lowres");
      expect(second.body.data.product.resetsAt).toMatch(/T00:00:00\.000Z$/);
      expectPreviewHeaders(second, second.body.data);
      expect(second.headers.get("X-RateLimit-Limit")).toBeNull();
    });

    it("API §2.15, §13.5 preview 200: a protected PNG, a stable identity and the updated allowance; costs no credits", async () => {
      const { key, logo } = await newClient();
      const events = await ledgerOf(service, key);
      const answer = await preview(service, key, body(logo));
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      const { data } = answer.body;
      const bytes = Buffer.from(data.image.base64, "base64");
      expect(bytes.subarray(1, 4).toString("latin1")).toBe("PNG");
      expect(data.image).toMatchObject({ contentType: "image/png", width: 224, byteLength: bytes.length });
      expect(data.previewId).toMatch(/^[0-9a-f]{64}$/);
      expect([data.cached, data.protection, data.quota.product.used]).toEqual([false, "watermarked", 1]);
      expectPreviewHeaders(answer, data.quota);
      expect(data.layout.elements.length).toBeGreaterThan(0);
      expect(data.predicted.compliance.verdict).toBe("pass");
      expect(await creditsOf(service, key)).toBe(2);
      expect(await ledgerOf(service, key)).toEqual(events);
    });

    it.each([
      [{}, "watermarked-lowres", 640],
      [{ credits: 1 }, "watermarked", 1_080],
      [{ quota: 1 }, "watermarked", 1_080],
      [{ unlimited: true }, "none", 1_080],
    ])("API §13.1 preview protection by access %j: %s, longest edge %i", async (seed, protection, edge) => {
      const { key, logo } = await newClient(service, seed);
      const json = body(logo, {
        contractId: "story.v1",
        selectedSizeIds: ["meta-story-1080x1920"],
        outputFormat: "jpg",
      });
      const answer = await preview(service, key, json);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      const { data } = answer.body;
      expect([data.protection, data.image.height]).toEqual([protection, edge]);
      expect((await quota(service, key)).body.data.protection).toBe(protection);
    });

    it("API §7.6, §13.2 preview 429 PREVIEW_RATE_LIMITED and PREVIEW_QUOTA_EXCEEDED: the quota in details, all headers", async () => {
      for (const [service, code] of [
        [harness.tight, "PREVIEW_RATE_LIMITED"],
        [harness.withoutQueue, "PREVIEW_QUOTA_EXCEEDED"],
      ] as const) {
        const { key, workspaceId } = await seedWorkspace(service, { credits: 1 });
        // Each upload step has a window of one request on the tight origin, so each uses its own key.
        const logo = await uploadWithFreshKeys(service, workspaceId);
        const refused: Answer[] = [];
        // If the window ends in between, a third request reaches the limit.
        for (const outputFormat of ["png", "jpg", "webp"]) {
          const answer = await preview(service, key, body(logo, { outputFormat }));
          if (answer.status === 429) refused.push(answer);
        }
        const [answer] = refused;
        if (answer === undefined) throw new Error("no preview was refused");
        expect(answer.body.error.code).toBe(code);
        expect(answer.body.error.details.safeToRetryUnchanged).toBe(true);
        expectPreviewHeaders(answer, answer.body.error.details.quota);
        const told = await quota(service, key);
        expect(told.status).toBe(200);
        expectPreviewHeaders(told, told.body.data);
      }
    });

    it.each([
      ["contract", { contractId: "posters.v1" }, "CONTRACT_UNSUPPORTED"],
      ["size", { selectedSizeIds: ["iab-1x1"] }, "SIZE_UNSUPPORTED"],
      ["format", { outputFormat: "tiff" }, "FORMAT_UNSUPPORTED"],
      ["slot", { assetIds: { poster: randomUUID() } }, "SLOT_UNSUPPORTED"],
      ["combination", { assetIds: { secondaryMedia: randomUUID() } }, "SLOT_COMBINATION_UNSUPPORTED"],
      ["asset", { assetIds: { logo: randomUUID() } }, "ASSET_UNKNOWN"],
    ])("API §4.29 preview 400: an unsupported %s", async (_, over, reason) => {
      const answer = await preview(service, rich.key, body(randomUUID(), over));
      expect([answer.status, answer.body.error.code]).toEqual([400, "INVALID_REQUEST"]);
      expect(answer.body.error.details.reason).toBe(reason);
    });

    it("API §4.5, §4.11 preview 400: no Idempotency-Key, malformed JSON, an unknown member", async () => {
      const { key } = rich;
      const json = body(randomUUID());
      const keyless = await send(service, "POST", "/api/v1/previews", { key, json });
      expect([keyless.status, keyless.body.error.code]).toEqual([400, "IDEMPOTENCY_KEY_REQUIRED"]);
      const malformed = await send(service, "POST", "/api/v1/previews", {
        key,
        idempotencyKey: newKey(),
        bytes: new TextEncoder().encode('{"contractId":'),
        headers: { "Content-Type": "application/json" },
      });
      expect([malformed.status, malformed.body.error.code]).toEqual([400, "INVALID_JSON"]);
      expect((await preview(service, key, { ...json, sizes: [] })).status).toBe(400);
    });

    it("API §4.29 preview 403: assets:read is required for a preview with assets", async () => {
      const scopes = harness.allScopes.filter((scope) => scope !== "assets:read");
      const { key } = await seedKey(service, rich.workspaceId, { scopes });
      const answer = await preview(service, key, body(randomUUID()));
      expect([answer.status, answer.body.error.details.requiredScope]).toEqual([403, "assets:read"]);
    });

    it("API §3.9 preview 409: an asset that is not ready", async () => {
      const intent = await createIntent(service, rich.key, LOGO);
      const answer = await preview(service, rich.key, body(intent.assetId));
      expect([answer.status, answer.body.error.code]).toEqual([409, "ASSET_NOT_READY"]);
    });

    it("API §7.6 preview 502 PREVIEW_RENDER_FAILED: costs no allowance, and names the next action", async () => {
      const { key } = await newClient();
      const product = await uploadAsset(service, key, "product", await transparentProduct());
      const answer = await preview(service, key, body("", { assetIds: { product } }));
      expect([answer.status, answer.body.error.code]).toEqual([502, "PREVIEW_RENDER_FAILED"]);
      expect(answer.body.error.details.nextAction.length).toBeGreaterThan(0);
      expect((await quota(service, key)).body.data.product.used).toBe(0);
    });

    it("API §7.6 preview 503: failing counters, on both routes", async () => {
      const { key } = await seedWorkspace(harness.withoutDelivery, { credits: 1 });
      const told = await quota(harness.withoutDelivery, key);
      const asked = await preview(harness.withoutDelivery, key, body(randomUUID()));
      for (const answer of [told, asked]) {
        expect([answer.status, answer.body.error.code]).toEqual([503, "PREVIEW_UNAVAILABLE"]);
      }
    });

    it("API §1.8 preview 501 on both routes of an origin without counters or storage", async () => {
      const storeless = await seedWorkspace(harness.withoutStorage, { credits: 1 });
      const drawn = await preview(harness.withoutStorage, storeless.key, body(randomUUID()));
      expect([drawn.status, drawn.body.error.code]).toEqual([501, "SERVICE_NOT_CONFIGURED"]);
      expect((await quota(harness.withoutStorage, storeless.key)).status).toBe(501);
    });
  });
};

/** A ready logo on the tight origin: each step uses its own key, because each window allows one request. */
async function uploadWithFreshKeys(service: Service, workspaceId: string): Promise<string> {
  const fresh = async () => clientOf(service, (await seedKey(service, workspaceId, {})).key).uploads;
  const { uploadId, assetId } = await (await fresh()).create(intentBody(LOGO));
  await (await fresh()).putObject(uploadId, {
    contentType: LOGO.mimeType,
    make: () => new Uint8Array(LOGO_SVG),
  });
  const { byteLength } = LOGO_SVG;
  return (await (await fresh()).complete(uploadId, { assetId, byteLength })).assetId;
}

import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { PreviewQuota } from "../../src/objects/preview-quota.ts";
import { newId } from "../../src/platform/ids.ts";
import { workspaceWithLogo } from "../support/jobs.ts";
import {
  errorIn,
  getQuota,
  postPreview,
  previewIn,
  previewOf,
  quotaOf,
  secondKey,
} from "../support/previews.ts";
import { call, createWorkspace } from "../support/workspace.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("what cannot be drawn is refused as API §4.29 says, and takes nothing", () => {
  it.each([
    ["CONTRACT_UNSUPPORTED", { contractId: "posters.v1" }],
    ["SIZE_UNSUPPORTED", { selectedSizeIds: ["iab-320x50", "iab-1x1"] }],
    ["FORMAT_UNSUPPORTED", { outputFormat: "tiff" }],
    ["SLOT_UNSUPPORTED", { assetIds: { poster: newId() } }],
    ["SLOT_COMBINATION_UNSUPPORTED", { assetIds: { secondaryMedia: newId() } }],
    ["VISUAL_ASSET_REQUIRED", { assetIds: {} }],
    ["ASSET_UNKNOWN", { assetIds: { logo: newId() } }],
    ["COPY_UNSUPPORTED", { copy: { headline: "標" } }],
  ])("400 with reason %s, which a job answers with 422", async (reason, changes) => {
    const client = await workspaceWithLogo();
    const answer = await postPreview(client.secret, previewOf(client, changes));
    const error = errorIn(answer);
    expect([answer.status, error.code, error.details.reason]).toEqual([400, "INVALID_REQUEST", reason]);
    expect((await quotaOf(client.secret)).product.used).toBe(0);
    expect((await quotaOf(client.secret)).burst.used).toBe(0);
  });

  it("a foreign asset reads exactly like a missing one", async () => {
    const client = await workspaceWithLogo();
    const stranger = await workspaceWithLogo();
    const ask = async (logo: string) =>
      errorIn(await postPreview(client.secret, previewOf(client, { assetIds: { logo } })));
    const foreign = await ask(stranger.logoId);
    expect({ ...foreign, requestId: "" }).toEqual({ ...(await ask(newId())), requestId: "" });
  });

  it("403 without assets:read when the body names assets, whichever; without assets the scope is not asked for", async () => {
    const client = await workspaceWithLogo();
    const secret = await secondKey(client.secret, ["previews:write"]);
    const answer = await postPreview(secret, previewOf(client));
    expect([answer.status, errorIn(answer).code]).toEqual([403, "SCOPE_MISSING"]);
    expect(errorIn(answer).details.requiredScope).toBe("assets:read");
    expect((await postPreview(secret, previewOf(client, { assetIds: {} }))).status).toBe(400);
  });

  it("409 for an asset that is not ready", async () => {
    const client = await workspaceWithLogo();
    const intent = await call("POST", "/api/v1/assets/uploads", {
      secret: client.secret,
      headers: { "Idempotency-Key": newId() },
      body: {
        slotId: "logo",
        fileName: "a.png",
        mimeType: "image/png",
        byteLength: 900,
        width: 200,
        height: 200,
      },
    });
    const answer = await postPreview(
      client.secret,
      previewOf(client, { assetIds: { logo: intent.body.data.assetId } }),
    );
    expect([answer.status, errorIn(answer).code]).toEqual([409, "ASSET_NOT_READY"]);
  });

  it("502 for words that do not fit: says why, frees the key and takes no unit", async () => {
    const client = await workspaceWithLogo();
    const key = newId();
    const headline = "W".repeat(90);
    const answer = await postPreview(client.secret, previewOf(client, { copy: { headline } }), key);
    const error = errorIn(answer);
    expect([answer.status, error.code]).toEqual([502, "PREVIEW_RENDER_FAILED"]);
    expect(error.details).toMatchObject({ reason: "HEADLINE_DOES_NOT_FIT", safeToRetryUnchanged: false });
    expect(error.details.nextAction).toBeTruthy();
    expect((await quotaOf(client.secret)).product.used).toBe(0);
    expect(previewIn(await postPreview(client.secret, previewOf(client), key)).cached).toBe(false);
  });
});

describe("an origin without previews says so", () => {
  it.each(["PREVIEW_QUOTA", "BUCKET", "IDEMPOTENCY_LOCK"])("POST 501 without %s", async (binding) => {
    const client = await workspaceWithLogo();
    const answer = await postPreview(client.secret, previewOf(client), newId(), { [binding]: undefined });
    expect([answer.status, errorIn(answer).code]).toEqual([501, "SERVICE_NOT_CONFIGURED"]);
  });

  it("GET 501 without the counters", async () => {
    const { secret } = await createWorkspace();
    const answer = await getQuota(secret, { PREVIEW_QUOTA: undefined });
    expect([answer.status, errorIn(answer).code]).toEqual([501, "SERVICE_NOT_CONFIGURED"]);
  });
});

describe("counters that cannot be reached refuse before anything is drawn", () => {
  it.each(["admit", "reserve", "renew"] as const)("503 when %s fails", async (method) => {
    const client = await workspaceWithLogo();
    const away = vi
      .spyOn(PreviewQuota.prototype, method)
      .mockRejectedValue(new Error("the object is gone") as never);
    const answer = await postPreview(client.secret, previewOf(client));
    expect([answer.status, errorIn(answer).code]).toEqual([503, "PREVIEW_UNAVAILABLE"]);
    expect(errorIn(answer).details.safeToRetryUnchanged).toBe(true);
    away.mockRestore();
    expect((await quotaOf(client.secret)).product.used).toBe(0);
    const { objects } = await env.BUCKET.list({ prefix: `workspaces/${client.workspaceId}/previews/` });
    expect(objects).toEqual([]);
  });

  it("a call that breaks once is asked again with a fresh stub", async () => {
    const client = await workspaceWithLogo();
    vi.spyOn(PreviewQuota.prototype, "reserve").mockRejectedValueOnce(new Error("the object moved"));
    expect(previewIn(await postPreview(client.secret, previewOf(client))).quota.product.used).toBe(1);
  });

  it("GET 503", async () => {
    const { secret } = await createWorkspace();
    vi.spyOn(PreviewQuota.prototype, "read").mockImplementation(() => {
      throw new Error("the object is gone");
    });
    const answer = await getQuota(secret);
    expect([answer.status, errorIn(answer).code]).toEqual([503, "PREVIEW_UNAVAILABLE"]);
  });
});

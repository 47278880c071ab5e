import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { PreviewQuota } from "#domains/previews/count-previews.ts";
import { clock } from "#platform/clock.ts";
import { workspaceWithLogo } from "../support/jobs.ts";
import { errorIn, postPreview, previewIn, previewOf, quotaOf, secondKey } from "../support/previews.ts";

describe("an invalid preview is refused as in API §4.29, and costs nothing", () => {
  it.each([
    ["VISUAL_ASSET_REQUIRED", { assetIds: {} }],
    ["COPY_UNSUPPORTED", { copy: { headline: "ក" } }],
  ])("400 with reason %s, for which a job is 422", async (reason, changes) => {
    const client = await workspaceWithLogo();
    const answer = await postPreview(client.secret, previewOf(client, changes));
    const error = errorIn(answer);
    expect([answer.status, error.code, error.details.reason]).toEqual([400, "INVALID_REQUEST", reason]);
    expect((await quotaOf(client.secret)).product.used).toBe(0);
    expect((await quotaOf(client.secret)).burst.used).toBe(0);
  });

  it("the scope assets:read is not required without assets in the body", async () => {
    const client = await workspaceWithLogo();
    const secret = await secondKey(client.secret, ["previews:write"]);
    expect((await postPreview(secret, previewOf(client, { assetIds: {} }))).status).toBe(400);
  });
});

describe("with failing counters, a preview is refused before anything is drawn", () => {
  it.each(["admit", "reserve"] as const)("503 when %s fails", async (method) => {
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

  it("503 if the lease expired while others used the renderer, and cannot be renewed", async () => {
    const client = await workspaceWithLogo();
    const now = vi.spyOn(clock, "now");
    const { reserve } = PreviewQuota.prototype;
    vi.spyOn(PreviewQuota.prototype, "reserve").mockImplementation(async function (this: PreviewQuota, call) {
      const reserved = await reserve.call(this, call);
      now.mockReturnValue(call.nowMs + LIMITS.previewLeaseMs / 5);
      return reserved;
    });
    const renew = vi.spyOn(PreviewQuota.prototype, "renew").mockImplementation(() => {
      throw new Error("the object is gone");
    });
    const answer = await postPreview(client.secret, previewOf(client));
    expect([answer.status, errorIn(answer).code]).toEqual([503, "PREVIEW_UNAVAILABLE"]);
    expect((await quotaOf(client.secret)).product.used).toBe(0);
    renew.mockRestore();
    expect(previewIn(await postPreview(client.secret, previewOf(client))).cached).toBe(false);
  });

  it("a call to a counter that fails once is repeated with a new stub", async () => {
    const client = await workspaceWithLogo();
    vi.spyOn(PreviewQuota.prototype, "reserve").mockRejectedValueOnce(new Error("the object moved"));
    expect(previewIn(await postPreview(client.secret, previewOf(client))).quota.product.used).toBe(1);
  });
});

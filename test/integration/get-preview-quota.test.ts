import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { clock } from "#platform/clock.ts";
import { getRenderer } from "#platform/render-engine.ts";
import { expectPreviewHeaders, getQuota, quotaOf } from "../support/previews.ts";
import { createWorkspace } from "../support/workspace.ts";

it("200 with both counters, the policy and the headers; no window is counted", async () => {
  vi.spyOn(clock, "now").mockReturnValue(Date.parse("2031-06-18T12:00:59.000Z"));
  const { secret } = await createWorkspace();
  const quota = await quotaOf(secret);
  expect(quota).toEqual({
    product: { limit: 30, used: 0, remaining: 30, resetsAt: "2031-06-19T00:00:00.000Z" },
    burst: { limit: 6, used: 0, remaining: 6, resetsAt: "2031-06-18T12:01:00.000Z" },
    protection: "watermarked-lowres",
  });
  const answer = await getQuota(secret);
  expectPreviewHeaders(answer, quota);
  expect(answer.headers.has("X-RateLimit-Limit")).toBe(false);
});

it("20 reads at once reserve nothing, draw nothing and store nothing", async () => {
  const { secret, workspaceId } = await createWorkspace();
  const draw = vi.spyOn(getRenderer(), "preview");
  await Promise.all(Array.from({ length: 20 }, () => quotaOf(secret)));
  expect((await quotaOf(secret)).product.used).toBe(0);
  expect(draw).not.toHaveBeenCalled();
  const object = env.PREVIEW_QUOTA.get(env.PREVIEW_QUOTA.idFromName(workspaceId));
  const stored = await runInDurableObject(object, async (_, { storage }) => ({
    tables: storage.sql
      .exec("SELECT name FROM sqlite_master WHERE name IN ('reservations', 'burst_windows')")
      .toArray(),
    alarm: await storage.getAlarm(),
  }));
  expect(stored).toEqual({ tables: [], alarm: null });
});

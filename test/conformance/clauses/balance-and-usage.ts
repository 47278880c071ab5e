import { describe, expect, it } from "vitest";
import { seedWorkspace } from "../support/arrange.ts";
import { expectRateLimitHeaders, send } from "../support/client.ts";
import { createJob, finishJob, ledgerOf, uploadLogo } from "../support/flow.ts";
import type { Harness } from "../support/harness.ts";

export const balanceAndUsage = (harness: Harness): void => {
  describe("API §2.4 balance", () => {
    it("API §2.4, §4.17 GET /balance 200: reports usable credits, the unit and the prices", async () => {
      const { key } = await seedWorkspace(harness.service, { credits: 7 });
      const answer = await send(harness.service, "GET", "/api/v1/balance", { key });
      expect(answer.status).toBe(200);
      expectRateLimitHeaders(answer);
      expect(answer.body.data).toEqual({
        accessType: "credits",
        unit: "credit",
        credits: { available: 7 },
        subscription: null,
        prices: { static: 1, animated: 3 },
      });
      expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
    });

    it("API §2.4 an active subscription's quota or unlimited access is reported as such", async () => {
      const quota = await seedWorkspace(harness.service, { quota: 20 });
      const unlimited = await seedWorkspace(harness.service, { unlimited: true });
      const bySubscription = await send(harness.service, "GET", "/api/v1/balance", { key: quota.key });
      expect(bySubscription.body.data.accessType).toBe("subscription");
      expect(bySubscription.body.data.subscription).toMatchObject({
        status: "active",
        quota: { limit: 20, used: 0, remaining: 20 },
      });
      const without = await send(harness.service, "GET", "/api/v1/balance", { key: unlimited.key });
      expect(without.body.data.accessType).toBe("unlimited");
    });
  });

  describe("API §1.6 paying order", () => {
    it("API §1.6 a subscription pays before credits, and unlimited access leaves both alone", async () => {
      const { key } = await seedWorkspace(harness.service, { credits: 10, quota: 2 });
      const logo = await uploadLogo(harness.service, key);
      const sizes = ["iab-300x250", "iab-728x90"];
      await finishJob(harness.service, key, {
        contractId: "display.v1",
        selectedSizeIds: sizes,
        assetIds: { logo },
      });
      const first = (await send(harness.service, "GET", "/api/v1/balance", { key })).body.data;
      expect([first.subscription.quota.used, first.credits.available]).toEqual([2, 10]);
      await finishJob(harness.service, key, {
        contractId: "display.v1",
        selectedSizeIds: sizes,
        assetIds: { logo },
      });
      const second = (await send(harness.service, "GET", "/api/v1/balance", { key })).body.data;
      expect([second.subscription.quota.used, second.credits.available]).toEqual([2, 8]);
      expect((await ledgerOf(harness.service, key)).map(({ source, amount }) => [source, amount])).toEqual([
        ["credits", -2],
        ["subscription", -2],
        ["credits", 10],
      ]);
    });
  });

  describe("API §2.5 usage ledger", () => {
    it("API §2.5, §4.17 GET /usage 200: newest first, a job is one consumption and its cancel one refund", async () => {
      const { key } = await seedWorkspace(harness.service, { credits: 5 });
      const logo = await uploadLogo(harness.service, key);
      const job = await createJob(harness.service, key, {
        contractId: "display.v1",
        selectedSizeIds: ["iab-300x250"],
        assetIds: { logo },
      });
      const events = await ledgerOf(harness.service, key);
      expect(events[0]).toMatchObject({
        type: "consumption",
        amount: -1,
        unit: "credit",
        source: "credits",
        balanceAfter: 4,
        jobId: job.body.data.jobId,
      });
      expect(events[0]?.eventId).toMatch(/^\d+$/);
      expect(Date.parse(events[0]?.createdAt ?? "")).not.toBeNaN();
      expect(events[1]).toMatchObject({ type: "grant", amount: 5, balanceAfter: 5 });
    });

    it("API §4.10, §4.17 GET /usage: the cursor walks every event once, whatever the page size", async () => {
      const { key } = await seedWorkspace(harness.service, { credits: 1, grants: 6 });
      const whole = (await ledgerOf(harness.service, key)).map((event) => event.eventId);
      const walked: string[] = [];
      let before: string | null = "";
      while (before !== null) {
        const query = before === "" ? "" : `&before=${before}`;
        const page = await send(harness.service, "GET", `/api/v1/usage?limit=2${query}`, { key });
        expectRateLimitHeaders(page);
        expect(page.body.data.items.length).toBeLessThanOrEqual(2);
        walked.push(...page.body.data.items.map((event: { eventId: string }) => event.eventId));
        before = page.body.data.nextBefore;
      }
      expect(walked).toEqual(whole);
      expect(new Set(walked).size).toBe(7);
    });

    it.each(["limit=0", "limit=101", "limit=1.5", "limit=ten", "before=abc", "before=-4", "before=1e3"])(
      "API §4.10, §4.17 GET /usage?%s is 400",
      async (query) => {
        const answer = await send(harness.service, "GET", `/api/v1/usage?${query}`, {
          key: harness.rich.key,
        });
        expect(answer.status).toBe(400);
      },
    );
  });
};

import { describe, expect, it } from "vitest";
import { seedWorkspace } from "../support/arrange.ts";
import { expectRateLimitHeaders, send } from "../support/client.ts";
import { createJob, finishJob, finishLogoPack, ledgerOf, uploadLogo } from "../support/flow.ts";
import type { Harness } from "../support/harness.ts";

export const balanceAndUsage = (harness: Harness): void => {
  const { service } = harness;
  describe("API §2.4 balance", () => {
    it("API §2.4, §4.17 GET /balance 200: usable credits, the unit and the prices", async () => {
      const { key } = await seedWorkspace(service, { credits: 7 });
      const answer = await send(service, "GET", "/api/v1/balance", { key });
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

    it("API §2.4 the balance shows a subscription's quota or unlimited access", async () => {
      const quota = await seedWorkspace(service, { quota: 20 });
      const unlimited = await seedWorkspace(service, { unlimited: true });
      const bySubscription = await send(service, "GET", "/api/v1/balance", { key: quota.key });
      expect(bySubscription.body.data.accessType).toBe("subscription");
      expect(bySubscription.body.data.subscription).toMatchObject({
        status: "active",
        quota: { limit: 20, used: 0, remaining: 20 },
      });
      const without = await send(service, "GET", "/api/v1/balance", { key: unlimited.key });
      expect(without.body.data.accessType).toBe("unlimited");
    });
  });

  it("API §1.6 a subscription pays before credits, and unlimited access spends neither", async () => {
    const { key } = await seedWorkspace(service, { credits: 10, quota: 2 });
    const sizes = ["iab-300x250", "iab-728x90"];
    await finishLogoPack(service, key, sizes);
    const first = (await send(service, "GET", "/api/v1/balance", { key })).body.data;
    expect([first.subscription.quota.used, first.credits.available]).toEqual([2, 10]);
    await finishLogoPack(service, key, sizes);
    const second = (await send(service, "GET", "/api/v1/balance", { key })).body.data;
    expect([second.subscription.quota.used, second.credits.available]).toEqual([2, 8]);
    expect((await ledgerOf(service, key)).map(({ source, amount }) => [source, amount])).toEqual([
      ["credits", -2],
      ["subscription", -2],
      ["credits", 10],
    ]);
  });

  it("API §2.5, §4.17 GET /usage 200: newest first, a job is one consumption, and its cancellation one refund", async () => {
    const { key } = await seedWorkspace(service, { credits: 5 });
    const logo = await uploadLogo(service, key);
    const job = await createJob(service, key, {
      contractId: "display.v1",
      selectedSizeIds: ["iab-300x250"],
      assetIds: { logo },
    });
    const events = await ledgerOf(service, key);
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

  describe("API §4.53 usage summaries", () => {
    /** A workspace with two jobs today. */
    async function spender() {
      const seeded = await seedWorkspace(service, { credits: 10 });
      const { key } = seeded;
      const logo = await uploadLogo(service, key);
      const sizes = ["iab-300x250", "iab-728x90"];
      const job = { contractId: "display.v1", assetIds: { logo } };
      await finishJob(service, key, { ...job, selectedSizeIds: sizes });
      await finishJob(service, key, { ...job, selectedSizeIds: sizes.slice(1) });
      return seeded;
    }

    it("API §4.53 GET /usage/summary 200: by day, key and contract, as JSON and as a table", async () => {
      const { key, apiKeyId } = await spender();
      const summary = (query: string) => send(service, "GET", `/api/v1/usage/summary?${query}`, { key });
      const answer = await summary("groupBy=day,key,contract");
      expect(answer.status).toBe(200);
      expectRateLimitHeaders(answer);
      const { from, to, totals, items } = answer.body.data;
      expect(items).toEqual([
        { day: to, apiKeyId, apiKeyName: "First key", contractId: "display.v1", ...totals },
      ]);
      expect(totals).toMatchObject({ jobs: 2, consumed: 3, refunded: 0, spent: 3 });
      expect(from).toBe(`${to.slice(0, 7)}-01`);
      const table = await summary("groupBy=contract&format=csv");
      expect(table.headers.get("Content-Type")).toContain("text/csv");
      expect(new TextDecoder().decode(table.bytes)).toBe(
        "contractId,jobs,consumed,refunded,spent,credits,subscription,unlimited\r\ndisplay.v1,2,3,0,3,3,0,0\r\n",
      );
      for (const query of ["from=2020-01-01", "groupBy=hour", "format=pdf", "from=2026-02-30"]) {
        expect((await summary(query)).status, query).toBe(400);
      }
    });

    it("API §4.54 GET /usage/statement 200: the opening balance and the events add up to the closing balance", async () => {
      const { key } = await spender();
      const answer = await send(service, "GET", "/api/v1/usage/statement", { key });
      expect(answer.status).toBe(200);
      expectRateLimitHeaders(answer);
      const { credits, orders, contracts, payments, isOver } = answer.body.data;
      expect(credits).toEqual({
        ...{ opening: 0, purchases: 0, grants: 10, consumption: -3, refunds: 0, adjustments: 0, expiries: 0 },
        closing: 7,
      });
      expect([orders, contracts, payments, isOver]).toEqual([
        { jobs: 2, consumed: 3, refunded: 0, spent: 3 },
        [{ contractId: "display.v1", jobs: 2, consumed: 3, refunded: 0, spent: 3 }],
        [],
        false,
      ]);
      for (const month of ["2099-01", "2026-00", "2026"]) {
        const refused = await send(service, "GET", `/api/v1/usage/statement?month=${month}`, { key });
        expect([refused.status, refused.body.error?.code], month).toEqual([400, "INVALID_REQUEST"]);
      }
    });
  });
};

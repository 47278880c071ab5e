import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { seedKey, seedWorkspace } from "../support/arrange.ts";
import { expectRateLimitHeaders, send } from "../support/client.ts";
import { uploadLogo } from "../support/flow.ts";
import type { Harness } from "../support/harness.ts";
import { seedPerson, sendAs } from "../support/people.ts";

export const apiKeys = (harness: Harness): void => {
  const { service, rich } = harness;
  describe("API §5.5 API keys", () => {
    it("API §2.6, §4.19 POST /api-keys 201 shows the secret once; list and record never show it", async () => {
      const { key } = await seedWorkspace(service, { credits: 1 });
      const created = await send(service, "POST", "/api/v1/api-keys", {
        key,
        json: { name: "build server", scopes: ["balance:read", "jobs:read"] },
      });
      expect(created.status).toBe(201);
      expectRateLimitHeaders(created);
      const { secret, ...record } = created.body.data;
      expect(secret).toMatch(/^cpk_live_[0-9A-Za-z]{40,}$/);
      expect(record).toMatchObject({
        name: "build server",
        scopes: ["balance:read", "jobs:read"],
        status: "active",
        expiresAt: null,
        revokedAt: null,
      });
      expect(secret.startsWith(record.prefix)).toBe(true);
      expect((await send(service, "GET", "/api/v1/balance", { key: secret })).status).toBe(200);
      const listed = await send(service, "GET", "/api/v1/api-keys", { key });
      expect(listed.status).toBe(200);
      expectRateLimitHeaders(listed);
      expect(JSON.stringify(listed.body)).not.toContain(secret);
      expect(listed.body.data.items.map((item: { apiKeyId: string }) => item.apiKeyId)).toContain(
        record.apiKeyId,
      );
    });

    it("API §5.12, §4.33 a key with a budget spends at most the budget, can replay requests, and cannot create keys", async () => {
      const { key } = await seedWorkspace(service, { credits: 10 });
      const logo = await uploadLogo(service, key);
      const made = await send(service, "POST", "/api/v1/api-keys", {
        key,
        json: { name: "agency", scopes: ["jobs:write", "api-keys:write"], budget: { daily: 2, monthly: 40 } },
      });
      expect(made.body.data.budget).toEqual({ daily: 2, monthly: 40, spentToday: 0, spentThisMonth: 0 });
      const spender: string = made.body.data.secret;
      const order = (size: string, idempotencyKey: string) =>
        send(service, "POST", "/api/v1/jobs", {
          key: spender,
          idempotencyKey,
          json: { contractId: "display.v1", selectedSizeIds: [size], assetIds: { logo } },
        });
      const first = randomUUID();
      expect((await order("iab-300x250", first)).status).toBe(202);
      expect((await order("iab-728x90", randomUUID())).status).toBe(202);
      const refused = await order("iab-300x250", randomUUID());
      expect([refused.status, refused.body.error?.code]).toEqual([402, "BUDGET_EXHAUSTED"]);
      const { required, available, resetsAt } = refused.body.error.details;
      expect([required, available]).toEqual([1, 0]);
      expect(resetsAt).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/);
      expect((await order("iab-300x250", first)).status).toBe(200);
      const listed = await send(service, "GET", "/api/v1/api-keys", { key });
      const shown = listed.body.data.items.find((item: { name: string }) => item.name === "agency");
      expect(shown.budget).toMatchObject({ spentToday: 2, spentThisMonth: 2 });
      const child = await send(service, "POST", "/api/v1/api-keys", {
        key: spender,
        json: { name: "child", scopes: ["jobs:write"] },
      });
      expect([child.status, child.body.error?.code]).toEqual([403, "SCOPE_NOT_GRANTABLE"]);
    });

    it("API §5.13 PATCH of a key: only an owner's session changes its name and budget", async () => {
      const [owner, stranger] = [await seedPerson(service), await seedPerson(service)];
      const path = `/api/account/workspaces/${owner.workspaceId}/api-keys`;
      const made = await sendAs(service, owner, "POST", path, {
        json: { name: "agency", scopes: ["jobs:write"], budget: { daily: 2 } },
      });
      const ofKey = `${path}/${made.body.data.apiKeyId}`;
      const json = { name: "another agency", budget: { monthly: 30 } };
      const changed = await sendAs(service, owner, "PATCH", ofKey, { json });
      expect(changed.status).toBe(200);
      expect(changed.body.data).toMatchObject({ name: json.name, budget: { daily: null, monthly: 30 } });
      const freed = await sendAs(service, owner, "PATCH", ofKey, { json: { budget: null } });
      expect(freed.body.data).toMatchObject({ name: json.name, budget: null });
      expect((await sendAs(service, stranger, "PATCH", ofKey, { json })).status).toBe(404);
      expect((await sendAs(service, owner, "PATCH", `${path}/${randomUUID()}`, { json })).status).toBe(404);
      expect((await sendAs(service, owner, "PATCH", ofKey, { json: {} })).status).toBe(400);
      const theirPath = `/api/account/workspaces/${stranger.workspaceId}/api-keys`;
      const budget = { daily: null, monthly: null };
      const theirs = await sendAs(service, stranger, "POST", theirPath, {
        json: { name: "theirs", scopes: ["jobs:write"], budget },
      });
      expect(theirs.body.data.budget).toBeNull();
      const session = await sendAs(service, owner, "POST", path.replace("api-keys", "session-key"));
      for (const { body } of [theirs, session]) {
        const refused = await sendAs(service, owner, "PATCH", `${path}/${body.data.apiKeyId}`, { json });
        expect([refused.status, refused.body.error.code]).toEqual([404, "API_KEY_NOT_FOUND"]);
      }
    });

    it.each<[string, unknown]>([
      ["no name", { scopes: ["balance:read"] }],
      ["no scopes", { name: "x" }],
      ["an empty scope list", { name: "x", scopes: [] }],
      ["an unknown scope", { name: "x", scopes: ["everything"] }],
      ["a past expiry", { name: "x", scopes: ["balance:read"], expiresAt: "2020-01-01T00:00:00Z" }],
      ["an unknown member", { name: "x", scope: ["balance:read"] }],
      ...[{}, { daily: 0 }, { daily: 1.5 }, { monthly: 1_000_000_001 }, { weekly: 1 }].map(
        (budget): [string, unknown] => [
          `the budget ${JSON.stringify(budget)}`,
          { name: "x", scopes: ["jobs:write"], budget },
        ],
      ),
    ])("API §7.5 POST /api-keys 400: %s", async (_, json) => {
      const answer = await send(service, "POST", "/api/v1/api-keys", { key: rich.key, json });
      expect(answer.status).toBe(400);
    });

    it("API §4.20 DELETE /api-keys/{apiKeyId} 200: the key is revoked and refused at once", async () => {
      const { workspaceId, key } = await seedWorkspace(service, { credits: 1 });
      const victim = await seedKey(service, workspaceId, {});
      expect((await send(service, "GET", "/api/v1/balance", { key: victim.key })).status).toBe(200);
      const revoked = await send(service, "DELETE", `/api/v1/api-keys/${victim.apiKeyId}`, { key });
      expect(revoked.status).toBe(200);
      expectRateLimitHeaders(revoked);
      expect(revoked.body.data).toMatchObject({ apiKeyId: victim.apiKeyId, status: "revoked" });
      expect((await send(service, "POST", "/api/v1/jobs", { key: victim.key, json: {} })).status).toBe(401);
    });
  });
};

import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { expectRateLimitHeaders, send } from "../support/client.ts";
import { finishLogoPack } from "../support/flow.ts";
import type { Harness } from "../support/harness.ts";
import { OPERATIONS } from "../support/openapi.ts";

const PATH = "/api/v1/agent/trial-key";

export const trial = (harness: Harness): void => {
  const { service } = harness;
  describe("API §5.8 trial keys", () => {
    it("API §2.17, §5.8 POST trial-key 201: one hour, 5 credits, and only a trial's scopes", async () => {
      const claimed = await send(service, "POST", PATH, { json: { clientMarker: randomUUID() } });
      expect(claimed.status).toBe(201);
      expectRateLimitHeaders(claimed);
      const { secret, apiKey, workspace, credits } = claimed.body.data;
      expect(secret).toMatch(/^cpk_trial_/);
      expect(credits).toBe(5);
      expect(workspace.kind).toBe("trial");
      const lifetimeMs = Date.parse(workspace.expiresAt) - Date.now();
      expect(lifetimeMs).toBeGreaterThan(3_590_000);
      expect(lifetimeMs).toBeLessThanOrEqual(3_600_000);
      expect([...apiKey.scopes].sort()).toEqual(
        ["artifacts:read", "assets:read", "assets:write", "balance:read", "jobs:read", "jobs:write"].sort(),
      );
      const balance = await send(service, "GET", "/api/v1/balance", { key: secret });
      expect(balance.body.data.credits.available).toBe(5);
      expect((await send(service, "GET", "/api/v1/api-keys", { key: secret })).status).toBe(403);
    });

    it("API §5.8 a trial key can upload, order and poll", async () => {
      const claimed = await send(service, "POST", PATH, { json: { clientMarker: randomUUID() } });
      const key = claimed.body.data.secret;
      expect((await finishLogoPack(service, key)).artifactId).not.toBeNull();
    });

    it("API §5.8 POST trial-key 429: a second claim by the same identity until the trial ends, with Retry-After", async () => {
      const json = { clientMarker: randomUUID() };
      const claimed = await send(service, "POST", PATH, { json });
      expect(claimed.status).toBe(201);
      const again = await send(service, "POST", PATH, { json });
      expect(again.status).toBe(429);
      expect(again.body.error.code).toBe("TRIAL_ALREADY_CLAIMED");
      expectRateLimitHeaders(again);
      const retryAfterSeconds = Number(again.headers.get("Retry-After"));
      expect(retryAfterSeconds).toBeGreaterThan(3_500);
      expect(retryAfterSeconds).toBeLessThanOrEqual(3_600);
      expect(again.headers.get("X-RateLimit-Reset")).toBe(claimed.body.data.workspace.expiresAt);
    });

    it("API §2.17 the documented example of a trial matches the service", async () => {
      const operation = OPERATIONS.find(({ operationId }) => operationId === "claimTrialKey");
      const example = operation?.responses["201"]?.content?.["application/json"]?.example;
      const claimed = await send(service, "POST", PATH, { json: { clientMarker: randomUUID() } });
      const [shown, real] = [example.data, claimed.body.data];
      const lifetimeMs = (trial: typeof shown) =>
        Date.parse(trial.workspace.expiresAt) - Date.parse(trial.apiKey.createdAt);
      for (const trial of [shown, real]) {
        expect(trial.secret).toMatch(/^cpk_trial_/);
        expect(trial.apiKey.prefix).toMatch(/^cpk_trial_[0-9A-Za-z]{6}$/);
        expect(trial.credits).toBe(5);
        expect(lifetimeMs(trial)).toBe(3_600_000);
        expect(trial.apiKey.expiresAt).toBe(trial.workspace.expiresAt);
      }
      for (const member of ["name", "scopes", "status", "lastUsedAt", "revokedAt"]) {
        expect(shown.apiKey[member], member).toEqual(real.apiKey[member]);
      }
    });

    it("API §4.5, §4.21 POST trial-key: unknown members are ignored", async () => {
      const answer = await send(service, "POST", PATH, {
        json: { clientMarker: randomUUID(), plan: "whatever", nested: { a: 1 } },
      });
      expect(answer.status).toBe(201);
    });

    it("API §4.21 POST trial-key refuses a missing body, a body that is not a JSON object, and a too long clientMarker", async () => {
      expect((await send(service, "POST", PATH)).status).toBe(400);
      expect((await send(service, "POST", PATH, { json: [] })).status).toBe(400);
      const typed = { bytes: new TextEncoder().encode("a=b"), headers: { "Content-Type": "text/plain" } };
      expect((await send(service, "POST", PATH, typed)).status).toBe(415);
      const marker = "m".repeat(201);
      expect((await send(service, "POST", PATH, { json: { clientMarker: marker } })).status).toBe(400);
    });

    it("API §1.8 POST trial-key 501 without the trial secret, 500 on a broken database", async () => {
      const json = { clientMarker: randomUUID() };
      expect((await send(harness.withoutDelivery, "POST", PATH, { json })).status).toBe(501);
      expect((await send(harness.bare, "POST", PATH, { json })).status).toBe(501);
      expect((await send(harness.broken, "POST", PATH, { json })).status).toBe(500);
    });
  });
};

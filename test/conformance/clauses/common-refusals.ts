import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { seedKey, seedWorkspace } from "../support/arrange.ts";
import { expectRateLimitHeaders, send } from "../support/client.ts";
import { exampleCallOf, PROTECTED, scopeOf } from "../support/examples.ts";
import type { Harness } from "../support/harness.ts";
import { OPERATIONS } from "../support/openapi.ts";

/** Refusals that all protected routes share, tested on each. */
export const commonRefusals = (harness: Harness): void => {
  const { service, rich } = harness;
  it("API §4.1 the table lists every operation that accepts an API key", () => {
    const taking = OPERATIONS.filter(({ security = [] }) => security.some((way) => "bearerKey" in way));
    expect([...PROTECTED].sort()).toEqual(taking.map(({ name }) => name).sort());
  });

  describe("API §5.2 authentication on every protected operation", () => {
    it.each(PROTECTED)("API §5.2 %s: a missing, malformed or mistyped key is 401", async (operation) => {
      const { method, path, call } = exampleCallOf(operation);
      for (const key of [undefined, "nonsense", "cpk_live_short", `${rich.key.slice(0, -1)}!`]) {
        const answer = await send(service, method, path, {
          ...call,
          ...(key === undefined ? {} : { key }),
        });
        expect(answer.status).toBe(401);
      }
    });

    it("API §5.2 revoked, expired and inactive keys are 401 on every protected operation", async () => {
      const revoked = await seedKey(service, rich.workspaceId, {
        revokedAt: Date.now() - 1_000,
      });
      const expired = await seedKey(service, rich.workspaceId, {
        expiresAt: Date.now() - 1_000,
      });
      const ended = await seedWorkspace(service, { kind: "trial", expiresAt: Date.now() - 1_000 });
      for (const operation of PROTECTED) {
        const { method, path, call } = exampleCallOf(operation);
        for (const key of [revoked.key, expired.key, ended.key]) {
          expect((await send(service, method, path, { ...call, key })).status, operation).toBe(401);
        }
      }
    });

    it.each(PROTECTED)(
      "API §5.3, §5.4 %s: a valid key without the scope is 403 SCOPE_MISSING",
      async (operation) => {
        const { method, path, call } = exampleCallOf(operation);
        const others = harness.allScopes.filter((scope) => scope !== scopeOf(operation));
        const { key } = await seedKey(service, rich.workspaceId, { scopes: others });
        const answer = await send(service, method, path, { ...call, key });
        expect(answer.status).toBe(403);
        expect(answer.body.error.code).toBe("SCOPE_MISSING");
        expect(answer.body.error.details.requiredScope).toBe(scopeOf(operation));
      },
    );
  });

  it.each(PROTECTED.filter((operation) => !/previews/.test(operation)))(
    "API §4.7, §7.7, §8.4, §8.5 %s: the first request beyond the limit of the window is 429 with all five headers",
    async (operation) => {
      const { method, path, call } = exampleCallOf(operation);
      const { key } = await seedWorkspace(harness.tight, { credits: 1 });
      const first = await send(harness.tight, method, path, { ...call, key });
      expect(first.status).not.toBe(429);
      expectRateLimitHeaders(first);
      expect(first.headers.get("X-RateLimit-Remaining")).toBe("0");
      const second = await send(harness.tight, method, path, { ...call, key });
      // If the window ended between the two requests, a third one reaches the limit.
      const refused =
        second.status === 429 ? second : await send(harness.tight, method, path, { ...call, key });
      expect(refused.status).toBe(429);
      expectRateLimitHeaders(refused);
      expect(refused.body.error.code).toBe("RATE_LIMITED");
      expect(refused.body.error.details.safeToRetryUnchanged).toBe(true);
      const retryAfterSeconds = Number(refused.headers.get("Retry-After"));
      expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
      const resetMs = Date.parse(refused.headers.get("X-RateLimit-Reset") ?? "");
      expect(Math.abs(resetMs - Date.now() - retryAfterSeconds * 1_000)).toBeLessThan(2_500);
    },
  );

  it.each(PROTECTED)("API §1.8 %s without a database is 501", async (operation) => {
    const { method, path, call } = exampleCallOf(operation);
    const answer = await send(harness.bare, method, path, { ...call, key: rich.key });
    expect(answer.status).toBe(501);
    expect(answer.body.error.code).toBe("SERVICE_NOT_CONFIGURED");
  });

  it.each(PROTECTED)(
    "API §7.4 %s on a database without tables is 500 and reveals no details",
    async (operation) => {
      const { method, path, call } = exampleCallOf(operation);
      const answer = await send(harness.broken, method, path, { ...call, key: rich.key });
      expect(answer.status).toBe(500);
      const { code, message } = answer.body.error;
      expect(code).toBe("INTERNAL_ERROR");
      expect(message).not.toMatch(/sql|table|select|d1|stack|\.ts/i);
    },
  );

  describe("API §4.3 paths and methods", () => {
    it("API §4.3 a known path with another method is 405 with Allow", async () => {
      for (const path of new Set(OPERATIONS.filter((o) => o.path.startsWith("/api/v1")).map((o) => o.path))) {
        const methods = OPERATIONS.filter((operation) => operation.path === path).map((o) => o.method);
        const other = methods.includes("PATCH") ? "PUT" : "PATCH";
        const answer = await send(service, other, path.replace(/\{[^}]+\}/g, randomUUID()), {
          key: rich.key,
        });
        expect(answer.status, path).toBe(405);
        const taken = methods.includes("GET") ? [...methods, "HEAD"] : methods;
        expect(answer.headers.get("Allow")?.split(", ")).toEqual(expect.arrayContaining(taken));
      }
    });

    it.each(PROTECTED.filter((operation) => exampleCallOf(operation).call.json !== undefined))(
      "API §4.4 %s: a body of another content type is 415, no body at all is 400",
      async (operation) => {
        const { method, path, call } = exampleCallOf(operation);
        const { json: _, ...rest } = { ...call, key: rich.key };
        const form = { bytes: new TextEncoder().encode("a=b"), headers: { "Content-Type": "text/plain" } };
        const typed = await send(service, method, path, { ...rest, ...form });
        expect([typed.status, (await send(service, method, path, rest)).status]).toEqual([415, 400]);
      },
    );

    it("API §2.1 an id that is not a UUID is 400 and names the parameter", async () => {
      for (const operation of PROTECTED.filter((name) => name.includes("{"))) {
        const { method, path, call } = exampleCallOf(operation, "not-a-uuid");
        const answer = await send(service, method, path, { ...call, key: rich.key });
        expect(answer.status, operation).toBe(400);
        expect(answer.body.error.code).toBe("INVALID_REQUEST");
      }
    });
  });

  it.each(PROTECTED.filter((operation) => operation.includes("{")))(
    "API §1.3 %s: an unknown id is 404",
    async (operation) => {
      const { method, path, call } = exampleCallOf(operation);
      expect((await send(service, method, path, { ...call, key: rich.key })).status).toBe(404);
    },
  );

  describe("API §4.6 X-Request-ID", () => {
    it.each([
      ["a client's id is preserved", "client-trace-42", /^client-trace-42$/],
      ["an unsafe id is replaced", `<script>${"x".repeat(200)}`, /^[0-9a-f-]{36}$/],
      ["a missing id is generated", null, /^[0-9a-f-]{36}$/],
    ])("API §4.6 %s, on success and on failure", async (_, sent, expected) => {
      const call = sent === null ? {} : { headers: { "X-Request-ID": sent } };
      for (const key of [{ key: rich.key }, {}]) {
        const { headers } = await send(service, "GET", "/api/v1/balance", { ...call, ...key });
        expect(headers.get("X-Request-ID")).toMatch(expected);
      }
    });
  });
};

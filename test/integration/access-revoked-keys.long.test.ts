import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { SCOPES } from "#api/scopes.ts";
import { setSuspended } from "#domains/workspaces/store.ts";
import { clock } from "#platform/clock.ts";
import worker from "../../src/worker.ts";
import { LOGO } from "../fault/logo.ts";
import { describedOperations, reportAccessAttempts } from "../support/access.ts";
import { countRows, execute, selectValue } from "../support/database.ts";
import { databaseOfWorkspace } from "../support/homes.ts";
import { expectInvariants, packOf, postJob, workspaceWithLogo } from "../support/jobs.ts";
import { refusalOf } from "../support/refusals.ts";
import { call, createWorkspace } from "../support/workspace.ts";

/**
 * A request may wait between the check of its key and its effect: for its body, the lock of its Idempotency-Key, or the
 * database. A revocation in between must still apply.
 */

reportAccessAttempts();

const revoke = (apiKeyId: string) =>
  execute`UPDATE api_keys SET revoked_at = ${Date.now()} WHERE api_key_id = ${apiKeyId}`;

describe("a key that is revoked while its request waits", () => {
  const idempotent = (idempotencyKey: string) => ({ headers: { "Idempotency-Key": idempotencyKey } });
  const intend = (secret: string, idempotencyKey: string) =>
    call("POST", "/api/v1/assets/uploads", {
      secret,
      ...idempotent(idempotencyKey),
      body: { slotId: "logo", fileName: "a.svg", mimeType: "image/svg+xml", byteLength: LOGO.byteLength },
    });

  it("completes no upload", async () => {
    const client = await createWorkspace();
    const { uploadId, assetId } = (await intend(client.secret, "first")).body.data;
    const upload = `/api/v1/assets/uploads/${uploadId}`;
    const headers = { "Content-Type": "image/svg+xml" };
    await call("PUT", `${upload}/object`, { secret: client.secret, body: LOGO, headers });
    // Revokes the key while the uploaded bytes are being read.
    const { get } = env.BUCKET;
    const spy = vi.spyOn(env.BUCKET, "get").mockImplementation(async (...asked) => {
      spy.mockRestore();
      await revoke(client.apiKeyId);
      return get.apply(env.BUCKET, asked);
    });
    const answer = await call("POST", `${upload}/complete`, {
      secret: client.secret,
      ...idempotent("second"),
      body: { assetId, byteLength: LOGO.byteLength },
    });
    expect(refusalOf(answer)).toEqual([401, "KEY_REVOKED"]);
    const status = await selectValue<string>`SELECT status FROM assets WHERE asset_id = ${assetId}`;
    expect(status).toBe("processing");
  });

  it("cannot store bytes that arrive after the revocation", async () => {
    const client = await createWorkspace();
    const { uploadId, assetId } = (await intend(client.secret, "first")).body.data;
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          pulls += 1;
          if (pulls === 1) return controller.enqueue(LOGO.subarray(0, 10));
          // The service has accepted the first bytes, so it has checked the key.
          await revoke(client.apiKeyId);
          controller.enqueue(LOGO.subarray(10));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const keyOf = () => selectValue`SELECT object_key FROM assets WHERE asset_id = ${assetId}`;
    const before = await keyOf();
    const context = createExecutionContext();
    const request = new Request(`https://packs.example/api/v1/assets/uploads/${uploadId}/object`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${client.secret}`, "Content-Type": "image/svg+xml" },
      body,
    });
    const response = await worker.fetch(request, env, context);
    await waitOnExecutionContext(context);
    expect(response.status).toBe(401);
    await response.body?.cancel();
    expect(await keyOf()).toBe(before);
  });
});

it("API §4.9 a slow body is read before its key, so that a revocation in between applies", async () => {
  const client = await workspaceWithLogo({ credits: 5 });
  const text = new TextEncoder().encode(JSON.stringify(packOf(client)));
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(text.subarray(0, 10));
      await revoke(client.apiKeyId);
      controller.enqueue(text.subarray(10));
      controller.close();
    },
  });
  const response = await exports.default.fetch(
    new Request("https://packs.example/api/v1/jobs", {
      method: "POST",
      headers: {
        Authorization: `Bearer ${client.secret}`,
        "Content-Type": "application/json",
        "Content-Length": String(text.length),
        "Idempotency-Key": "trickling",
      },
      body,
    }),
  );
  expect(response.status).toBe(401);
  await response.body?.cancel();
  expect(await countRows("jobs", client.workspaceId)).toBe(0);
});

it("an isolate that revoked a key refuses that key's next request", async () => {
  const { workspaceId, apiKeyId, secret } = await createWorkspace({ credits: 1, scopes: SCOPES });
  expect((await call("GET", "/api/v1/balance", { secret })).status).toBe(200);
  const withSession = vi.spyOn(await databaseOfWorkspace(workspaceId), "withSession");
  expect((await call("DELETE", `/api/v1/api-keys/${apiKeyId}`, { secret })).status).toBe(200);
  expect(refusalOf(await call("GET", "/api/v1/balance", { secret }))).toEqual([401, "KEY_REVOKED"]);
  // Keys are read from the primary, because replicas may lag.
  expect(withSession.mock.calls.length).toBeGreaterThanOrEqual(2);
  expect(new Set(withSession.mock.calls.map(([session]) => session))).toEqual(new Set(["first-primary"]));
});

describe("API §5.9 an isolate that did not see the revocation", () => {
  const START_MS = Date.parse("2034-03-01T00:00:00.000Z");

  /** Another environment acts as a separate isolate without cached keys. */
  const isolateAnswers = (overrides: object = {}) => {
    const bindings = { ...env, ...overrides };
    return async (method: string, path: string, secret: string, body?: unknown, idempotencyKey?: string) => {
      const context = createExecutionContext();
      const request = new Request(`https://packs.example${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${secret}`,
          "Idempotency-Key": idempotencyKey ?? crypto.randomUUID(),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const response = await worker.fetch(request, bindings, context);
      const text = await response.text();
      await waitOnExecutionContext(context);
      return { status: response.status, headers: response.headers, text };
    };
  };
  const isolate = () => {
    const ask = isolateAnswers();
    return async (method: string, path: string, secret: string, body?: unknown): Promise<number> =>
      (await ask(method, path, secret, body)).status;
  };

  it("lets the key read for at most ten seconds", async () => {
    const now = vi.spyOn(clock, "now").mockReturnValue(START_MS);
    const { apiKeyId, secret } = await createWorkspace({ credits: 1 });
    const [ask, other] = [isolate(), isolate()];
    const read = () => ask("GET", "/api/v1/balance", secret);
    expect(await read()).toBe(200);
    now.mockReturnValue(START_MS + 9_000);
    expect(await read()).toBe(200);
    await revoke(apiKeyId);
    // The ten seconds count from the read of the key, not from its last use.
    now.mockReturnValue(START_MS + 9_999);
    expect([await read(), await other("GET", "/api/v1/balance", secret)]).toEqual([200, 401]);
    now.mockReturnValue(START_MS + 10_000);
    expect(await read()).toBe(401);
    // A clock that goes backwards does not reactivate the key.
    now.mockReturnValue(START_MS - 1);
    expect(await read()).toBe(401);
  });

  it("refuses everything that would spend, write or create", async () => {
    vi.spyOn(clock, "now").mockReturnValue(START_MS);
    const client = await workspaceWithLogo({ credits: 5, scopes: SCOPES });
    const job = (await postJob(client.secret, packOf(client))).body.data;
    const ask = isolate();
    expect(await ask("GET", "/api/v1/balance", client.secret)).toBe(200);
    await revoke(client.apiKeyId);
    const kept = async () => [
      await selectValue`SELECT credits FROM workspaces WHERE workspace_id = ${client.workspaceId}`,
      ...(await Promise.all(
        ["api_keys", "assets", "idempotency_keys", "jobs"].map((table) =>
          countRows(table, client.workspaceId),
        ),
      )),
    ];
    const before = await kept();
    const assetPath = `/api/v1/assets/${client.logoId}`;
    const intent = { slotId: "logo", fileName: "a.svg", mimeType: "image/svg+xml", byteLength: 9 };
    for (const [method, path, body] of [
      ["POST", "/api/v1/jobs", packOf(client)],
      ["POST", "/api/v1/previews", packOf(client)],
      ["POST", `/api/v1/jobs/${job.jobId}/cancel`, undefined],
      ["POST", "/api/v1/api-keys", { name: "Heir", scopes: ["balance:read"] }],
      ["POST", "/api/v1/assets/uploads", intent],
      ["DELETE", assetPath, undefined],
      ["DELETE", `/api/v1/api-keys/${client.apiKeyId}`, undefined],
    ] as const) {
      expect(await ask(method, path, client.secret, body), `${method} ${path}`).toBe(401);
    }
    // Every other route that is not a read refuses the key, too.
    for (const { method, path, isPublic } of await describedOperations()) {
      if (isPublic || method === "GET" || path.startsWith("/api/account/")) continue;
      const warm = isolate();
      const reader = await createWorkspace({ credits: 1, scopes: SCOPES });
      expect(await warm("GET", "/api/v1/balance", reader.secret)).toBe(200);
      await revoke(reader.apiKeyId);
      // This order's assets belong to another workspace. The answer must not reveal that.
      const body = path === "/api/v1/jobs" ? packOf(client) : {};
      expect(await warm(method, path, reader.secret, body), `${method} ${path}`).toBe(401);
    }
    expect(await kept()).toEqual(before);
    // The refused writes have cleared the isolate's cached key.
    expect(await ask("GET", "/api/v1/balance", client.secret)).toBe(401);
    await expectInvariants(client.workspaceId);
  });

  it.each(["revoked", "suspended"] as const)(
    "answers every POST /jobs of a key that was %s with 401, and reveals nothing else",
    async (end) => {
      vi.spyOn(clock, "now").mockReturnValue(START_MS);
      const client = await workspaceWithLogo({ credits: 2, scopes: SCOPES });
      const logoPack = packOf(client);
      const ask = isolateAnswers();
      const post = (body: unknown, idempotencyKey?: string) =>
        ask("POST", "/api/v1/jobs", client.secret, body, idempotencyKey);
      const cases: readonly (readonly [string, number, unknown, string?])[] = [
        ["a replay", 200, logoPack, "done-before"],
        ["a conflict", 409, packOf(client, { outputFormat: "jpg" }), "done-before"],
        ["not enough credits", 402, packOf(client, { selectedSizeIds: ["iab-320x50", "iab-300x250"] })],
        ["an unknown asset", 422, packOf(client, { assetIds: { logo: client.workspaceId } })],
        ["an unknown size", 422, packOf(client, { selectedSizeIds: ["nowhere"] })],
        ["an unknown member", 400, packOf(client, { colour: "red" })],
        ["no JSON object", 400, []],
      ];
      expect((await post(logoPack, "done-before")).status).toBe(202);
      for (const [what, status, body, idempotencyKey] of cases) {
        expect((await post(body, idempotencyKey)).status, what).toBe(status);
      }
      if (end === "revoked") await revoke(client.apiKeyId);
      else {
        const db = await databaseOfWorkspace(client.workspaceId);
        await setSuspended.run(db, { workspaceId: client.workspaceId, sinceMs: START_MS });
      }
      const code = end === "revoked" ? "KEY_REVOKED" : "WORKSPACE_INACTIVE";
      for (const [what, , body, idempotencyKey] of [...cases, ["a new job", 202, logoPack] as const]) {
        // Each order is sent through an isolate that cached the key while it was still valid.
        const answer = await post(body, idempotencyKey);
        expect([answer.status, JSON.parse(answer.text).error.code], what).toEqual([401, code]);
        expect(answer.text, what).not.toContain(client.logoId);
        const shown = [...answer.headers.keys()].filter((name) => /idempotent|location|retry/.test(name));
        expect(shown, what).toEqual([]);
        expect(answer.headers.get("WWW-Authenticate"), what).toContain("Bearer");
      }
    },
  );

  it("gets 429 from a full window while the key is cached", async () => {
    vi.spyOn(clock, "now").mockReturnValue(START_MS);
    const client = await workspaceWithLogo({ credits: 5 });
    const ask = isolateAnswers({ RATE_LIMIT_JOBS: "1" });
    const statuses = async () => (await ask("POST", "/api/v1/jobs", client.secret, packOf(client))).status;
    expect([await statuses(), await statuses()]).toEqual([202, 429]);
    await revoke(client.apiKeyId);
    expect(await statuses()).toBe(429);
    vi.spyOn(clock, "now").mockReturnValue(START_MS + LIMITS.keyMemoryMs);
    expect(await statuses()).toBe(401);
  });
});

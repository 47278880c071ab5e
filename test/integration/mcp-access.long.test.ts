import { createExecutionContext } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { SCOPES, type Scope } from "#api/scopes.ts";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import worker from "../../src/worker.ts";
import { execute } from "../support/database.ts";
import { freezeClock } from "../support/freeze-clock.ts";
import { holdQueue, packOf, workspaceWithLogo } from "../support/jobs.ts";
import { callTool, errorOf, messageIn, PROTOCOLS, post } from "../support/mcp.ts";
import { balanceOf, refusalOf } from "../support/refusals.ts";
import { call, configured, createWorkspace } from "../support/workspace.ts";

const ID = "01999999-9999-7999-8999-999999999999";

describe("API §17.2, §17.3 the key", () => {
  it.each(PROTOCOLS)(
    "%s: a missing, unknown or expired key is 401 with WWW-Authenticate",
    async (protocol) => {
      const { secret, apiKeyId } = await createWorkspace();
      const read = (options: { readonly secret?: string }) =>
        post("tools/list", {}, { protocol, ...options });
      const missing = await read({});
      expect([missing.status, missing.body.error.code]).toEqual([401, "KEY_MISSING"]);
      expect(missing.headers.get("WWW-Authenticate")).toMatch(/^Bearer /);
      expect((await read({ secret: "cpk_live_no" })).body.error.code).toBe("KEY_INVALID");
      await execute`UPDATE api_keys SET revoked_at = 1 WHERE api_key_id = ${apiKeyId}`;
      expect(refusalOf(await read({ secret }))).toEqual([401, "KEY_REVOKED"]);
    },
  );

  it("a tool that writes reads the key again, so that a cached key that was revoked spends nothing", async () => {
    holdQueue();
    const client = await workspaceWithLogo();
    await callTool(client.secret, "get_balance");
    await execute`UPDATE api_keys SET revoked_at = 1 WHERE api_key_id = ${client.apiKeyId}`;
    const refused = await callTool(client.secret, "create_pack", {
      ...packOf(client),
      idempotencyKey: newId(),
    });
    expect(errorOf(refused).code).toBe("KEY_REVOKED");
    expect(await balanceOf(client.workspaceId)).toBe(20);
  });

  const NEEDED: readonly (readonly [string, Scope, Record<string, unknown>])[] = [
    ["get_balance", "balance:read", {}],
    ["import_asset", "assets:write", {}],
    ["list_assets", "assets:read", {}],
    ["list_brands", "brands:read", {}],
    ["preview_pack", "previews:write", {}],
    ["quote_pack", "jobs:write", {}],
    ["create_pack", "jobs:write", {}],
    ["get_pack", "jobs:read", { jobId: ID }],
    ["share_pack", "deliveries:write", { artifactId: ID }],
    ["cancel_pack", "jobs:write", { jobId: ID }],
  ];

  it.each(NEEDED)("%s without %s is refused, and names the scope", async (name, scope, input) => {
    const scopes = SCOPES.filter((held) => held !== scope);
    const { secret } = await createWorkspace({ credits: 5, scopes });
    const error = errorOf(await callTool(secret, name, input));
    expect([error.code, error.details.requiredScope]).toEqual(["SCOPE_MISSING", scope]);
  });

  it("public data needs a key but no scope", async () => {
    const { secret } = await createWorkspace({ scopes: ["jobs:read"] });
    expect((await callTool(secret, "list_contracts")).structuredContent.items.length).toBeGreaterThan(0);
    const sizes = await callTool(secret, "list_sizes", { contractId: "display.v1", group: "iab" });
    expect(sizes.structuredContent.sizes[0]).toMatchObject({ group: "iab", width: expect.any(Number) });
  });
});

describe("API §17.4 the windows", () => {
  const WINDOWS = [
    ["get_balance", "READ", {}],
    ["list_contracts", "READ", {}],
    ["list_assets", "READ", {}],
    ["list_brands", "READ", {}],
    ["get_pack", "READ", { jobId: ID }],
    ["import_asset", "WRITE", {}],
    ["quote_pack", "WRITE", {}],
    ["share_pack", "WRITE", { artifactId: ID }],
    ["import_asset", "UPLOAD_BYTES", { slotId: "media", base64: "AAAA" }],
    ["create_pack", "JOBS", {}],
    ["cancel_pack", "JOBS", { jobId: ID }],
  ] as const;

  it.each(WINDOWS)("%s counts in the window of its route, RATE_LIMIT_%s", async (name, family, input) => {
    freezeClock();
    const { secret } = await createWorkspace({ credits: 5 });
    const settings = { [`RATE_LIMIT_${family}`]: "1" };
    await callTool(secret, name, input, { settings });
    const refused = await callTool(secret, name, input, { settings });
    const error = errorOf(refused);
    expect([error.code, error.details.limit]).toEqual(["RATE_LIMITED", 1]);
    expect(error.details.retryAfterSeconds).toBeGreaterThan(0);
  });

  it("a call and a request of the API share one window", async () => {
    freezeClock();
    const { secret } = await createWorkspace();
    const settings = { RATE_LIMIT_READ: "1" };
    await callTool(secret, "get_balance", {}, { settings });
    const read = await call("GET", "/api/v1/balance", { secret, settings });
    expect([read.status, read.body.error.code]).toEqual([429, "RATE_LIMITED"]);
  });

  it("other requests count as reads, and are 429 once that window is full", async () => {
    freezeClock();
    const { secret } = await createWorkspace();
    const settings = { RATE_LIMIT_READ: "1" };
    const first = await post("tools/list", {}, { secret, settings });
    expect([first.status, first.headers.get("X-RateLimit-Remaining")]).toEqual([200, "0"]);
    const second = await post("tools/list", {}, { secret, settings });
    expect([second.status, second.body.error.code]).toEqual([429, "RATE_LIMITED"]);
    expect(Number(second.headers.get("Retry-After"))).toBeGreaterThan(0);
    vi.spyOn(clock, "now").mockReturnValue(Date.now() + LIMITS.rateLimitWindowMs);
    expect((await post("tools/list", {}, { secret, settings })).status).toBe(200);
  });
});

describe("API §17.1, §17.5 the request", () => {
  const raw = (body: Uint8Array, headers: Record<string, string> = {}, secret?: string) =>
    call("POST", "/mcp", {
      ...(secret !== undefined && { secret }),
      body,
      headers: {
        Accept: "application/json, text/event-stream",
        "Content-Type": "application/json",
        ...headers,
      },
    });
  const encode = (text: string) => new TextEncoder().encode(text);

  it.each(["GET", "DELETE", "PUT"])("%s is 405 with Allow: POST", async (method) => {
    const answer = await call(method, "/mcp");
    expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "POST"]);
  });

  it("a message one byte over the limit is 413, however it is sent", async () => {
    const { secret } = await createWorkspace();
    const padding = (bytes: number) => encode(`"${"a".repeat(bytes - 2)}"`);
    expect((await raw(padding(LIMITS.agentMessageBytesMax + 1), {}, secret)).status).toBe(413);
    expect((await raw(padding(LIMITS.agentMessageBytesMax), {}, secret)).status).toBe(400);
  });

  /** Sends a large message, one chunk per read. Returns the number of reads, and a function that ends the message. */
  function sendSlowly(
    secret: string,
    settings: ReturnType<typeof configured>,
    more: Readonly<Record<string, string>> = {},
  ) {
    let pulls = 0;
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const stream = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          pulls += 1;
          await ended;
          controller.enqueue(encode('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { Authorization: `Bearer ${secret}`, Accept: "application/json, text/event-stream" };
    const request = new Request<unknown, IncomingRequestCfProperties>("https://packs.example/mcp", {
      method: "POST",
      headers: {
        ...headers,
        ...more,
        "Content-Type": "application/json",
        "MCP-Protocol-Version": "2025-11-25",
      },
      body: stream,
    });
    const answered = Promise.resolve(worker.fetch(request, settings, createExecutionContext()));
    return { answered, end, pulls: () => pulls };
  }

  it("API §17.3 a large message is not read without a valid key, nor once the window of uploads is full", async () => {
    freezeClock();
    const { secret } = await createWorkspace();
    const settings = configured({ RATE_LIMIT_UPLOAD_BYTES: "1" });
    const unknown = sendSlowly("cpk_live_no", settings);
    expect([(await unknown.answered).status, unknown.pulls()]).toEqual([401, 0]);
    const first = sendSlowly(secret, settings);
    first.end();
    expect((await first.answered).status).toBe(200);
    const second = sendSlowly(secret, settings);
    expect([(await second.answered).status, second.pulls()]).toEqual([429, 0]);
  });

  /** Lifts the time limits for slow senders. */
  const stopPace = () => vi.spyOn(clock, "wait").mockReturnValue(new Promise(() => undefined));

  it("API §17.3 messages are not read once the key's windows are full", async () => {
    freezeClock();
    const { secret } = await createWorkspace();
    const settings = configured({ RATE_LIMIT_READ: "1", RATE_LIMIT_WRITE: "1", RATE_LIMIT_JOBS: "1" });
    const small = () => sendSlowly(secret, settings, { "Content-Length": "46" });
    for (let sent = 0; sent < 6; sent += 1) {
      const { answered, end, pulls } = small();
      end();
      expect([(await answered).status, pulls()]).toEqual([sent === 0 ? 200 : 429, 1]);
    }
    const { answered, pulls } = small();
    const { status, headers } = await answered;
    expect([status, headers.get("X-RateLimit-Remaining"), pulls()]).toEqual([429, "0", 0]);
  });

  it("API §17.5 a slow large message is aborted, and one that declares too much is refused without waiting", async () => {
    const { secret } = await createWorkspace();
    const settings = configured({});
    stopPace();
    const first = sendSlowly(secret, settings);
    await vi.waitUntil(() => first.pulls() === 1);
    const long = sendSlowly(secret, settings, { "Content-Length": String(LIMITS.agentMessageBytesMax + 1) });
    long.end();
    expect((await long.answered).status).toBe(413);
    first.end();
    expect((await first.answered).status).toBe(200);
    vi.spyOn(clock, "wait").mockResolvedValue(undefined);
    const slow: Response = await sendSlowly(secret, settings).answered;
    expect([slow.status, await slow.json()]).toMatchObject([400, { error: { code: "BODY_INCOMPLETE" } }]);
  });

  it("API §17.5 a workspace's second large message waits for other workspaces' first ones", async () => {
    const [one, other] = [await createWorkspace(), await createWorkspace()];
    const settings = configured({});
    stopPace();
    const first = sendSlowly(one.secret, settings);
    await vi.waitUntil(() => first.pulls() === 1);
    const second = sendSlowly(one.secret, settings);
    const third = sendSlowly(other.secret, settings);
    // Once a later message has been answered, both large messages have been counted and are waiting.
    expect((await post("tools/list", {}, { secret: other.secret, settings })).status).toBe(200);
    first.end();
    await vi.waitUntil(() => third.pulls() === 1);
    expect(second.pulls()).toBe(0);
    third.end();
    second.end();
    expect([(await third.answered).status, (await second.answered).status]).toEqual([200, 200]);
  });

  it("API §17.3 one large message is read at a time", async () => {
    const { secret } = await createWorkspace();
    const settings = configured({});
    stopPace();
    const first = sendSlowly(secret, settings);
    await vi.waitUntil(() => first.pulls() === 1);
    const second = sendSlowly(secret, settings);
    // Messages that are not large are answered meanwhile.
    expect((await post("tools/list", {}, { secret })).status).toBe(200);
    expect(second.pulls()).toBe(0);
    first.end();
    expect((await first.answered).status).toBe(200);
    second.end();
    expect([(await second.answered).status, second.pulls()]).toEqual([200, 1]);
  });

  it("API §17.5 a message with deep nesting or very many members is 400; a long text counts as one member", async () => {
    const { secret } = await createWorkspace();
    const of = (params: string) =>
      raw(encode(`{"jsonrpc":"2.0","id":1,"method":"ping","params":${params}}`), {}, secret);
    for (const params of [`${"[".repeat(400_000)}`, `{"a":[${"{},".repeat(100_000)}{}]}`]) {
      const { status, body } = await of(params);
      expect([status, body.error.message]).toEqual([400, expect.stringContaining("too many members")]);
    }
    expect(
      (await of(`{"base64":"${'[{,\\\\\\"'.repeat(100_000)}"}`)).body?.error?.message ?? "",
    ).not.toContain("members");
  });

  it("an invalid message is 400 in the protocol's error format: not JSON, a list, a string", async () => {
    const { secret } = await createWorkspace();
    for (const [text, code] of [
      ["{", -32_700],
      ["[]", -32_600],
      ['[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', -32_600],
      ['"tools/list"', -32_600],
    ] as const) {
      expect(refusalOf(await raw(encode(text), {}, secret)), text).toEqual([400, code]);
    }
  });

  it("another content type is 415", async () => {
    const { secret } = await createWorkspace();
    expect((await raw(encode("{}"), { "Content-Type": "text/plain" }, secret)).status).toBe(415);
  });

  it("a page of another origin is 403, and a page of this origin is accepted", async () => {
    const { secret } = await createWorkspace();
    const from = (Origin: string) => post("tools/list", {}, { secret, headers: { Origin } });
    for (const origin of ["https://evil.example", "null", "http://localhost:3000"]) {
      expect((await from(origin)).status, origin).toBe(403);
    }
    expect((await from("https://packs.example")).status).toBe(200);
  });

  it("locally, a host name other than localhost is 403; a deployed origin accepts its own host name", async () => {
    const { secret } = await createWorkspace();
    const settings = { ENVIRONMENT: "local" };
    const at = (Host: string, more: object) => post("tools/list", {}, { secret, headers: { Host }, ...more });
    expect((await at("evil.example", { settings })).status).toBe(403);
    expect((await at("localhost:8787", { settings })).status).toBe(200);
    expect((await at("127.0.0.1:8787", { settings })).status).toBe(200);
    expect((await at("packs.example", {})).status).toBe(200);
    const named = { PUBLIC_ORIGIN: "https://packs.example" };
    expect((await at("packs.example", { settings: { ...settings, ...named } })).status).toBe(200);
  });

  it("answers are not cacheable and not streamed", async () => {
    const { secret } = await createWorkspace();
    for (const protocol of PROTOCOLS) {
      const answer = await post("tools/list", {}, { secret, protocol });
      expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
      expect(messageIn(answer).result.tools).toHaveLength(12);
    }
  });
});

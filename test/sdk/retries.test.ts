import { describe, expect, it } from "vitest";
import {
  AbortedError,
  type ClientOptions,
  ConnectionError,
  CreativePacks,
  CreativePacksError,
  ImportTimeoutError,
  RateLimitError,
  TimeoutError,
} from "../../sdk/src/index.ts";

/** Tests which calls are retried, and that a retry repeats the same request, so that the call takes effect once. */

const JOB_ORDER = { contractId: "display.v1", selectedSizeIds: ["iab-320x50"], assetIds: {} };
const META = { apiVersion: "2026-06-18", requestId: "r" };

const success = (data: object = { items: [], nextBefore: null }): Response =>
  Response.json({ ok: true, data, meta: META });

const refuse = (
  status: number,
  code: string,
  isRetryable: boolean,
  headers: Record<string, string> = {},
): Response =>
  Response.json(
    {
      ok: false,
      error: {
        code,
        message: code,
        httpStatus: status,
        details: { nextAction: "…", safeToRetryUnchanged: isRetryable },
      },
      meta: META,
    },
    { status, headers },
  );

/** Creates a client whose attempts get these responses in order. Also returns the sent requests. */
function clientOn(answers: readonly (() => Response | Promise<Response>)[], options: ClientOptions = {}) {
  const sent: { readonly url: string; readonly init: RequestInit }[] = [];
  const client = new CreativePacks({
    apiKey: "cpk_live_test",
    baseUrl: "https://packs.example/",
    backoffMs: { first: 1, longest: 2 },
    fetch: async (url, init) => {
      sent.push({ url, init });
      const answer = answers[sent.length - 1];
      if (answer === undefined) throw new Error("sent too often");
      return answer();
    },
    ...options,
  });
  const headerOf = (at: number, name: string) => new Headers(sent[at]?.init.headers).get(name);
  return { client, sent, headerOf };
}

const drop = (): never => {
  throw new TypeError("fetch failed");
};

describe("retried calls", () => {
  it.each<readonly [string, () => Response]>([
    ["a connection that fails", drop],
    ["an answer that breaks off", () => new Response('{"ok":true,"da')],
    ["408", () => new Response("", { status: 408 })],
    ["409 of a twin at work", () => refuse(409, "IDEMPOTENCY_IN_PROGRESS", true)],
    ["400 of a body that broke off", () => refuse(400, "BODY_INCOMPLETE", true)],
    ["429", () => refuse(429, "RATE_LIMITED", true, { "X-RateLimit-Reset": new Date().toISOString() })],
    ["500", () => refuse(500, "INTERNAL_ERROR", true)],
    ["503 of a proxy", () => new Response("<html>", { status: 503 })],
  ])("retries %s twice, with one idempotency key and one body", async (_, fail) => {
    const { client, sent, headerOf } = clientOn([fail, fail, () => success({ jobId: "j" })]);
    expect(await client.jobs.create(JOB_ORDER)).toEqual({ jobId: "j" });
    const keys = [0, 1, 2].map((at) => headerOf(at, "Idempotency-Key"));
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
    expect(new Set(sent.map(({ init }) => init.body)).size).toBe(1);
    expect(headerOf(0, "Authorization")).toBe("Bearer cpk_live_test");
  });

  it.each<readonly [string, () => Response]>([
    ["another use of the key", () => refuse(409, "IDEMPOTENCY_CONFLICT", false)],
    ["an order that cannot be paid", () => refuse(402, "PAYMENT_REQUIRED", false)],
    ["a service that the origin lacks", () => refuse(501, "SERVICE_NOT_CONFIGURED", false)],
    ["a state that somebody has to change", () => refuse(409, "ASSET_NOT_READY", true)],
  ])("does not retry %s", async (_, fail) => {
    const { client, sent } = clientOn([fail]);
    await expect(client.jobs.create(JOB_ORDER)).rejects.toBeInstanceOf(CreativePacksError);
    expect(sent).toHaveLength(1);
  });

  it("throws the third failure with the platform's error as its cause", async () => {
    const { client, sent } = clientOn([drop, drop, drop]);
    const call = client.balance.get();
    await expect(call).rejects.toBeInstanceOf(ConnectionError);
    await expect(call).rejects.toMatchObject({ isRetryable: true, cause: expect.any(TypeError) });
    expect(sent).toHaveLength(3);
  });

  it("does not retry a call that is not repeatable, unless the service rejected it unread", async () => {
    const key = { name: "Build", scopes: ["jobs:read" as const] };
    const lost = clientOn([drop]);
    await expect(lost.client.apiKeys.create(key)).rejects.toBeInstanceOf(ConnectionError);
    const busy = clientOn([() => refuse(429, "RATE_LIMITED", true, { "Retry-After": "0" }), () => success()]);
    await busy.client.apiKeys.create(key);
    expect([lost.sent.length, busy.sent.length]).toEqual([1, 2]);
  });

  it("keeps a caller's idempotency key, and gives two calls different ones", async () => {
    const { client, headerOf } = clientOn([success, success, success]);
    await client.jobs.create(JOB_ORDER, { idempotencyKey: "row-7" });
    await client.jobs.create(JOB_ORDER);
    await client.jobs.create(JOB_ORDER);
    expect(headerOf(0, "Idempotency-Key")).toBe("row-7");
    expect(headerOf(1, "Idempotency-Key")).not.toBe(headerOf(2, "Idempotency-Key"));
  });
});

describe("waits", () => {
  it("are as long as the service asks, by the service's clock", async () => {
    const date = "Thu, 18 Jun 2026 12:00:00 GMT";
    const reset = { Date: date, "X-RateLimit-Reset": "2026-06-18T12:00:00.200Z" };
    const { client } = clientOn([() => refuse(429, "RATE_LIMITED", true, reset), success]);
    const began = performance.now();
    await client.balance.get();
    expect(performance.now() - began).toBeGreaterThanOrEqual(195);
  });

  it("longer than the client's maximum throw at once", async () => {
    const { client } = clientOn([
      () => refuse(429, "PREVIEW_QUOTA_EXCEEDED", true, { "Retry-After": "40000" }),
    ]);
    await expect(client.previews.create(JOB_ORDER)).rejects.toBeInstanceOf(RateLimitError);
  });

  it("end on abort, before an attempt, during it and between two", async () => {
    const reason = new Error("enough");
    const early = clientOn([]);
    await expect(early.client.balance.get({ signal: AbortSignal.abort(reason) })).rejects.toMatchObject({
      name: "AbortedError",
      cause: reason,
    });
    expect(early.sent).toHaveLength(0);
    const between = clientOn([() => refuse(429, "RATE_LIMITED", true, { "Retry-After": "30" })]);
    await expect(between.client.balance.get({ signal: AbortSignal.timeout(20) })).rejects.toBeInstanceOf(
      AbortedError,
    );
    const during = clientOn([], { fetch: hang });
    await expect(during.client.balance.get({ signal: AbortSignal.timeout(20) })).rejects.toBeInstanceOf(
      AbortedError,
    );
  });

  it("for a response time out, and the call is retried", async () => {
    let tries = 0;
    const { client } = clientOn([], {
      timeoutMs: 10,
      fetch: (url, init) => {
        tries += 1;
        return hang(url, init);
      },
    });
    await expect(client.balance.get()).rejects.toBeInstanceOf(TimeoutError);
    expect(tries).toBe(3);
  });
});

const hang = (_: string, init: RequestInit): Promise<Response> =>
  new Promise((_resolve, reject) => {
    init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
  });

describe("downloads", () => {
  const bytes = new TextEncoder().encode("pixels");
  const digest = "sha-256=:hOIp5MqSGOfPMlGhVrgEFwYGhRnuVR0+TBmRyl1FUr8=:";
  const answer = (body: BodyInit, headers: Record<string, string>) => () => new Response(body, { headers });

  it("of a wrong length or SHA-256 are requested again", async () => {
    const right = await crypto.subtle.digest("SHA-256", bytes);
    const said = `sha-256=:${btoa(String.fromCharCode(...new Uint8Array(right)))}:`;
    const { client, sent } = clientOn([
      answer("pix", { "Content-Length": "6" }),
      answer("pixelz", { "Repr-Digest": said }),
      answer("pixels", { "Repr-Digest": said, "Content-Length": "6" }),
    ]);
    expect(await client.artifacts.downloadFile("a", "f")).toEqual(new Uint8Array(bytes));
    expect(sent).toHaveLength(3);
  });

  it("that stay damaged throw an error", async () => {
    const wrong = answer("pixels", { "Repr-Digest": digest });
    const { client } = clientOn([wrong, wrong, wrong]);
    await expect(client.artifacts.downloadFile("a", "f")).rejects.toThrow("SHA-256");
  });
});

describe("logging", () => {
  it("logs a line per attempt with the delay before a retry, without key, query, body or link", async () => {
    const lines: string[] = [];
    const take = (level: string) => (message: string, fields: object) =>
      void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
    const logger = { debug: take("debug"), info: take("info"), warn: take("warn"), error: take("error") };
    const traced = () => new Response(success().body, { headers: { "X-Request-ID": "req-7" } });
    const busy = () => refuse(503, "DATABASE_BUSY", true);
    const missing = () => refuse(404, "JOB_NOT_FOUND", false);
    const { client } = clientOn([busy, traced, drop, missing, missing], {
      ...{ logger, logLevel: "info", maxRetries: 1 },
    });
    await client.jobs.create({ ...JOB_ORDER, copy: { headline: "in-the-body" } });
    const link = "https://packs.example/api/v1/downloads/secret-link";
    await expect(client.artifacts.downloadLink(link)).rejects.toThrow();
    const image = "https://packs.example/i/secret-signature/iab-320x50.png?key=k&headline=in-the-query";
    await expect(client.images.load(image)).rejects.toThrow();
    expect(lines.map((line) => line.replace(/\d+ ms/g, "n ms").split(" {")[0])).toEqual([
      "warn POST /api/v1/jobs: 503 DATABASE_BUSY, sent again in n ms after n ms",
      "info POST /api/v1/jobs: 200 after n ms, try 2 (req-7)",
      "warn GET /api/v1/downloads/{token}: ConnectionError, sent again in n ms after n ms",
      "warn GET /api/v1/downloads/{token}: 404 JOB_NOT_FOUND after n ms, try 2",
      "warn GET /i/{signature}/iab-320x50.png: 404 JOB_NOT_FOUND after n ms",
    ]);
    expect(lines[1]).toContain('"attempt":2,"status":200,"requestId":"req-7","durationMs":');
    for (const secret of [
      "cpk_live_test",
      "in-the-body",
      "in-the-query",
      "secret-link",
      "secret-signature",
      "Bearer",
    ])
      expect(lines.join()).not.toContain(secret);
  });

  it("a throwing logger does not affect calls; an unknown level throws", async () => {
    const fail = (): never => {
      throw new Error("the disk is full");
    };
    const { client } = clientOn([() => success({ jobId: "j" })], {
      logger: { debug: fail, info: fail, warn: fail, error: fail },
    });
    expect(await client.jobs.get("j")).toEqual({ jobId: "j" });
    expect(() => clientOn([], { logLevel: "loud" as "info" })).toThrow("`logLevel` must be one of debug");
  });
});

describe("an endless import", () => {
  it("ends at its limit, with its attempts, last failure and next attempt in the error", async () => {
    const failed = {
      ...{ assetId: "a", status: "processing", importedFrom: "images.example" },
      import: {
        attempts: 2,
        nextAttemptAt: "2026-11-28T12:00:30.000Z",
        lastFailure: { code: "SOURCE_UNAVAILABLE", message: "The server could not be reached." },
      },
    };
    const progress: unknown[] = [];
    const { client, sent } = clientOn(Array(1_000).fill(() => success(failed)));
    const importing = client.assets.importFrom("https://images.example/a.jpg?token=secret", {
      ...{ slot: "media", limitMs: 60, pollMs: 5 },
      onProgress: ({ host, attempts, lastFailure }) => progress.push([host, attempts, lastFailure?.code]),
    });
    const error = await importing.catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ImportTimeoutError);
    expect(error.message).toMatch(
      /^The import from images\.example was not ready within 0\.06 s, after 2 attempts\. The last failure: The server could not be reached\. The next attempt is at 2026-11-28T12:00:30\.000Z\./,
    );
    expect(progress).toEqual([["images.example", 2, "SOURCE_UNAVAILABLE"]]);
    expect(sent.length).toBeGreaterThan(1);
  });

  it("an upload to a silent server ends at its limit; the caller's signal still works", async () => {
    const silent = () => new Promise<Response>(() => undefined);
    const hang = (init: RequestInit) =>
      new Promise<Response>((_, reject) => init.signal?.addEventListener("abort", () => reject(new Error())));
    const upload = (options: object) => {
      const { client } = clientOn([silent], { fetch: (_, init) => hang(init) });
      const svg = new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>']);
      return client.assets.upload(svg, { slot: "logo", name: "logo.svg", ...options });
    };
    await expect(upload({ limitMs: 30 })).rejects.toThrow(
      /^logo\.svg \(41 bytes\) was not uploaded within 0\.03 s/,
    );
    await expect(upload({ signal: AbortSignal.timeout(20) })).rejects.toBeInstanceOf(AbortedError);
  });
});

describe("reads", () => {
  it("include earlier writes by sending the latest bookmark", async () => {
    const bookmarks = ["00000002-b", "00000001-a"];
    const answers = bookmarks.map((bookmark) => () => {
      const response = success();
      response.headers.set("X-D1-Bookmark", bookmark);
      return response;
    });
    const { client, headerOf } = clientOn([...answers, success, success]);
    await client.jobs.create(JOB_ORDER);
    await client.jobs.get("j");
    await client.assets.list().firstPage();
    await client.balance.get();
    expect([0, 1, 2, 3].map((at) => headerOf(at, "X-D1-Bookmark"))).toEqual([
      null,
      "00000002-b",
      "00000002-b",
      null,
    ]);
  });
});

describe("a misconfigured client throws at once", () => {
  it.each<readonly [ClientOptions, string]>([
    [{ apiKey: "k", baseUrl: "packs.example" }, "`baseUrl` must be an address"],
    [{ apiKey: "two words", baseUrl: "https://packs.example" }, "`apiKey` holds characters"],
    [{ apiKey: "k", baseUrl: "https://packs.example", maxRetries: -1 }, "`maxRetries` must be"],
    [{ baseUrl: "https://packs.example" }, "CREATIVE_PACKS_API_KEY"],
    [{ apiKey: "k" }, "CREATIVE_PACKS_BASE_URL"],
  ])("%j", (options, message) => {
    expect(() => new CreativePacks(options)).toThrow(message);
  });

  it("an id that would change the path throws", async () => {
    const { client, sent } = clientOn([success]);
    await expect(client.jobs.get("..")).rejects.toThrow("`jobId` must be an id");
    await client.jobs.get("a/../../b");
    expect(sent[0]?.url).toBe("https://packs.example/api/v1/jobs/a%2F..%2F..%2Fb");
  });
});

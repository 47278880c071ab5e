import { exports } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { unzipSync } from "fflate";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { describedOperations, reportAccessAttempts } from "../support/access.ts";
import { linksOf, pathOf, readyPack } from "../support/artifacts.ts";
import { call, createWorkspace } from "../support/workspace.ts";

/** Nothing that a caller sends becomes a header, a path or a permission. */

reportAccessAttempts();

let secret: string;
beforeAll(async () => {
  ({ secret } = await createWorkspace({ credits: 5 }));
});

const ORIGIN = "https://packs.example";
const raw = (path: string, init: RequestInit = {}): Promise<Response> =>
  exports.default.fetch(new Request(new URL(path, ORIGIN), init));

const OTHER_PATHS = [
  "/",
  "/openapi.json",
  "/health",
  "/favicon.ico",
  "/api/v1",
  "/api/v1/nothing",
  "/api/v1/assets/%2e%2e/jobs",
  "/..%2f..%2fetc/passwd",
  "/api/v1/downloads/none",
  "//evil.example/api/v1/balance",
];

const HARDENED = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
} as const;

function expectHardened(headers: Headers, where: string): void {
  for (const [name, value] of Object.entries(HARDENED))
    expect(headers.get(name), `${where} ${name}`).toBe(value);
  expect(headers.get("Content-Security-Policy"), where).toMatch(/default-src 'none'/);
  expect(headers.get("Content-Security-Policy"), where).toMatch(/frame-ancestors 'none'/);
  expect(headers.get("X-Request-ID"), where).toMatch(/^[A-Za-z0-9._:/+=@-]+$/);
  for (const name of headers.keys()) {
    expect(name, where).not.toMatch(/^access-control-|^server$|^x-powered-by$|^set-cookie$/i);
  }
}

describe("every answer of every route", () => {
  it("has the security headers, no CORS header, and is cacheable only if public", async () => {
    const operations = await describedOperations();
    for (const { method, path, isPublic } of operations) {
      for (const withKey of [false, true]) {
        const answer = await call(method, path, {
          headers: { Origin: "https://evil.example", ...(withKey ? { "X-API-Key": secret } : {}) },
          ...(method === "POST" || method === "PUT" ? { body: {} } : {}),
        });
        expectHardened(answer.headers, `${method} ${path} ${answer.status}`);
        if (!isPublic) expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
      }
    }
    for (const path of OTHER_PATHS) {
      const response = await raw(path, { headers: { Origin: "https://evil.example" } });
      expectHardened(response.headers, path);
      await response.body?.cancel();
    }
  });

  it("a preflight grants nothing: 405 or 404, without an Access-Control header", async () => {
    const paths = new Set((await describedOperations()).map(({ path }) => path));
    for (const path of [...paths, ...OTHER_PATHS]) {
      const response = await raw(path, {
        method: "OPTIONS",
        headers: {
          Origin: "https://evil.example",
          "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": "authorization,idempotency-key",
        },
      });
      expect([404, 405], `${path} ${response.status}`).toContain(response.status);
      expectHardened(response.headers, `OPTIONS ${path}`);
      await response.body?.cancel();
    }
  });

  it("HEAD returns GET's headers without a body, and on routes without GET it changes nothing", async () => {
    for (const { method, path } of await describedOperations()) {
      const response = await raw(path, { method: "HEAD", headers: { "X-API-Key": secret } });
      expect((await response.arrayBuffer()).byteLength, path).toBe(0);
      expectHardened(response.headers, `HEAD ${path}`);
      if (method !== "GET") continue;
      const whole = await raw(path, { headers: { "X-API-Key": secret } });
      await whole.body?.cancel();
      expect(response.status, path).toBe(whole.status);
    }
  });
});

it.each(["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"])("%s is ignored", async (name) => {
  const { apiKeyId, secret: own } = await createWorkspace({ credits: 5 });
  const path = `/api/v1/api-keys/${apiKeyId}`;
  const posted = await call("POST", `${path}?_method=DELETE`, {
    secret: own,
    headers: { [name]: "DELETE" },
  });
  expect(posted.status).toBe(405);
  const got = await call("GET", "/api/v1/api-keys", {
    secret: own,
    headers: { [name]: "POST" },
  });
  expect(got.body.data.items).toHaveLength(1);
  expect((await call("GET", "/api/v1/balance", { secret: own })).status).toBe(200);
});

describe("request ids", () => {
  it.each(["é", "a\tb", "\u007f", "x".repeat(129)])("%j is replaced", async (offered) => {
    const answer = await call("GET", "/health", { headers: { "X-Request-ID": offered } });
    expect(answer.headers.get("X-Request-ID")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("printable ASCII of up to 128 characters is kept; the log hashes ids that look like secrets", async () => {
    const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(0x20 + at)).join("");
    const plain = [
      "x".repeat(128),
      "client-trace-42",
      "Root=1-67891233-abcdef012345678912345678",
      "a/b:c+d=e",
    ];
    const unsafe = [
      ...[printable.trim(), "a b", "a,b", 'a"b', "a<b", "a;b", "{}", "$(id)", "mail ada@packs.example"],
      ...[
        secret,
        `trace:${secret}`,
        `${ORIGIN}/api/v1/downloads/9a1c03de.WyJ.6mK2bQ`,
        "cpi_abc",
        "whsec_abc",
      ],
      "ada@packs.example",
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig",
    ];
    const lines: string[] = [];
    const printing = vi
      .spyOn(console, "log")
      .mockImplementation((...values) => void lines.push(values.join(" ")));
    for (const offered of [...plain, ...unsafe]) {
      const answer = await call("GET", "/api/v1/nothing", { headers: { "X-Request-ID": offered } });
      expect(answer.headers.get("X-Request-ID")).toBe(offered);
      expect(answer.body.error.requestId).toBe(offered);
      expect(answer.body.meta.requestId).toBe(offered);
      lines.length = 0;
      const found = await call("GET", "/health", { headers: { "X-Request-ID": offered } });
      expect(found.headers.get("X-Request-ID")).toBe(offered);
      const logged = JSON.parse(lines.at(-1) ?? "").requestId;
      if (plain.includes(offered)) expect(logged).toBe(offered);
      else expect(logged).toBe(`sha256-${createHash("sha256").update(offered).digest("hex").slice(0, 16)}`);
    }
    printing.mockRestore();
  });
});

const intent = (fileName: unknown) =>
  call("POST", "/api/v1/assets/uploads", {
    secret,
    headers: { "Idempotency-Key": crypto.randomUUID() },
    body: { slotId: "logo", fileName, mimeType: "image/png", byteLength: 9, width: 300, height: 300 },
  });

describe("file names", () => {
  it.each(["../../etc/passwd", "\ud800.png", ["a.png"], { toString: "a.png" }, 7])(
    "%j is refused",
    async (fileName) => {
      expect((await intent(fileName)).status).toBe(400);
    },
  );

  it.each([
    'a"; filename="b.exe',
    "a;b.png",
    "ログ.png",
    "%2e%2e%2fetc",
    "a'b(c)*.png",
    "CON.png",
    "-rf.png",
    "logo.png ",
    "👩🏽‍💻.png",
  ])("%j is stored unchanged, and occurs in no header or URL", async (fileName) => {
    const answer = await intent(fileName);
    expect(answer.status).toBe(201);
    const shown = await call("GET", `/api/v1/assets/${answer.body.data.assetId}`, { secret });
    expect(shown.body.data.fileName).toBe(fileName);
    expect(JSON.stringify([...answer.headers])).not.toContain("filename");
    expect(answer.body.data.url).not.toContain(encodeURIComponent(fileName));
  });
});

it("a pack's ZIP contains only plain file names, each once, and the manifest", async () => {
  const pack = await readyPack();
  const answer = await call("GET", pathOf((await linksOf(pack)).url));
  const names = Object.keys(unzipSync(answer.bytes));
  expect(names.length).toBe(pack.manifest.files.length + 1);
  for (const name of names) expect(name).toMatch(/^[a-z0-9][a-z0-9-]*\.(png|jpg|webp|gif|json)$/);
});

describe("an extremely large request", () => {
  it.each([
    ["a key of 100,000 characters", { "X-API-Key": "cpk_live_".padEnd(100_000, "a") }, 401],
    ["a bearer of blanks", { Authorization: `Bearer ${" ".repeat(60_000)}x y` }, 401],
    ["a request id of 100,000 characters", { "X-Request-ID": "x".repeat(100_000) }, 401],
  ] as const)("with %s is 401", async (_name, headers, status) => {
    expect((await call("GET", "/api/v1/balance", { headers })).status).toBe(status);
  });

  it.each([
    ["nested 30,000 deep", "[".repeat(30_000) + "]".repeat(30_000)],
    ["with 8,000 unknown members", `{${Array.from({ length: 8_000 }, (_, at) => `"${at}":1`).join(",")}}`],
    ["with one string of 60,000 characters", JSON.stringify("x".repeat(60_000))],
    ["with an infinite number", `{"byteLength":1e${"9".repeat(400)}}`],
    ["with __proto__", '{"__proto__":{"slotId":"logo"},"constructor":1}'],
  ])("a body %s is 400 with a short answer", async (_name, text) => {
    const answer = await call("POST", "/api/v1/assets/uploads", {
      secret,
      body: new TextEncoder().encode(text),
      headers: { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() },
    });
    expect(answer.status).toBe(400);
    expect(answer.bytes.byteLength).toBeLessThan(8_192);
  });

  it("a body beyond the limit is refused, whatever length it declares", async () => {
    const body = new TextEncoder().encode(`{"name":"${"x".repeat(70_000)}"}`);
    const headers = { "Content-Type": "application/json", "X-API-Key": secret };
    expect((await raw("/api/v1/api-keys", { method: "POST", body, headers })).status).toBe(400);
    const chunks = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(body);
        controller.close();
      },
    });
    expect((await raw("/api/v1/api-keys", { method: "POST", body: chunks, headers })).status).toBe(400);
  });
});

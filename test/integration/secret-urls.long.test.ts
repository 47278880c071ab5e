import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Env } from "#platform/bindings/env.ts";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import openapi from "../../schema/openapi.json?raw";
import worker from "../../src/worker.ts";
import { parseLine, secretsIn } from "../logs/secrets-in-text.ts";
import { fromOwnNetwork } from "../support/accounts.ts";
import {
  DAMAGES,
  firstFile,
  linksOf,
  pathOf,
  type ReadyPack,
  readyPack,
  restore,
  storedObject,
} from "../support/artifacts.ts";
import { keepPrintedTexts } from "../support/printed-texts.ts";
import { createWorkspace } from "../support/workspace.ts";

/**
 * Workers Logs attaches the URL to every line printed during a request. So a request whose URL may contain a secret
 * prints nothing, however it ends, and its lines are printed later, during a request with a harmless URL.
 */

const printed = keepPrintedTexts();
interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly overrides?: Partial<Env>;
}

/** Sends a request, reads the response to its end, and waits for all deferred work. */
async function ask(path: string, { method = "GET", headers = {}, overrides = {} }: Asked = {}) {
  const context = createExecutionContext();
  const request = new Request(new URL(path, "https://packs.example"), { method, headers });
  const response = await worker.fetch(request, { ...env, ...overrides }, context);
  const bytes = await response.arrayBuffer().catch(() => null);
  await waitOnExecutionContext(context);
  return { status: response.status, headers: response.headers, isWhole: bytes !== null };
}

/** Like `ask`, but also expects that nothing is printed meanwhile. */
async function askInSilence(path: string, asked: Asked = {}) {
  printed.texts = [];
  const answer = await ask(path, asked);
  expect(printed.texts, path).toEqual([]);
  return answer;
}

/** Lines that the next request with a harmless URL prints. */
async function printedLater(): Promise<readonly string[]> {
  printed.texts = [];
  await ask("/health");
  return printed.texts;
}

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly example?: string | number;
  readonly $ref?: string;
}
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
const document: Document = JSON.parse(openapi);

/** Whether a value of this schema may be any text, even a secret. */
const isFree = ({ type, format, enum: values }: Schema): boolean =>
  type === "string" && values === undefined && format !== "uuid" && format !== "date-time";

const OPAQUE = "s3cr3tOfSomebodyElse_41f9c2";

/** Each operation with a free-text parameter, and its URL with an opaque text as this parameter. */
const FREE_PLACES = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { parameters = [] }]) =>
    parameters
      .filter((parameter) => parameter.in !== "header" && isFree(parameter.schema))
      .map((parameter) => {
        const inPath = path.replace(`{${parameter.name}}`, OPAQUE).replace("{provider}", "github");
        const filled = inPath.replace(/\{[^}]+\}/g, newId());
        const query = parameter.in === "query" ? `?${parameter.name}=${OPAQUE}` : "";
        return [
          `${method.toUpperCase()} ${path}, ${parameter.name}`,
          method.toUpperCase(),
          filled + query,
        ] as const;
      }),
  ),
);

describe("a URL in which a route accepts free text", () => {
  it("is, for example, a download link or a provider's callback", () => {
    const places = FREE_PLACES.map(([name]) => name);
    expect(places).toContain("GET /api/v1/downloads/{token}, token");
    expect(places).toContain("GET /api/account/oauth/callback/{provider}, code");
    expect(places).toContain("GET /api/account/oauth/callback/{provider}, state");
  });

  it.each(FREE_PLACES)(
    "(%s) is never printed, whatever the method and failure",
    async (_, method, address) => {
      const headers = fromOwnNetwork();
      await askInSilence(address, { method, headers });
      for (const other of ["HEAD", "POST", "PATCH", "OPTIONS"]) {
        await askInSilence(address, { method: other, headers });
      }
      await askInSilence(address.replace(OPAQUE, `${OPAQUE}/`), { method, headers });
      await askInSilence(`/${address}`, { method, headers });
      await askInSilence(address, {
        method,
        headers,
        overrides: { KEY_PEPPER: "", DOWNLOAD_SIGNING_KEY: "", AUTH_SECRET: "" },
      });
      for (const thrown of [new Error(`about ${OPAQUE}`), `not an error, about ${OPAQUE}`]) {
        const broken = vi.spyOn(crypto, "randomUUID").mockImplementation(() => {
          throw thrown;
        });
        expect((await askInSilence(address, { method, headers })).status).toBe(500);
        broken.mockRestore();
      }
      const later = await printedLater();
      expect(later.length).toBeGreaterThan(1);
      for (const line of later) {
        expect(secretsIn(line, [OPAQUE]), line).toEqual([]);
        expect(parseLine(line), line).not.toBeNull();
      }
    },
  );
});

const resolved = (schema: Schema): Schema =>
  document.components.schemas[schema.$ref?.split("/").at(-1) ?? ""] ?? schema;

/** Each operation with a query parameter that cannot be a secret, and its URL with a valid value of this parameter. */
const PLAIN_QUERIES = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { parameters = [] }]) =>
    parameters.flatMap(({ name, in: place, schema }) => {
      const { pattern, example, enum: [word] = [], ...rest } = resolved(schema);
      if (place !== "query" || (pattern === undefined && isFree(resolved(schema)))) return [];
      const value = example ?? word ?? (rest.type === "string" ? "0".repeat(64) : "1");
      const address = `${path.replace(/\{[^}]+\}/g, newId())}?${name}=${value}`;
      return [[`${method.toUpperCase()} ${path}, ${name}`, method.toUpperCase(), address] as const];
    }),
  ),
);

/** A request that is treated as secret is logged later. Its lines are lost if the isolate ends before that. */
it.each(PLAIN_QUERIES)(
  "%s: a valid value counts as harmless, and the request is logged at once",
  async (_, method, address) => {
    await ask(address, { method, headers: fromOwnNetwork() });
    expect(printed.texts.map(parseLine)).toContainEqual(expect.objectContaining({ event: "request" }));
  },
);

describe("a signed link", () => {
  const paths = async (pack: ReadyPack) => {
    const links = await linksOf(pack);
    return [pathOf(links.url), pathOf(links.files[0]?.url ?? "")] as const;
  };

  it("prints nothing when opened, refused, expired or interrupted; its lines are printed later", async () => {
    const pack = await readyPack();
    const tokens = await paths(pack);
    await printedLater();
    const statuses = async (asked: Asked = {}) => [
      (await askInSilence(tokens[0], asked)).status,
      (await askInSilence(tokens[1], asked)).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    expect(await statuses({ method: "HEAD" })).toEqual([200, 200]);
    expect((await askInSilence(`${tokens[0]}x`)).status).toBe(403);
    const tight = { RATE_LIMIT_DOWNLOADS: "1" };
    expect(await statuses({ overrides: tight })).toEqual([429, 429]);

    const stored = await storedObject(pack, firstFile(pack).fileName);
    await DAMAGES["one bit turned"]?.(stored);
    expect(await statuses()).toEqual([409, 409]);
    await restore(stored);

    // The object exists when it is verified and is missing when it is sent, so the transfer is aborted.
    const get = env.BUCKET.get.bind(env.BUCKET);
    let reads = 0;
    const vanishing = vi.spyOn(env.BUCKET, "get").mockImplementation(async (key: string) => {
      reads += 1;
      // The manifest adds one read.
      return reads > pack.manifest.files.length + 1 ? null : get(key);
    });
    expect(await askInSilence(tokens[0])).toMatchObject({ status: 200, isWhole: false });
    vanishing.mockRestore();

    vi.spyOn(env.BUCKET, "get").mockRejectedValue(new Error(`D1_ERROR: ${tokens[0]}`));
    expect(await statuses()).toEqual([500, 500]);
    vi.mocked(env.BUCKET.get).mockRestore();
    vi.spyOn(clock, "now").mockReturnValue(Date.now() + 3_600_000);
    expect(await statuses()).toEqual([403, 403]);
    vi.mocked(clock.now).mockRestore();

    const later = await printedLater();
    const lines = later.map((line) => parseLine(line));
    const told = lines.map((line) => `${line?.event} ${line?.status ?? line?.code ?? line?.errorName}`);
    expect(told).toEqual(
      expect.arrayContaining([
        "request 200",
        "request 403",
        "request 429",
        "request 409",
        "request 500",
        "request_failed Error",
        "download_broken_off FILE_CORRUPT",
      ]),
    );
    for (const line of lines.slice(0, -1)) expect(line?.atMs).toBeGreaterThan(0);
    for (const line of later)
      expect(secretsIn(line, [...tokens.map((token) => token.slice(-30))])).toEqual([]);
  });
});

it("a provider's callback prints neither code nor state, even if the provider fails", async () => {
  const code = "4f1c0f7b2d9a8e6c5b3a";
  const network = fromOwnNetwork();
  const context = createExecutionContext();
  const begin = new Request("https://packs.example/api/account/oauth/github", {
    method: "POST",
    headers: network,
  });
  const started = await worker.fetch(begin, env, context);
  const { data } = await started.json<{ data: { url: string } }>();
  const state = new URL(data.url).searchParams.get("state") ?? "";
  const Cookie = started.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
  const back = `/api/account/oauth/callback/github?${new URLSearchParams({ code, state })}`;
  vi.spyOn(globalThis, "fetch").mockRejectedValueOnce(new Error(`no answer for ${code}`));
  expect((await askInSilence(back, { headers: { ...network, Cookie } })).status).toBeGreaterThanOrEqual(400);
  vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json({ error: "bad_verification_code" }));
  expect((await askInSilence(back, { headers: { ...network, Cookie } })).status).toBe(401);
  expect((await askInSilence(back, { headers: network })).status).toBe(401);
  vi.spyOn(env.DB, "withSession").mockImplementation(() => {
    throw new Error(`D1_ERROR: ${state}`);
  });
  await askInSilence(back, { headers: { ...network, Cookie } });
  vi.mocked(env.DB.withSession).mockRestore();
  for (const line of await printedLater()) expect(secretsIn(line, [code, state]), line).toEqual([]);
});

it("an API key in a path or query is not printed either", async () => {
  const { secret } = await createWorkspace();
  const headers = { Authorization: `Bearer ${secret}` };
  for (const path of [
    `/${secret}`,
    `/api/v1/${secret}`,
    `/api/v1/balance?key=${secret}`,
    `/api/v1/balance?${secret}`,
    `/api/v1/assets/${secret}`,
    `/api/v1/assets?slotId=${secret}`,
    `/api/v1/assets?limit=1&before=${secret}`,
    `/api/v1/balance/%63pk_live`,
    `/api/v1/contracts/${secret}`,
    `/docs/${secret}`,
  ]) {
    await askInSilence(path, { headers });
  }
  for (const line of await printedLater()) expect(secretsIn(line, [secret]), line).toEqual([]);
});

it("requests with harmless URLs print their own line at once", async () => {
  const { secret } = await createWorkspace();
  const headers = { Authorization: `Bearer ${secret}` };
  await printedLater();
  for (const path of [
    "/health",
    "/",
    "/openapi.json",
    "/api/v1/contracts/display.v1",
    "/api/v1/balance",
    "/api/v1/assets?limit=5&slotId=logo&status=ready&before=2026-06-18T12:00:00.000Z",
    `/api/v1/jobs/${newId().toUpperCase()}`,
  ]) {
    printed.texts = [];
    await ask(path, { headers });
    expect(printed.texts, path).toHaveLength(1);
    expect(parseLine(printed.texts[0] ?? "")?.atMs).toBeUndefined();
  }
});

/** The limit in src/platform/log/log.ts. */
const LINES_THAT_FIT = 200;

it("deferred log lines are limited in number, and dropped lines are counted", async () => {
  await printedLater();
  const rounds = LINES_THAT_FIT + 20;
  for (let round = 0; round < rounds; round += 1) await ask(`/api/v1/downloads/${OPAQUE}${round}`);
  const later = await printedLater();
  expect(later.length).toBeLessThan(rounds);
  const dropped = later.map((line) => parseLine(line)).find((line) => line?.event === "log_lines_dropped");
  // Leaves out the line of the request that printed them, and the line with the count.
  expect(Number(dropped?.count) + later.length - 2).toBe(rounds);
});

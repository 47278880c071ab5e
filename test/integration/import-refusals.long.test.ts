import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { IMPORT_BACKOFF_SECONDS, LIMITS } from "#api/limits.ts";
import { sendPendingImports } from "#domains/assets/imports/dispatch-imports.ts";
import { expireImports } from "#domains/assets/imports/import-store.ts";
import { clock } from "#platform/clock.ts";
import { log } from "#platform/log/log.ts";
import { mediaFile } from "../support/asset-files.ts";
import { send } from "../support/assets.ts";
import { execute } from "../support/database.ts";
import {
  consumeImport,
  FILE_URL,
  fileResponse,
  HOST,
  holdImportQueue,
  importing,
  objectsOf,
  readAsset,
  serve,
  storedImports,
} from "../support/imports.ts";
import { recordMessages } from "../support/sent-messages.ts";
import { createWorkspace, type TestWorkspace } from "../support/workspace.ts";

const DEFAULTS = { ...LIMITS };
let workspace: TestWorkspace;
beforeEach(async () => {
  holdImportQueue();
  workspace = await createWorkspace({ credits: 10 });
});
afterEach(() => {
  Object.assign(LIMITS, DEFAULTS);
});

const text = (body: string, contentType: string | null): Response =>
  fileResponse(new TextEncoder().encode(body), contentType);
const moved = (to: string): Response => new Response(null, { status: 302, headers: { Location: to } });
/** A body sent in chunks. With `isBroken`, the connection breaks after the last chunk. */
const chunked = (chunks: readonly Uint8Array[], isBroken: boolean, headers: Record<string, string> = {}) => {
  const left = [...chunks];
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = left.shift();
      if (chunk !== undefined) controller.enqueue(chunk);
      else if (isBroken) controller.error(new Error("connection reset"));
      else controller.close();
    },
  });
  return new Response(stream, { headers: { "Content-Type": "image/png", ...headers } });
};
const huge = (): Uint8Array[] => {
  const chunk = new Uint8Array(1_048_576);
  const first = chunk.slice();
  first.set(mediaFile.bytes);
  return [first, ...Array.from({ length: 25 }, () => chunk)];
};

/** The hosts of these cases. Other hosts may get mails of earlier tests meanwhile. */
const OUR_HOSTS = /^\w+:\/\/(images\.customer\.example|10\.0\.0\.1|169\.254\.169\.254)\b/;

it.each([
  ["a redirect to a private address", "ADDRESS_REFUSED", () => moved("https://10.0.0.1/a.png")],
  ["a redirect to the metadata service", "ADDRESS_REFUSED", () => moved("http://169.254.169.254/latest")],
  ["a redirect to http:", "ADDRESS_REFUSED", () => moved(`http://${HOST}/a.png`)],
  ["a redirect to a port", "ADDRESS_REFUSED", () => moved(`https://${HOST}:22/`)],
  ["a redirect to data", "ADDRESS_REFUSED", () => moved("data:image/png;base64,AAAA")],
  ["an endless redirect to itself", "TOO_MANY_REDIRECTS", () => moved(FILE_URL)],
  ["404", "SOURCE_REFUSED", () => new Response("gone", { status: 404 })],
  ["401", "SOURCE_REFUSED", () => new Response(null, { status: 401 })],
  ["a partial response (206)", "SOURCE_REFUSED", () => new Response("part", { status: 206 })],
  ["a redirect without Location", "SOURCE_REFUSED", () => new Response(null, { status: 302 })],
  ["a web page", "UNSUPPORTED", () => text("<!doctype html><p>not found", "text/html; charset=utf-8")],
  ["a web page as text", "UNSUPPORTED", () => text("<html><svg></svg></html>", "text/plain")],
  ["JSON", "UNSUPPORTED", () => text('{"error":"no"}', "application/json")],
  ["a GIF", "UNSUPPORTED", () => text("GIF89a", "image/gif")],
  ["a HEIC recognized by its type", "UNSUPPORTED", () => text("", "image/heic")],
  ["a HEIC without a type", "UNSUPPORTED", () => text("\0\0\0\x18ftypheic\0\0\0\0mif1heic", null)],
  ["an SVG in a slot for photos", "UNSUPPORTED", () => text("<svg/>", "image/svg+xml")],
  ["an SVG without a type", "UNSUPPORTED", () => text("<svg/>", null)],
  ["a PNG served as JPEG", "NOT_WHAT_IT_CLAIMS", () => fileResponse(mediaFile.bytes, "image/jpeg")],
  ["a truncated PNG", "TRUNCATED", () => fileResponse(mediaFile.bytes.slice(0, 20), "image/png")],
  [
    "a transparent logo",
    "EMPTY",
    () => text('<svg viewBox="0 0 9 9"><path d="M9 9"/></svg>', "image/svg+xml"),
    { slotId: "logo" },
  ],
  ["nothing", "EMPTY", () => fileResponse(new Uint8Array(0), "image/png")],
  [
    "a declared length over the limit",
    "TOO_LARGE",
    () => chunked([], false, { "Content-Length": "26214401" }),
  ],
  ["a file over the limit without a declared length", "TOO_LARGE", () => chunked(huge(), false)],
])(
  "API §4.45, §4.46 an import is rejected at once and stores nothing: %s",
  async (name, code, answer, body?: { slotId: string }) => {
    const lines = vi.spyOn(log, "line").mockReturnValue();
    const failures = vi.spyOn(log, "failure").mockReturnValue();
    const { asked } = serve({ [FILE_URL]: answer });
    const { assetId } = await importing(workspace.secret, body);
    expect(await consumeImport(assetId)).toBe("acknowledged");
    const asset = await readAsset(workspace.secret, assetId);
    expect(asset).toMatchObject({
      status: "rejected",
      rejection: { code },
      mimeType: null,
      byteLength: null,
    });
    expect(asset.rejection?.message).toMatch(/Import|Check|upload|Export|Send|needs|says|ends|file/);
    const foreign = /^a (GIF|HEIC)/.exec(name)?.[1];
    if (foreign !== undefined)
      expect(asset.rejection?.message).toMatch(RegExp(`^The file is ${foreign}, .*Export`));
    const told = JSON.stringify([asset, lines.mock.calls, failures.mock.calls]);
    for (const secret of ["in-the-query", "10.0.0.1", "beach.jpg"]) expect(told).not.toContain(secret);
    const ours = asked.filter((url) => OUR_HOSTS.test(url));
    for (const url of ours) expect(new URL(url).host).toBe(HOST);
    expect(ours.length).toBeLessThanOrEqual(LIMITS.importRedirectsMax + 1);
    expect(await objectsOf(workspace.workspaceId, assetId)).toEqual([]);
    expect(await storedImports(workspace.workspaceId)).toEqual([]);
  },
);

it.each([
  ["503", () => new Response(null, { status: 503 })],
  ["no connection", () => new Error("connection refused")],
  ["a body cut off by a broken connection", () => chunked([mediaFile.bytes.slice(0, 100)], true)],
  [
    "a body shorter than its length",
    () => chunked([mediaFile.bytes.slice(0, 100)], false, { "Content-Length": "5000" }),
  ],
  ["a large body cut off by a broken connection", () => chunked(huge().slice(0, 12), true)],
])("API §4.45 an import shows its last failure and is retried: %s, then the file", async (_, answer) => {
  serve({ [FILE_URL]: [answer(), fileResponse(mediaFile.bytes, "image/png")] as Response[] });
  const { assetId } = await importing(workspace.secret);
  expect(await consumeImport(assetId)).toEqual({ delaySeconds: IMPORT_BACKOFF_SECONDS[0] });
  expect(await objectsOf(workspace.workspaceId, assetId)).toEqual([]);
  const waiting = await readAsset(workspace.secret, assetId);
  expect(waiting).toMatchObject({ status: "processing", rejection: null });
  expect(waiting.import).toEqual({
    attempts: 1,
    nextAttemptAt: expect.stringMatching(/^20.*Z$/),
    lastFailure: { code: "SOURCE_UNAVAILABLE", message: expect.stringMatching(/^The server [^,]*\.$/) },
  });
  pass(5);
  expect(await consumeImport(assetId)).toBe("acknowledged");
  expect(await readAsset(workspace.secret, assetId)).toMatchObject({ status: "ready", import: null });
});

function pass(seconds: number): void {
  vi.spyOn(clock, "now").mockReturnValue(clock.now() + seconds * 1_000);
}

it("API §4.45 an import is retried as documented, then rejected with the reason; Retry-After prolongs a delay", async () => {
  const answers = [
    new Response(null, { status: 503 }),
    new Response(null, { status: 429, headers: { "Retry-After": "77" } }),
    ...Array.from({ length: 3 }, () => new Response(null, { status: 500 })),
  ];
  serve({ [FILE_URL]: answers });
  const { assetId } = await importing(workspace.secret);
  const waits: unknown[] = [];
  for (let attempt = 0; attempt < LIMITS.importAttemptsMax; attempt += 1) {
    const consumed = await consumeImport(assetId);
    const delay = consumed === "acknowledged" ? null : consumed.delaySeconds;
    waits.push(delay);
    pass(delay ?? 0);
  }
  expect(waits).toEqual([5, 77, 120, 600, null]);
  const asset = await readAsset(workspace.secret, assetId);
  expect(asset).toMatchObject({ status: "rejected", rejection: { code: "SOURCE_UNAVAILABLE" } });
  expect(asset.rejection?.message).toContain("500");
  expect(await storedImports(workspace.workspaceId)).toEqual([]);
});

it("an import whose bytes only trickle in is aborted in time, and retried", async () => {
  Object.assign(LIMITS, { importTimeoutMs: 50 });
  let isCut = false;
  const drip = new ReadableStream<Uint8Array>({
    pull: (controller) =>
      new Promise((resolve) => {
        setTimeout(() => {
          if (!isCut) controller.enqueue(mediaFile.bytes.slice(0, 1));
          resolve();
        }, 10);
      }),
    cancel: () => {
      isCut = true;
    },
  });
  serve({ [FILE_URL]: () => new Response(drip, { headers: { "Content-Type": "image/png" } }) });
  const { assetId } = await importing(workspace.secret);
  expect(await consumeImport(assetId)).toEqual({ delaySeconds: 5 });
  expect(isCut).toBe(true);
  expect(await objectsOf(workspace.workspaceId, assetId)).toEqual([]);
});

/** Sends these bytes, and does not end even when it is canceled. */
const unending = (init: ResponseInit, ...chunks: Uint8Array[]): Response =>
  new Response(
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const chunk = chunks.shift();
        if (chunk === undefined) return new Promise(() => undefined);
        controller.enqueue(chunk);
      },
      cancel: () => new Promise(() => undefined),
    }),
    init,
  );

const headers = { "Content-Type": "image/png" };

it.each([
  ["never answers", null],
  ["answers but sends no byte", unending({ headers })],
  ["sends too few bytes", unending({ headers }, mediaFile.bytes.slice(0, 100))],
  ["refuses but sends no byte", unending({ status: 503 })],
  ["redirects but sends no byte", unending({ status: 302, headers: { Location: "https://gone.example/" } })],
])("a server that %s is aborted early, and does not delay the consumer", async (_, answer) => {
  Object.assign(LIMITS, { importWindowMs: 50, importTimeoutMs: 3_600_000 });
  serve({
    "https://gone.example/": new TypeError("no such host"),
    [FILE_URL]: ({ signal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("aborted")));
        if (answer !== null) resolve(answer);
      }),
  });
  const { assetId } = await importing(workspace.secret);
  expect(await consumeImport(assetId)).toEqual({ delaySeconds: 5 });
  expect(await objectsOf(workspace.workspaceId, assetId)).toEqual([]);
});

it("the sweep rejects an import that takes too long", async () => {
  const { assetId } = await importing(workspace.secret);
  vi.spyOn(log, "line").mockReturnValue();
  const nowMs = clock.now();
  await expireImports(env.DB, nowMs + LIMITS.importLifetimeMs - 60_000, 100);
  expect((await readAsset(workspace.secret, assetId)).status).toBe("processing");
  await expireImports(env.DB, nowMs + LIMITS.importLifetimeMs, 100);
  const asset = await readAsset(workspace.secret, assetId);
  expect(asset).toMatchObject({ status: "rejected", rejection: { code: "IMPORT_EXPIRED" } });
  expect(await storedImports(workspace.workspaceId)).toEqual([]);
});

it("a workspace has a limited number of running imports, and an import whose attempts all crash is rejected", async () => {
  const assets: string[] = [];
  for (let number = 0; number <= LIMITS.importsAtOncePerWorkspaceMax; number += 1) {
    assets.push((await importing(workspace.secret)).assetId);
  }
  const held = async (count: number) =>
    execute`UPDATE asset_imports SET lease_id = 'other/1', next_attempt_at = ${clock.now() + 60_000} WHERE asset_id IN
        (SELECT asset_id FROM asset_imports WHERE workspace_id = ${workspace.workspaceId} AND asset_id <> ${assets[0]} LIMIT ${count})`;
  await held(LIMITS.importsAtOncePerWorkspaceMax);
  const { asked } = serve({ [FILE_URL]: fileResponse(mediaFile.bytes, "image/png") });
  expect(await consumeImport(assets[0] ?? "")).toBe("acknowledged");
  expect(asked).toEqual([]);
  await execute`UPDATE asset_imports SET attempts = ${LIMITS.importAttemptsMax}, next_attempt_at = 1 WHERE workspace_id = ${workspace.workspaceId}`;
  vi.spyOn(log, "failure").mockReturnValue();
  for (const [at, assetId] of assets.entries()) {
    await consumeImport(assetId, at === 0 ? {} : { queue: "creative-packs-imports-dead" });
    const asset = await readAsset(workspace.secret, assetId);
    expect(asset).toMatchObject({ status: "rejected", rejection: { code: "IMPORT_FAILED" } });
  }
});

it("a job with a running import must wait for it", async () => {
  const { assetId } = await importing(workspace.secret);
  const body = { contractId: "display.v1", selectedSizeIds: ["iab-320x50"], assetIds: { media: assetId } };
  const refused = await send(workspace.secret, "POST", "/api/v1/jobs", {
    headers: { "Content-Type": "application/json", "Idempotency-Key": "job" },
    body: JSON.stringify(body),
  });
  expect(refused.status).toBe(409);
  const { error }: { error: { code: string; details: { nextAction: string } } } = await refused.json();
  expect([error.code, error.details.nextAction]).toEqual([
    "ASSET_NOT_READY",
    expect.stringContaining("import has ended"),
  ]);
});

it("a paying workspace gets its share of the queue, and no more, however many imports wait", async () => {
  const own: string[] = [];
  for (let number = 0; number < 5; number += 1) own.push((await importing(workspace.secret)).assetId);
  vi.mocked(env.IMPORT_QUEUE.sendBatch).mockClear();
  const sent = recordMessages(env.IMPORT_QUEUE);
  for (let sweep = 0; sweep < 3; sweep += 1) await sendPendingImports(env.IMPORT_QUEUE, env.DB, clock.now());
  // A set, because the sweep may repeat messages that the last request is still sending.
  const ids = new Set(sent().map((body) => (body as { assetId: string }).assetId));
  expect(own.filter((assetId) => ids.has(assetId))).toHaveLength(LIMITS.importsAtOncePerWorkspaceMax);
});

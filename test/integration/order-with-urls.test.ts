import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { clock } from "#platform/clock.ts";
import worker from "../../src/worker.ts";
import { mediaFile } from "../support/asset-files.ts";
import { countRows } from "../support/database.ts";
import {
  consumeImport,
  FILE_URL,
  fileResponse,
  HOST,
  holdImportQueue,
  serve,
  storedImports,
} from "../support/imports.ts";
import {
  acceptedJob,
  deliver,
  eventsOf,
  holdQueue,
  jobIn,
  postJob,
  readJob,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { balanceOf } from "../support/refusals.ts";
import { call, createWorkspace, type TestWorkspace } from "../support/workspace.ts";

/** Crashes are tested in test/fault/crash-order.long.test.ts. */

const CREDITS = 10;
const FILE = () => fileResponse(mediaFile.bytes, mediaFile.mimeType);
const PAGE = () => fileResponse(new TextEncoder().encode("<html></html>"), "text/html");
let workspace: TestWorkspace;
beforeEach(async () => {
  silenceLogs();
  holdImportQueue();
  holdQueue();
  workspace = await createWorkspace({ credits: CREDITS });
});

const order = (changes: Record<string, unknown> = {}) => ({
  contractId: "display.v1",
  selectedSizeIds: ["iab-320x50"],
  assets: { media: { url: FILE_URL } },
  ...changes,
});

/** Replaces each wait of the service with an action. */
const whileWaiting = (happens: () => Promise<unknown>) =>
  vi.spyOn(clock, "wait").mockImplementation(async () => void (await happens()));

async function importAll(): Promise<void> {
  for (const { asset_id } of await storedImports(workspace.workspaceId)) await consumeImport(asset_id);
}

const kept = () =>
  Promise.all(["assets", "jobs", "idempotency_keys"].map((table) => countRows(table, workspace.workspaceId)));

/** Status and code of a response. */
const toldBy = ({ status, body }: Awaited<ReturnType<typeof postJob>>) => [status, body.error?.code];

describe("API §4.57 POST /jobs with assets", () => {
  it("is accepted once its file is imported, and replayed even if the server then sends another file", async () => {
    const { asked } = serve({ [FILE_URL]: [FILE] });
    whileWaiting(importAll);
    const accepted = await postJob(workspace.secret, order(), "one");
    expect(accepted.status).toBe(202);
    const { jobId, assetIds } = jobIn(accepted);
    const asset = await call("GET", `/api/v1/assets/${assetIds.media}`, { secret: workspace.secret });
    expect(asset.body.data).toMatchObject({ status: "ready", slotId: "media", importedFrom: HOST });
    const replay = await postJob(workspace.secret, order(), "one");
    expect([replay.status, jobIn(replay).jobId, asked.length]).toEqual([200, jobId, 1]);
    const other = order({ assets: { media: { url: `${FILE_URL}2` } } });
    expect(toldBy(await postJob(workspace.secret, other, "one"))).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
    expect(await eventsOf(jobId)).toMatchObject([{ type: "consumption", amount: -1 }]);
  });

  it.each([
    ["an unknown size", { selectedSizeIds: ["iab-1x1"] }, 422, "SIZE_UNSUPPORTED"],
    ["an unknown slot", { assets: { hero: { url: FILE_URL } } }, 422, "SLOT_UNSUPPORTED"],
    ["an unknown asset beside it", { assetIds: { logo: crypto.randomUUID() } }, 422, "ASSET_UNKNOWN"],
    ["unsupported characters", { copy: { headline: "\u{10FFFF}" } }, 422, "COPY_UNSUPPORTED"],
    ["a private address", { assets: { media: { url: "https://10.0.0.1/a.png" } } }, 422, "ADDRESS_REFUSED"],
    ["a slot filled twice", { assetIds: { media: crypto.randomUUID() } }, 400, "INVALID_REQUEST"],
    ["no files", { assets: undefined }, 400, "INVALID_REQUEST"],
  ])("with %s: refused, and nothing is fetched or stored", async (_, changes, status, code) => {
    const { asked } = serve({ [FILE_URL]: FILE });
    expect(toldBy(await postJob(workspace.secret, order(changes)))).toEqual([status, code]);
    expect([await kept(), asked]).toEqual([[0, 0, 0], []]);
  });

  it("without credits or the scope for imports: refused, and nothing is fetched or stored", async () => {
    const { asked } = serve({ [FILE_URL]: FILE });
    workspace = await createWorkspace({ credits: CREDITS, scopes: ["jobs:write"] });
    const scopeless = await postJob(workspace.secret, order());
    expect([...toldBy(scopeless), scopeless.body.error.details.requiredScope]).toEqual([
      403,
      "SCOPE_MISSING",
      "assets:write",
    ]);
    expect(await kept()).toEqual([0, 0, 0]);
    workspace = await createWorkspace();
    expect(toldBy(await postJob(workspace.secret, order()))).toEqual([402, "PAYMENT_REQUIRED"]);
    expect([await kept(), asked]).toEqual([[0, 0, 0], []]);
  });

  it("continues a slow import (11 s) in a second request", async () => {
    const { asked } = serve({ [FILE_URL]: FILE });
    let nowMs = Date.now();
    vi.spyOn(clock, "now").mockImplementation(() => nowMs);
    const waits = whileWaiting(async () => {
      nowMs += 11_000;
    });
    const slow = await postJob(workspace.secret, order(), "slow");
    expect([...toldBy(slow), slow.headers.get("Retry-After")]).toEqual([
      409,
      "ASSET_IMPORT_IN_PROGRESS",
      "2",
    ]);
    expect(slow.body.error.details).toMatchObject({ slots: ["media"], safeToRetryUnchanged: true });
    expect([waits.mock.calls.length, await balanceOf(workspace.workspaceId)]).toEqual([1, CREDITS]);
    // While the import runs, another order with the Idempotency-Key is a conflict.
    const plain = order({ assets: undefined, assetIds: { media: crypto.randomUUID() } });
    expect(toldBy(await postJob(workspace.secret, plain, "slow"))).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
    await importAll();
    expect((await postJob(workspace.secret, order(), "slow")).status).toBe(202);
    expect([await kept(), asked.length]).toEqual([[1, 1, 1], 1]);
  });

  it("refuses a file of another type after one fetch, and frees the Idempotency-Key", async () => {
    const { asked } = serve({ [FILE_URL]: PAGE, [`${FILE_URL}2`]: FILE });
    whileWaiting(importAll);
    for (let time = 0; time < 2; time += 1) {
      const refused = await postJob(workspace.secret, order(), "page");
      expect(toldBy(refused)).toEqual([422, "ASSET_IMPORT_FAILED"]);
      expect(refused.body.error.details).toMatchObject({
        ...{ slots: ["media"], safeToRetryUnchanged: false },
        rejection: { code: "UNSUPPORTED" },
      });
    }
    expect(asked.length).toBe(1);
    const corrected = order({ assets: { media: { url: `${FILE_URL}2` } } });
    expect((await postJob(workspace.secret, corrected, "page")).status).toBe(202);
  });

  it("returns the reason of a server's refusal, and retries when the order is repeated", async () => {
    const gone = () => new Response(null, { status: 404 });
    const inside = () =>
      new Response(null, { status: 302, headers: { Location: "https://169.254.169.254/" } });
    serve({ [FILE_URL]: [gone, FILE], [`${FILE_URL}2`]: inside });
    whileWaiting(importAll);
    const refused = await postJob(workspace.secret, order(), "gone");
    expect([refused.status, refused.body.error.details.rejection.code]).toEqual([422, "SOURCE_REFUSED"]);
    expect(refused.body.error.details.safeToRetryUnchanged).toBe(true);
    expect((await postJob(workspace.secret, order(), "gone")).status).toBe(202);
    const other = await postJob(workspace.secret, order({ assets: { media: { url: `${FILE_URL}2` } } }));
    expect([other.status, other.body.error.details.rejection.code]).toEqual([422, "ADDRESS_REFUSED"]);
  });
});

describe("API §4.58 Prefer: wait", () => {
  const PREFERRED = { Prefer: "respond-async, wait=600" };

  it("returns the manifest if the pack is drawn in time", async () => {
    const client = await workspaceWithLogo();
    const body = {
      contractId: "display.v1",
      selectedSizeIds: ["iab-320x50"],
      assetIds: { logo: client.logoId },
    };
    const post = (headers: Record<string, string>) =>
      call("POST", "/api/v1/jobs", {
        secret: client.secret,
        body,
        headers: { "Idempotency-Key": "waits", ...headers },
      });
    const queued = jobIn(await post({}));
    whileWaiting(() => deliver({ jobId: queued.jobId, part: 0 }));
    const path = `/api/v1/jobs/${queued.jobId}`;
    const waited = await post(PREFERRED);
    const read = await call("GET", path, { secret: client.secret, headers: PREFERRED });
    const manifest = await call(
      "GET",
      `/api/v1/artifacts/${queued.artifactId ?? jobIn(read).artifactId}`,
      client,
    );
    for (const answer of [waited, read]) {
      expect([answer.status, answer.headers.get("Preference-Applied")]).toEqual([200, "wait=30"]);
      expect(answer.headers.get("Retry-After")).toBeNull();
      expect(jobIn(answer)).toEqual({
        ...(await readJob(client.secret, queued.jobId)),
        artifact: manifest.body.data,
      });
    }
  });

  it("lets a limited number of requests wait, and none of a disconnected client", async () => {
    const client = await workspaceWithLogo();
    const { jobId } = await acceptedJob(client);
    const waits = whileWaiting(async () => undefined);
    const settings = { RATE_LIMIT_WAITS: "1" };
    const read = () =>
      call("GET", `/api/v1/jobs/${jobId}`, { secret: client.secret, headers: PREFERRED, settings });
    const first = await read();
    const looks = waits.mock.calls.length;
    // The number of polls in 30 seconds.
    expect([first.headers.get("Preference-Applied"), looks, first.headers.get("Retry-After")]).toEqual([
      "wait=30",
      19,
      "2",
    ]);
    const second = await read();
    expect([second.status, second.headers.get("Preference-Applied")]).toEqual([200, null]);
    expect(waits.mock.calls.length).toBe(looks);
    const leaving = new AbortController();
    whileWaiting(async () => leaving.abort());
    const headers = { ...PREFERRED, Authorization: `Bearer ${client.secret}` };
    const request = new Request(`https://packs.example/api/v1/jobs/${jobId}`, {
      headers,
      signal: leaving.signal,
    });
    const context = createExecutionContext();
    await worker.fetch(request, env, context);
    await waitOnExecutionContext(context);
    expect(waits.mock.calls.length).toBe(looks + 1);
  });
});

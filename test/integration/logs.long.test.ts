import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { SCOPES } from "#api/scopes.ts";
import { runSweeps } from "#interface/queue/sweeps/run-sweeps.ts";
import { readCapabilities } from "#platform/bindings/capabilities.ts";
import { type Line, parseLine, secretsIn } from "../logs/secrets-in-text.ts";
import { reportStress } from "../stress/report.ts";
import { fromOwnNetwork, PASSWORD } from "../support/accounts.ts";
import { filePath, firstFile, linksOf, pathOf, readyPack } from "../support/artifacts.ts";
import { createIntent, sendBytes } from "../support/assets.ts";
import { execute } from "../support/database.ts";
import { clientWithOwner, HOOK_URL, saved } from "../support/deliveries.ts";
import { png } from "../support/files.ts";
import { heldJob } from "../support/held-jobs.ts";
import { anyDatabase, databaseOfWorkspace, messageOf } from "../support/homes.ts";
import {
  acceptedJob,
  cancel,
  deliver,
  deliverDeadLetter,
  endedJob,
  exhaust,
  failByDeadLetter,
  packOf,
  postJob,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { MAIL } from "../support/mail.ts";
import { keepPrintedTexts } from "../support/printed-texts.ts";
import { recordMessages } from "../support/sent-messages.ts";
import { call, createWorkspace } from "../support/workspace.ts";
import { spyOnWrites } from "../support/write-batches.ts";

/**
 * A log line is one JSON object of known members: one per request and one per step of a job. It never contains a key,
 * secret, token, link, address, user agent, client marker, file name or copy, not even for failures.
 */

const printed = keepPrintedTexts();

afterEach(({ task }) => {
  const lines = printed.texts;
  vi.restoreAllMocks();
  const leaked = lines.filter((text) => secretsIn(text).length > 0).length;
  reportStress(task, { counts: { "log lines": lines.length }, leaked });
});

/** All lines so far. They must be valid and contain none of the texts. */
function linesWithout(known: readonly string[]): readonly Line[] {
  expect(printed.texts.length).toBeGreaterThan(0);
  for (const text of printed.texts) expect(secretsIn(text, known), text).toEqual([]);
  return printed.texts.map((text) => {
    const line = parseLine(text);
    if (line === null) throw new Error(`not a line of known members: ${text}`);
    return line;
  });
}

const SENT = {
  "CF-Connecting-IP": "203.0.113.195",
  "X-Forwarded-For": "198.51.100.7",
  "User-Agent": "Mozilla/5.0 (SecretPhone; rv:1.0)",
  Referer: "https://intranet.example/launch-plan",
  Cookie: "session=cookie-of-somebody",
};
const SENT_TEXTS = Object.values(SENT);
const COPY = { headline: "Unreleased product alpha", cta: "Confidential" };
const COPY_TEXTS = Object.values(COPY);
const OUR_SECRETS = [
  env.KEY_PEPPER,
  env.DOWNLOAD_SIGNING_KEY,
  env.TRIAL_SECRET,
  env.DELIVERY_ENCRYPTION_KEY,
].map((secret) => secret ?? "");

describe("API §5.10 no line reveals", () => {
  it("a trial's client: address, agent, marker and new key", async () => {
    const marker = "marker-of-installation-77";
    const answers = [];
    for (let time = 0; time < 2; time += 1) {
      answers.push(
        await call("POST", "/api/v1/agent/trial-key", { headers: SENT, body: { clientMarker: marker } }),
      );
    }
    expect(answers.map(({ status }) => status)).toEqual([201, 429]);
    const { secret, apiKey } = answers[0]?.body.data ?? {};
    linesWithout([...SENT_TEXTS, marker, secret, apiKey.prefix, ...OUR_SECRETS]);
  });

  it("an upload, a job and its downloads: key, names, copy, links and bytes", async () => {
    const pack = await readyPack();
    const { secret } = pack.client;
    const fileName = "launch-plan-alpha.png";
    const bytes = png(300, 300);
    const file = { slotId: "logo", fileName, mimeType: "image/png", bytes, width: 300, height: 300 };
    const intent = await createIntent(secret, file);
    await sendBytes(secret, intent, bytes, SENT);
    await postJob(secret, packOf(pack.client, { copy: COPY }), "idempotency-key-of-the-caller");
    await postJob(secret, packOf(pack.client, { copy: { ...COPY, headlin: "x" } }));
    const links = await linksOf(pack);
    const one = firstFile(pack);
    for (const path of [pathOf(links.url), pathOf(links.files[0]?.url ?? ""), filePath(pack, one.fileId)]) {
      expect((await call("GET", path, { secret, headers: SENT })).status).toBe(200);
    }
    expect((await call("GET", `${pathOf(links.url)}x`, { headers: SENT })).status).toBe(403);
    linesWithout([
      ...SENT_TEXTS,
      ...COPY_TEXTS,
      ...OUR_SECRETS,
      secret,
      secret.slice(0, 15),
      fileName,
      one.fileName,
      one.checksum.value,
      intent.url,
      "idempotency-key-of-the-caller",
      pathOf(links.url).slice(-30),
    ]);
  });

  it("keys that are created, refused, or sent in the wrong place", async () => {
    const { secret } = await createWorkspace({ credits: 5, scopes: SCOPES });
    const made = await call("POST", "/api/v1/api-keys", {
      secret,
      body: { name: "Name of a secret project", scopes: ["balance:read"] },
    });
    expect(made.status).toBe(201);
    const wrong = `${secret.slice(0, -1)}!`;
    await call("GET", "/api/v1/balance", { secret: wrong });
    await call("GET", `/api/v1/balance?key=${secret}`, { headers: { "X-Request-ID": secret } });
    await call("GET", `/api/v1/assets/${secret}`, { secret });
    await call("GET", `/${secret}`, {});
    await call("POST", "/api/v1/jobs", { secret, body: { [secret]: secret } });
    linesWithout([secret, wrong, made.body.data.secret, "Name of a secret project", ...OUR_SECRETS]);
  });

  it("internal failures: statements, stacks, messages and quoted values", async () => {
    const client = await workspaceWithLogo({ credits: 5 });
    const quoted = `D1_ERROR: near "SELECT * FROM api_keys WHERE secret_hash = '${client.secret}'" at x (y.ts:1)`;
    spyOnWrites(await databaseOfWorkspace(client.workspaceId)).mockRejectedValue(new Error(quoted));
    const answer = await postJob(client.secret, packOf(client, { copy: COPY }));
    expect(answer.status).toBe(500);
    expect(new TextDecoder().decode(answer.bytes)).not.toContain("D1_ERROR");
    await deliver(await messageOf(client.workspaceId, { jobId: crypto.randomUUID(), part: 0 }));
    await runSweeps(readCapabilities(env), Date.now());
    const lines = linesWithout([client.secret, ...COPY_TEXTS, "D1_ERROR", quoted]);
    const events = lines.map(({ event }) => event);
    expect(events).toEqual(
      expect.arrayContaining(["request_failed", "render_attempt_failed", "sweep_uploads"]),
    );
    expect(lines).toContainEqual(expect.objectContaining({ event: "request_failed", reason: "database" }));
  });

  it("a failed job: neither its inputs nor the renderer's text about them", async () => {
    const { client, jobId } = await heldJob({ copy: COPY }, { credits: 5 });
    await execute`UPDATE assets SET object_key = object_key || 'gone'
      WHERE workspace_id = ${client.workspaceId}`;
    const { objects } = await env.BUCKET.list({ prefix: `workspaces/${client.workspaceId}/` });
    await env.BUCKET.delete(objects.map(({ key }) => key));
    await deliver({ jobId, part: 0 });
    await failByDeadLetter({ jobId, part: 0 });
    await deliverDeadLetter("a message without a job");
    const lines = linesWithout([client.secret, ...COPY_TEXTS]);
    expect(lines).toContainEqual(
      expect.objectContaining({ event: "outputs_refused", jobId, code: "ASSET_UNAVAILABLE" }),
    );
  });
});

describe("a failed job has exactly one `job_failed` line, with its cause, when", () => {
  const QUOTED = "put: the headline 'Unreleased product alpha'\n    at SELECT (secret.ts:1:2) (10001)";
  const failures = () =>
    linesWithout([...COPY_TEXTS, "SELECT"]).filter(({ event }) => event === "job_failed");
  const redelivered = async (jobId: string) => {
    vi.spyOn(env.BUCKET, "put").mockRejectedValue(new Error(QUOTED));
    for (let attempts = 1; attempts <= LIMITS.partAttemptsMax; attempts += 1) {
      await deliver({ jobId, part: 0, requestId: "trace-7" }, { messageId: "one", attempts });
    }
  };

  it.each<[string, (jobId: string) => Promise<unknown>, Record<string, unknown>]>([
    [
      "its last attempt throws",
      redelivered,
      { reason: "storage", sizeId: "iab-320x50", errorName: "Error", requestId: "trace-7" },
    ],
    [
      "its message becomes a dead letter",
      (jobId) => failByDeadLetter({ jobId, part: 0 }),
      { reason: "dead-letter", sizeId: "iab-320x50" },
    ],
    [
      "all its attempts crashed",
      async (jobId) => {
        await exhaust(jobId, 0);
        await deliver({ jobId, part: 0 });
      },
      { reason: "attempts-used-up", sizeId: "iab-320x50" },
    ],
    [
      "it is open for a day",
      async (jobId) => {
        await exhaust(jobId, 0);
        await runSweeps(readCapabilities(env), Date.now() + 25 * 60 * 60_000);
      },
      { reason: "open-for-a-day", sizeId: "iab-320x50" },
    ],
    [
      "its inputs cannot be drawn",
      async (jobId) => {
        const render = vi.spyOn(env.BUCKET, "get").mockResolvedValue(null);
        await deliver({ jobId, part: 0 });
        render.mockRestore();
      },
      { reason: "inputs", code: "ASSET_UNAVAILABLE" },
    ],
  ])("%s", async (_, fail, cause) => {
    const { client, jobId } = await heldJob({ copy: COPY }, { credits: 5 });
    await fail(jobId);
    const { workspaceId } = client;
    const ofJob = failures().filter((line) => line.jobId === jobId);
    expect(ofJob).toEqual([expect.objectContaining({ workspaceId, code: "RENDERING_FAILED", ...cause })]);
    if (cause.errorName !== undefined)
      expect(ofJob[0]?.frames).toContainEqual(expect.stringMatching(/:\d+:\d+$/));
  });
});

it("a fault is logged even if the database then fails", async () => {
  const { jobId } = await heldJob({}, { credits: 5 });
  vi.spyOn(env.BUCKET, "get").mockImplementation(() => {
    const away = new Error("D1_ERROR: no answer");
    vi.spyOn(anyDatabase(), "prepare").mockImplementation(() => {
      throw away;
    });
    throw new Error("get: storage is away (10001)");
  });
  await deliver({ jobId, part: 0 });
  const ofJob = linesWithout([]).filter(
    (line) => line.jobId === jobId && /^render_(?:fault|attempt)_/.test(String(line.event)),
  );
  expect(ofJob.map(({ event, reason }) => [event, reason])).toEqual([
    ["render_fault_unsettled", "database"],
    ["render_attempt_failed", "storage"],
  ]);
});

it("messages of mail and deliveries carry the id of the request that wrote them", async () => {
  const { client, account, workspaceId } = await clientWithOwner({ credits: 5 });
  await saved({ account, workspaceId }, { kind: "webhook", url: HOOK_URL, events: ["job.succeeded"] });
  const { jobId } = await acceptedJob(client);
  const delivered = recordMessages(env.DELIVERY_QUEUE);
  await deliver({ jobId, part: 0, requestId: "trace-8" });
  expect(delivered()).toContainEqual(expect.objectContaining({ requestId: "trace-8" }));
  const mailed = recordMessages(env.MAIL_QUEUE);
  const headers = { ...fromOwnNetwork(), "X-Request-ID": "trace-9" };
  const body = { name: "Ada", email: "ada@logs.example", password: PASSWORD };
  await call("POST", "/api/account/sign-up", { headers, body, settings: MAIL });
  expect(mailed()).toContainEqual(expect.objectContaining({ requestId: "trace-9" }));
});

it("lines of a request name its job, asset or delivery, and lines of the queue name the request", async () => {
  const client = await workspaceWithLogo({ credits: 5 });
  printed.texts = [];
  const answer = await call("POST", "/api/v1/jobs", {
    secret: client.secret,
    body: packOf(client),
    headers: { "Idempotency-Key": "traced", "X-Request-ID": "trace-of-job" },
  });
  const { jobId } = answer.body.data;
  await endedJob(client.secret, jobId);
  await call("GET", `/api/v1/assets/${client.logoId}`, { secret: client.secret });
  const bytes = png(300, 300);
  const file = { slotId: "logo", fileName: "a.png", mimeType: "image/png", bytes, width: 300, height: 300 };
  const intent = await createIntent(client.secret, file);
  const path = `/api/v1/assets/uploads/${intent.uploadId}/object`;
  await call("PUT", path, {
    secret: client.secret,
    body: bytes.subarray(1),
    headers: { "Content-Type": "image/png" },
  });
  const lines = linesWithout([client.secret]);
  const named = (operation: string) => lines.find((line) => line.operation === operation);
  expect(named("createJob")).toMatchObject({ jobId, requestId: "trace-of-job" });
  expect(named("getJob")).toMatchObject({ jobId });
  expect(named("getAsset")).toMatchObject({ assetId: client.logoId });
  expect(named("putUploadObject")).toMatchObject({ assetId: intent.assetId });
  for (const event of ["output_drawn", "outputs_drawn"]) {
    const drawn = lines.find((line) => line.event === event);
    expect(drawn).toMatchObject({ jobId, requestId: "trace-of-job", workspaceId: client.workspaceId });
  }
});

it("a sweep logs one line if it did anything, and otherwise one each hour", async () => {
  const HOUR_MS = 60 * 60_000;
  const hour = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  const sweptAt = async (nowMs: number) => {
    printed.texts = [];
    await runSweeps(readCapabilities(env), nowMs);
    return printed.texts.map(parseLine).filter((line) => line?.event === "swept" && line.code === "DB");
  };
  // Handles rows that earlier tests left.
  await sweptAt(hour + HOUR_MS);
  expect(await sweptAt(hour + HOUR_MS + 60_000)).toEqual([]);
  expect(await sweptAt(hour + HOUR_MS)).toMatchObject([{ counts: {} }]);
  const { secret } = await createWorkspace({ credits: 5, scopes: SCOPES });
  await createIntent(secret, {
    slotId: "logo",
    fileName: "a.png",
    mimeType: "image/png",
    bytes: png(300, 300),
    width: 300,
    height: 300,
  });
  const [line] = await sweptAt(hour + 2 * HOUR_MS + 60_000);
  expect(line).toMatchObject({ counts: { sweep_uploads: 1 } });
});

describe("there is exactly", () => {
  it("one line for each request, with caller, operation, status and duration", async () => {
    const { secret, workspaceId, apiKeyId } = await createWorkspace({ credits: 5 });
    const cases = [
      ["GET", "/api/v1/balance", "getBalance", 200],
      ["GET", "/api/v1/jobs?limit=0", "listJobs", 400],
      ["POST", "/api/v1/jobs", "createJob", 400],
      ["GET", "/api/v1", "unknown", 404],
      ["PATCH", "/api/v1/balance", "unknown", 405],
    ] as const;
    // Prints the lines deferred by earlier requests with secret URLs.
    await call("GET", "/health");
    for (const [method, path, operation, status] of cases) {
      printed.texts = [];
      const headers = { "X-Request-ID": `trace-${status}` };
      const answer = await call(method, path, {
        secret,
        headers,
        ...(method === "POST" ? { body: {} } : {}),
      });
      expect(answer.status).toBe(status);
      const requests = linesWithout([secret]).filter(({ event }) => event === "request");
      expect(requests).toHaveLength(1);
      const isKnown = operation !== "unknown";
      expect(requests[0]).toMatchObject({
        requestId: `trace-${status}`,
        operation,
        status,
        ...(isKnown ? { workspaceId, apiKeyId } : {}),
        ...(status === 200 ? {} : { code: answer.body.error.code }),
      });
      expect(Number(requests[0]?.durationMs)).toBeGreaterThanOrEqual(0);
    }
  });

  it("one line for each step of a job: an output drawn, a message done, a message failed", async () => {
    const { client, jobId } = await heldJob(
      { selectedSizeIds: ["iab-320x50", "iab-120x60"] },
      { credits: 5 },
    );
    printed.texts = [];
    await deliver({ jobId, part: 0 });
    const steps = linesWithout([client.secret]).filter((line) => line.jobId === jobId);
    expect(steps.map(({ event, sizeId, count }) => [event, sizeId ?? count])).toEqual([
      ["output_drawn", "iab-320x50"],
      ["output_drawn", "iab-120x60"],
      ["outputs_drawn", 2],
    ]);
    await cancel(client.secret, jobId);
  });
});

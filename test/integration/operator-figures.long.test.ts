import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { measurement } from "#domains/monitoring/figure-store.ts";
import { FIGURES } from "#domains/monitoring/figures.ts";
import { noteDeadLetters } from "#domains/monitoring/measure.ts";
import { runSweeps } from "#interface/queue/sweeps/run-sweeps.ts";
import { readCapabilities } from "#platform/bindings/capabilities.ts";
import { clock } from "#platform/clock.ts";
import { log } from "#platform/log/log.ts";
import {
  readMessage,
  type VerifiedMessage,
  verifyMessage,
} from "../../scripts/run/receivers/webhook-receiver.ts";
import worker from "../../src/worker.ts";
import { freshStorage } from "../fault/fresh-storage.ts";
import { standInForInternet } from "../support/internet.ts";
import { acceptedJob, deliver, failByDeadLetter, holdQueue, workspaceWithLogo } from "../support/jobs.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { refusalOf } from "../support/refusals.ts";
import { call, configured, createWorkspace, type Settings } from "../support/workspace.ts";

const HEALTH_SECRET = "integration-tests-health-0123456789";
const SECRET = `whsec_${btoa("integration-tests-alerts-0123456")}`;
const ALERTS: Settings = {
  HEALTH_SECRET,
  ALERT_WEBHOOK_URL: "https://operator.example/alerts",
  ALERT_WEBHOOK_SECRET: SECRET,
};
const MINUTE_MS = 60_000;
let nowMs = Date.parse("2034-01-01T00:00:00.000Z");
let received: VerifiedMessage[];
let answer: () => Response;

beforeAll(freshStorage);
beforeEach(() => {
  silenceLogs();
  received = [];
  answer = () => new Response(null, { status: 204 });
  vi.spyOn(clock, "now").mockImplementation(() => nowMs);
  vi.spyOn(Date, "now").mockImplementation(() => nowMs);
  standInForInternet(async (request) => {
    received.push(verifyMessage(SECRET, await readMessage(request)));
    return answer();
  });
});

async function sweep(): Promise<void> {
  nowMs += MINUTE_MS;
  await runSweeps(readCapabilities(configured(ALERTS)), nowMs);
}

const deepHealth = (secret: string, settings = ALERTS, headers = {}) =>
  call("GET", "/health/deep", { headers: { Authorization: `Bearer ${secret}`, ...headers }, settings });

async function figures(): Promise<Record<string, { value: number; state: string; since: string | null }>> {
  const { body } = await deepHealth(HEALTH_SECRET);
  return Object.fromEntries(body.data.figures.map((one: { figure: string }) => [one.figure, one]));
}

const posted = () =>
  received.map(({ id, body }) => ({ id, type: body.type, figure: body.data.figure, since: body.data.since }));

it("each change of a figure's state is posted once, with the same id if it is retried", async () => {
  await sweep();
  expect(received).toEqual([]);
  await noteDeadLetters(env.DB, 10, nowMs);
  answer = () => new Response(null, { status: 503 });
  await sweep();
  const since = new Date(nowMs).toISOString();
  answer = () => new Response(null, { status: 204 });
  await sweep();
  await sweep();
  expect((await figures()).deadLetters).toMatchObject({ value: 10, threshold: 10, state: "alert", since });
  nowMs += 2 * 3_600_000;
  await sweep();
  const messages = posted();
  const alert = { type: "operations.alert", figure: "deadLetters", since };
  expect(messages).toMatchObject([alert, alert, { type: "operations.ok", figure: "deadLetters" }]);
  expect(messages[0]?.id).toBe(messages[1]?.id);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(2);
  expect((await figures()).deadLetters).toMatchObject({ value: 0, state: "ok" });
});

it("open, ended and failed jobs are counted with indexes", async () => {
  holdQueue();
  const client = await workspaceWithLogo({ credits: 9 });
  const [drawn, failed] = [await acceptedJob(client), await acceptedJob(client)];
  await deliver({ jobId: drawn.jobId, part: 0 });
  await failByDeadLetter({ jobId: failed.jobId, part: 0 });
  nowMs += MINUTE_MS;
  await acceptedJob(client);
  await sweep();
  const found = await figures();
  expect(Object.keys(found)).toEqual(FIGURES);
  expect(found.openJobs?.value).toBe(1);
  expect(found.oldestOpenJobSeconds?.value).toBe(60);
  expect(found.failedJobs?.value).toBe(1);
  expect(found.failedJobsShare).toMatchObject({ value: 0, threshold: 0.01, state: "ok" });
  expect(found.largestDatabaseBytes?.value).toBeGreaterThan(100_000);
  const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${measurement.sql}`)
    .bind(...Array(measurement.sql.split("?").length - 1).fill(1))
    .all<{ detail: string }>();
  const scans = plan.results
    .map(({ detail }) => detail)
    .filter((detail) => /^SCAN (?!CONSTANT|\(|open_)/.test(detail));
  expect(
    scans.filter((detail) => !/USING (?:COVERING )?INDEX|dead_letters|asset_imports/.test(detail)),
  ).toEqual([]);
});

it("each run checks one page of the ledger, and logs differences", async () => {
  const { workspaceId } = await createWorkspace({ credits: 5 });
  const setCredits = (credits: number) =>
    env.DB.batch([
      env.DB.prepare("INSERT INTO workspace_copies VALUES (?1)").bind(workspaceId),
      env.DB.prepare("UPDATE workspaces SET credits = ?2 WHERE workspace_id = ?1").bind(workspaceId, credits),
      env.DB.prepare("DELETE FROM workspace_copies"),
    ]);
  const pass = async () => {
    for (let run = 0; run < 6; run += 1) await sweep();
  };
  await setCredits(7);
  await pass();
  expect(log.failure).toHaveBeenCalledWith({
    event: "ledger_difference",
    code: "DB",
    reason: "balance",
    workspaceId,
  });
  expect((await figures()).ledgerDifferences).toMatchObject({ value: 1, state: "alert" });
  await setCredits(5);
  await pass();
  expect((await figures()).ledgerDifferences).toMatchObject({ value: 0, state: "ok" });
});

describe("GET /health/deep", () => {
  it("501 without HEALTH_SECRET; 404 without the secret, as for an unknown path", async () => {
    expect(refusalOf(await deepHealth(HEALTH_SECRET, {}))).toEqual([501, "SERVICE_NOT_CONFIGURED"]);
    expect(refusalOf(await call("GET", "/health/deep", { settings: ALERTS }))).toEqual([
      404,
      "ROUTE_NOT_FOUND",
    ]);
    expect((await deepHealth(HEALTH_SECRET)).body.data).toMatchObject({
      state: "ok",
      measuredAt: expect.any(String),
    });
  });

  it("429 for a network that guesses, before the secret is compared", async () => {
    const origin = configured(ALERTS);
    const ask = async (secret: string) => {
      const headers = { Authorization: `Bearer ${secret}`, "CF-Connecting-IP": "203.0.113.9" };
      const request = new Request("https://packs.example/health/deep", { headers });
      return (await worker.fetch(request, origin, createExecutionContext())).status;
    };
    const statuses: number[] = [];
    for (let guess = 0; guess < 61; guess += 1) statuses.push(await ask(`guess ${guess}`));
    expect([statuses[0], statuses.at(-2), statuses.at(-1)]).toEqual([404, 404, 429]);
    expect(await ask(HEALTH_SECRET)).toBe(429);
  });
});

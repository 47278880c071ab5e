import { createExecutionContext, createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, it, vi } from "vitest";
import runbook from "../../docs/operations.md?raw";
import worker from "../../src/worker.ts";
import { freshStorage } from "../fault/fresh-storage.ts";
import { execute } from "../support/database.ts";
import {
  acceptedJob,
  cancel,
  deliver,
  failByDeadLetter,
  holdQueue,
  readJob,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { testKeyOf } from "../support/test-keys.ts";

const QUERIES = [...runbook.matchAll(/```sql\n([^`]+)```/g)].map(([, sql]) => sql ?? "");
const BOOKS = QUERIES.filter((sql) => sql.startsWith("-- must be empty"));
const titleOf = (sql: string): string => sql.split("\n")[0] ?? "";

const rowsOf = async (sql: string): Promise<readonly Record<string, unknown>[]> => {
  const statement = env.DB.prepare(sql);
  return (await (sql.includes("?1") ? statement.bind(0) : statement).all()).results;
};

beforeAll(async () => {
  await freshStorage();
  holdQueue();
  const client = await workspaceWithLogo({ credits: 9, quota: 2 });
  const drawn = await acceptedJob(client);
  await deliver({ jobId: drawn.jobId, part: 0 });
  const failed = await acceptedJob(client);
  await failByDeadLetter({ jobId: failed.jobId, part: 0 });
  const canceled = await acceptedJob(client);
  await cancel(client.secret, canceled.jobId);
  const testKey = await testKeyOf(client);
  const free = await acceptedJob({ ...client, secret: testKey });
  await cancel(testKey, free.jobId);
  const queued = await acceptedJob(client);
  const statuses = await Promise.all(
    [drawn, failed, canceled, queued].map(async ({ jobId }) => (await readJob(client.secret, jobId)).status),
  );
  expect(statuses).toEqual(["succeeded", "failed", "canceled", "queued"]);
  vi.restoreAllMocks();
});

it("docs/operations.md contains queries", () => {
  expect(QUERIES.length).toBeGreaterThan(10);
  expect(BOOKS).toHaveLength(6);
});

it.each(QUERIES.map((sql) => [titleOf(sql), sql] as const))("the query runs: %s", async (_, sql) => {
  expect(Array.isArray(await rowsOf(sql))).toBe(true);
});

it.each(BOOKS.map((sql) => [titleOf(sql), sql] as const))(
  "the query finds nothing in correct data: %s",
  async (_, sql) => {
    expect(await rowsOf(sql)).toEqual([]);
  },
);

it.each([
  ["charged a wrong amount", "UPDATE jobs SET cost_credits = cost_credits + 1 WHERE status = 'queued'"],
  ["failed without a refund", "UPDATE jobs SET status = 'failed' WHERE status = 'queued'"],
  ["succeeded without a pack", "UPDATE jobs SET status = 'succeeded' WHERE status = 'queued'"],
  ["stuck in the queue", "UPDATE jobs SET created_at = created_at - 8000000 WHERE status = 'queued'"],
])("the queries find a job %s", async (_, damage) => {
  const kept = await env.DB.prepare("SELECT * FROM jobs WHERE status = 'queued'").first<{
    job_id: string;
    status: string;
    cost_credits: number;
    created_at: number;
  }>();
  if (kept === null) throw new Error("no queued job");
  await env.DB.prepare(damage).run();
  const found = await Promise.all(BOOKS.map(rowsOf));
  await execute`UPDATE jobs
    SET status = ${kept.status}, cost_credits = ${kept.cost_credits}, created_at = ${kept.created_at}
    WHERE job_id = ${kept.job_id}`;
  expect(found.flat().map((row) => row.job_id)).toContain(kept.job_id);
});

it("a worker without its pepper, as during a restore, accepts and moves nothing", async () => {
  const { KEY_PEPPER: _, AUTH_SECRET: __, ...closed } = env;
  const calls = [vi.spyOn(env.DB, "prepare"), vi.spyOn(env.DB, "batch"), vi.spyOn(env.DB, "withSession")];
  await worker.scheduled(createScheduledController(), closed);
  const request = new Request<unknown, IncomingRequestCfProperties>("https://packs.example/api/v1/jobs", {
    headers: { "X-API-Key": "x" },
  });
  const response = await worker.fetch(request, closed, createExecutionContext());
  await response.body?.cancel();
  expect(response.status).toBe(501);
  for (const call of calls) expect(call).not.toHaveBeenCalled();
});

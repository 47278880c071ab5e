import { beforeAll, expect, it } from "vitest";
import { reportStress } from "../stress/report.ts";
import { stressScale } from "../stress/scale.ts";
import { selectRows } from "../support/database.ts";
import { expectInvariants } from "../support/jobs.ts";
import { seededRandom } from "../support/pictures.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { testKeyOf } from "../support/test-keys.ts";
import { callerWithLogo, postJob } from "./client.ts";
import { freshStorage } from "./fresh-storage.ts";
import { CRASH_KINDS } from "./gate.ts";
import { World } from "./world.ts";

/**
 * Random orders, cancellations, repetitions and deletions by test and live keys, with faults and crashes. The ledger
 * must have only events of live jobs, and the balance must match a model.
 */

beforeAll(freshStorage);
const START_MS = Date.parse("2036-01-01T20:00:00.000Z");
const CREDITS = 9;
const STEPS = 24;
/** Number of histories in a whole run; each takes about two seconds. */
const SEQUENCES_MAX = 200;
const SIZE_IDS = ["iab-320x50", "iab-120x60"];

/**
 * Number of Idempotency-Keys; a live key or a test key may be the first to use each. `costOf` is an order's price in
 * credits.
 */
const KEYS = 8;
const costOf = (key: string): number => 1 + (Number(key) % 2);

interface StoredJob {
  readonly jobId: string;
  readonly key: string;
  readonly status: string;
  readonly livemode: number;
  readonly events: string;
}

const storedJobs = (workspaceId: string) => selectRows<StoredJob>`
  SELECT j.job_id AS jobId, i.idempotency_key AS key, j.status, j.livemode, (SELECT json_group_array(e.amount) FROM
    (SELECT amount FROM ledger_events WHERE job_id = j.job_id ORDER BY event_id) e) AS events
  FROM jobs j JOIN idempotency_keys i ON i.workspace_id = j.workspace_id AND i.resource_id = j.job_id
  WHERE j.workspace_id = ${workspaceId}`;

async function runHistory(seed: number): Promise<{ readonly crashes: number; readonly tests: number }> {
  const random = seededRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const world = new World(START_MS);
  const caller = await callerWithLogo(world, { credits: CREDITS });
  const secrets = [caller.secret, await testKeyOf(caller)] as const;
  let crashes = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const isLive = random() < 0.5;
    const secret = secrets[isLive ? 0 : 1];
    if (random() < 0.4) {
      crashes += 1;
      world.crash({ step: below(6), kind: CRASH_KINDS[below(CRASH_KINDS.length)] ?? "kill-after" });
    }
    const jobs = await storedJobs(caller.workspaceId);
    const chosen = jobs[below(jobs.length)];
    try {
      switch (below(5)) {
        case 0:
        case 1: {
          const key = String(below(KEYS));
          const changes = { selectedSizeIds: SIZE_IDS.slice(0, costOf(key)) };
          const { status, body } = await postJob(world, { ...caller, secret }, changes, key);
          // The Idempotency-Key of the other mode is refused, and that mode's jobs are hidden.
          if (status < 300) expect(body.data.livemode, `seed ${seed}`).toBe(isLive);
          break;
        }
        case 2:
          if (chosen !== undefined) {
            await world.request({ method: "POST", path: `/api/v1/jobs/${chosen.jobId}/cancel`, secret });
          }
          break;
        case 3:
          await world.deliverAt(below(world.messages.length));
          break;
        default:
          world.wait(1_000 * 60 * (1 + below(20)));
          await world.sweep();
      }
    } catch {
      // The process died as planned.
    }
    world.restart();
    if (crashes % 3 === 0) await expectInvariants(caller.workspaceId);
  }
  world.wait(25 * 60 * 60_000);
  await world.sweep();
  await world.drain();
  const jobs = await storedJobs(caller.workspaceId);
  let balance = CREDITS;
  for (const { key, status, livemode, events } of jobs) {
    const cost = costOf(key);
    const isBack = status === "failed" || status === "canceled";
    const expected = livemode === 0 ? [] : isBack ? [-cost, cost] : [-cost];
    expect(JSON.parse(events), `seed ${seed}: ${key} is ${status}`).toEqual(expected);
    if (livemode === 1 && !isBack) balance -= cost;
  }
  const [stored] = await selectRows<{ credits: number; events: number; jobs: number }>`
    SELECT credits, (SELECT count(*) FROM ledger_events e WHERE e.workspace_id = w.workspace_id AND job_id IS NOT NULL) AS events,
      (SELECT count(*) FROM usage_days u WHERE u.workspace_id = w.workspace_id AND u.consumed = 0) AS jobs
    FROM workspaces w WHERE workspace_id = ${caller.workspaceId}`;
  const events = jobs.reduce((sum, job) => sum + JSON.parse(job.events).length, 0);
  expect(stored, `seed ${seed}`).toEqual({ credits: balance, events, jobs: 0 });
  await expectInvariants(caller.workspaceId);
  return { crashes, tests: jobs.filter(({ livemode }) => livemode === 0).length };
}

it("test keys never change the ledger of live orders", { timeout: 1_200_000 }, async ({ task }) => {
  silenceLogs();
  const { seed, sequences } = stressScale();
  const first = seed ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  process.stdout.write(`test keys and the ledger: seeds from ${first}\n`);
  const counts = { "histories of test keys": 0, "planned faults": 0, "test jobs": 0 };
  for (let at = 0; at < Math.min(sequences, SEQUENCES_MAX); at += 1) {
    const { crashes, tests } = await runHistory(first + at);
    counts["histories of test keys"] += 1;
    counts["planned faults"] += crashes;
    counts["test jobs"] += tests;
  }
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
  reportStress(task, { counts });
});

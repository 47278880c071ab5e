import { beforeAll, expect, it } from "vitest";
import { reportStress } from "../stress/report.ts";
import { stressScale } from "../stress/scale.ts";
import { anyDatabase, isOnShards } from "../support/homes.ts";
import { expectInvariants } from "../support/jobs.ts";
import { moveWhole } from "../support/moves.ts";
import { silenceLogs } from "../support/read-logs.ts";
import {
  type Caller,
  callerWithJob,
  callerWithLogo,
  type Intent,
  newCaller,
  ordered,
  postJob,
  postOrder,
  SIZE_IDS,
} from "./client.ts";
import { freshStorage } from "./fresh-storage.ts";
import { Pause } from "./gate.ts";
import { LOGO } from "./logo.ts";
import { type Reply, World } from "./world.ts";

/** If a request hangs at any await and is repeated meanwhile, it takes effect once and both get the same answer. */

beforeAll(freshStorage);
const START_MS = Date.parse("2035-01-01T00:00:00.000Z");
const STEPS_MAX = 50;
/** A whole run tests every step, a quick run every third. */
const stride = (): number => Math.min(3, stressScale().crashStride);

interface Twins {
  readonly caller: Caller;
  /** Replies to the request that hung, and to its repetition. */
  readonly replies: readonly [Reply, Reply];
  /** Number of moves of the workspace while the request hung. */
  readonly moves: number;
}

/** Whether a request was refused because its workspace is being moved, so that the client repeats it. */
const isMoving = ({ status, body }: Reply): boolean =>
  isOnShards() && status === 429 && body?.error?.code === "SERVICE_BUSY";

/** Hangs a request at a step, sends it a second time, and continues the first. Null if the request has no such step. */
async function hangAt<T extends Caller>(
  step: number,
  arrange: (world: World) => Promise<T>,
  send: (world: World, arranged: T) => Promise<Reply>,
): Promise<Twins | null> {
  const world = new World(START_MS);
  const caller = await arrange(world);
  const pause = new Pause(step);
  world.crash(pause);
  const hanging = send(world, caller);
  const didHang = await Promise.race([pause.reached.then(() => true), hanging.then(() => false)]);
  const other = new World(START_MS);
  const moves = step % 2 === 0 ? await moveWhole(caller.workspaceId, (ms) => other.wait(ms)) : 0;
  const twin = didHang ? await send(other, caller) : null;
  pause.release();
  const first = await hanging;
  const reply = isMoving(first) ? await send(other, caller) : first;
  other.messages.push(...world.messages);
  await other.drain();
  await expectInvariants(caller.workspaceId);
  return twin === null ? null : { caller, replies: [reply, twin], moves };
}

const countOf = (
  table: "assets" | "jobs" | "ledger_events",
  { workspaceId }: Caller,
): Promise<number | null> =>
  anyDatabase()
    .prepare(`SELECT COUNT(*) AS count FROM ${table} WHERE workspace_id = ?1`)
    .bind(workspaceId)
    .first<number>("count");

/** Credits for several jobs, or for only one, so that none are left for the second request. */
const CREDITS = [5, SIZE_IDS.length];

it.for(CREDITS)("with %i credits, two identical requests create one job", async (credits, { task }) => {
  silenceLogs();
  let [steps, moves] = [0, 0];
  for (let step = 0; step < STEPS_MAX; step += stride()) {
    const twins = await hangAt<Caller & Intent>(
      step,
      (world) => callerWithLogo(world, { credits }),
      (world, caller) => postJob(world, caller),
    );
    if (twins === null) break;
    steps += 1;
    moves += twins.moves;
    const { caller, replies } = twins;
    const told = `hung at step ${step}: ${JSON.stringify(replies)}`;
    expect(
      replies.map(({ status }) => status).every((status) => status === 200 || status === 202),
      told,
    ).toBe(true);
    expect(new Set(replies.map(({ body }) => body.data.jobId)).size, told).toBe(1);
    expect(await countOf("jobs", caller), told).toBe(1);
    // The ledger has the grant and one consumption.
    expect(await countOf("ledger_events", caller), told).toBe(2);
  }
  expect(steps).toBeGreaterThan(1);
  reportStress(task, { counts: { "overlapping requests": steps, ...(isOnShards() ? { moves } : {}) } });
});

it.for([
  ["begun", false],
  ["accepted", true],
] as const)("two concurrent requests with files by URL are %s once", async ([, isImported], { task }) => {
  silenceLogs();
  const receive = async () => new Response(LOGO, { headers: { "Content-Type": "image/svg+xml" } });
  let [steps, moves] = [0, 0];
  for (let step = 0; step < STEPS_MAX; step += stride()) {
    const twins = await hangAt(
      step,
      async (world) => {
        world.receive = receive;
        const caller = await newCaller({ credits: 5 });
        if (isImported) await postOrder(world, caller);
        await world.deliverAll("imports");
        return caller;
      },
      postOrder,
    );
    if (twins === null) break;
    steps += 1;
    moves += twins.moves;
    const { caller, replies } = twins;
    const world = new World(START_MS);
    world.receive = receive;
    const { body } = await ordered(world, caller);
    const told = `hung at step ${step}: ${JSON.stringify([...replies, body])}`;
    const jobIds = replies.map((reply) => reply.body.data?.jobId);
    expect(jobIds, told).toEqual(isImported ? [body.data.jobId, body.data.jobId] : [undefined, undefined]);
    const counts = (["assets", "jobs", "ledger_events"] as const).map((table) => countOf(table, caller));
    expect(await Promise.all(counts), told).toEqual([1, 1, 2]);
  }
  expect(steps).toBeGreaterThan(1);
  reportStress(task, { counts: { "overlapping requests": steps, ...(isOnShards() ? { moves } : {}) } });
});

it("two concurrent requests cancel and refund a job once", async ({ task }) => {
  silenceLogs();
  let [steps, moves] = [0, 0];
  for (let step = 0; step < STEPS_MAX; step += stride()) {
    const twins = await hangAt(
      step,
      (world) => callerWithJob(world, { credits: 5 }),
      (world, { secret, jobId }) =>
        world.request({ method: "POST", path: `/api/v1/jobs/${jobId}/cancel`, secret }),
    );
    if (twins === null) break;
    steps += 1;
    moves += twins.moves;
    const { caller, replies } = twins;
    expect(replies.map(({ status, body }) => [status, body.data.status])).toEqual([
      [200, "canceled"],
      [200, "canceled"],
    ]);
    // The ledger has the grant, the consumption and one refund.
    expect(await countOf("ledger_events", caller), `hung at step ${step}`).toBe(3);
  }
  expect(steps).toBeGreaterThan(0);
  reportStress(task, { counts: { "overlapping requests": steps, ...(isOnShards() ? { moves } : {}) } });
});

import { env } from "cloudflare:workers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { clock } from "#platform/clock.ts";
import type { Databases } from "#platform/databases/databases.ts";
import { placeOf } from "#platform/databases/move-store.ts";
import { requestMove, runMoves } from "#platform/databases/run-moves.ts";
import { answeredBy } from "../../bench/workers/answered-by.ts";
import { Gate, Pause } from "../fault/gate.ts";
import { gatedDatabase } from "../fault/gated-env.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { withShards } from "../support/shards.ts";
import { countsOf, wholeWorkspace } from "../support/whole-workspace.ts";
import { askForMove, passMinute, phaseOf, real, SOURCE, stopClock, TARGET, until } from "./move-harness.ts";

/**
 * A run of the sweep pauses while it announces a move or has its copy admitted by the target. Meanwhile a later run
 * closes the workspace, opens the target, leaves the source or gives up, or the workspace moves back. When the paused
 * run continues, it does no harm: the two databases never point to each other, no row is lost or copied to the wrong
 * database, and no sweep waits for a finished move.
 */

beforeAll(withShards);
// These tests never mirror members to the shards. Marks the workspaces as mirrored, so that the sweeps of later test
// files skip them.
afterAll(() => env.DB.prepare("UPDATE workspaces SET people_mirrored = people_revision").run());
beforeEach(silenceLogs);
beforeEach(stopClock);

const sweep = (databases: Databases = real) => runMoves(databases, async () => undefined);

/** The databases. The target pauses before one of its calls. */
const waitingAt = (pause: Pause): Databases => ({
  directory: real.directory,
  shards: new Map(
    [...real.shards].map(([name, db]) => [name, name === "01" ? gatedDatabase(db, new Gate(pause)) : db]),
  ),
});

/** The paused run: the number of earlier runs, and the number of the call to the target at which it pauses. */
const HELD = [
  { held: "the run that announces the move", runsBefore: 0, step: 0 },
  { held: "the first run", runsBefore: 0, step: 1 },
  { held: "a run that copies", runsBefore: 1, step: 0 },
  { held: "the run that closes", runsBefore: 1, step: 1 },
] as const;

const exhaustMove = (workspaceId: string) =>
  env.DB.prepare("UPDATE workspace_moves SET failures = 30 WHERE workspace_id = ?1 AND finished_at IS NULL")
    .bind(workspaceId)
    .run();

/** What happens to the move during the pause. */
const MEANWHILE = [
  { meanwhile: "copied on", work: async () => void (await sweep()) },
  { meanwhile: "opened", work: (workspaceId: string) => until(workspaceId, "emptying") },
  { meanwhile: "done", work: (workspaceId: string) => until(workspaceId, "done") },
  {
    meanwhile: "undone",
    work: async (workspaceId: string) => {
      await exhaustMove(workspaceId);
      await until(workspaceId, "undone");
    },
  },
  {
    meanwhile: "moved back",
    work: async (workspaceId: string) => {
      await until(workspaceId, "done");
      await requestMove(real, { workspaceId, target: "00", nowMs: clock.now() });
      await until(workspaceId, "done");
    },
  },
] as const;

const CASES = HELD.flatMap((held) => MEANWHILE.map((meanwhile) => ({ ...held, ...meanwhile })));

it.each(CASES)(
  "$held does no harm if it continues after the move was $meanwhile",
  async ({ runsBefore, step, work, meanwhile }) => {
    const workspaceId = await askForMove(2);
    const before = await wholeWorkspace(SOURCE, workspaceId);
    for (let run = 0; run < runsBefore; run += 1) {
      await sweep();
      passMinute();
    }
    const pause = new Pause(step);
    const held = sweep(waitingAt(pause));
    await pause.reached;
    passMinute();
    await work(workspaceId);
    pause.release();
    await held;
    const places = async () => [
      await placeOf.first(SOURCE, { workspaceId }),
      await placeOf.first(TARGET, { workspaceId }),
    ];
    const homes = async () => (await places()).map((place) => place?.home ?? null);
    expect(await homes()).not.toEqual(["01", "00"]);
    if (meanwhile === "copied on" || meanwhile === "opened") await until(workspaceId, "done");
    const isBack = meanwhile === "undone" || meanwhile === "moved back";
    const [home, left] = isBack ? [SOURCE, TARGET] : [TARGET, SOURCE];
    expect(await homes()).toEqual(isBack ? [null, "00"] : ["01", null]);
    expect(await wholeWorkspace(home, workspaceId)).toEqual(before);
    expect(Object.keys(await countsOf(left, workspaceId)).filter((name) => name !== "api_keys")).toEqual([
      "workspaces",
    ]);
    // No sweep works on a workspace whose row names a target (`isNotMoving`).
    expect(
      (await places()).map((place) => place?.movingTo),
      "moves",
    ).toEqual([null, null]);
    expect(await phaseOf(workspaceId)).toBe(meanwhile === "undone" ? "undone" : "done");
  },
);

it("a paused run of an abandoned move does not close the workspace for the next move", async () => {
  const workspaceId = await askForMove(2);
  await sweep();
  passMinute();
  const pause = new Pause(0);
  const waiting = gatedDatabase(SOURCE, new Gate(pause));
  const source = answeredBy(SOURCE, (method, [text], proceed) =>
    method === "prepare" && String(text).includes('set "moving_since"')
      ? waiting.prepare(String(text))
      : proceed(),
  );
  const held = sweep({ ...real, shards: new Map([...real.shards, ["00", source]]) });
  await pause.reached;
  await exhaustMove(workspaceId);
  await until(workspaceId, "undone");
  passMinute();
  expect(await requestMove(real, { workspaceId, target: "01", nowMs: clock.now() })).toMatchObject({});
  await sweep();
  expect(await phaseOf(workspaceId)).toBe("copying");
  pause.release();
  await held;
  expect((await placeOf.first(SOURCE, { workspaceId }))?.movingSince).toBeNull();
  await until(workspaceId, "done");
});

import { env as realEnv } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { archiveOldPacks } from "#domains/artifacts/archive-packs.ts";
import type { Env } from "#platform/bindings/env.ts";
import { everyDatabase, readDatabases } from "#platform/databases/databases.ts";
import { stressScale } from "../stress/scale.ts";
import { selectRows } from "../support/database.ts";
import { askForPacks, type Caller } from "../support/old-pack-answers.ts";
import { type OldPack, PLAIN_PACK, storeOldPack } from "../support/old-packs.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { createWorkspace } from "../support/workspace.ts";
import { freshStorage } from "./fresh-storage.ts";
import { CRASH_KINDS, type Crash, Gate, Pause } from "./gate.ts";
import { gatedEnv } from "./gated-env.ts";

/**
 * A sweep of old packs that is interrupted at any await, or that waits there while another sweep runs, loses no pack
 * and skips none permanently. Answers about the packs do not change.
 */

beforeAll(freshStorage);
beforeEach(silenceLogs);

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse("2026-03-01T12:00:00.000Z");
const GROUPS = 10;

interface Arranged extends Caller {
  readonly packs: readonly OldPack[];
  readonly answers: readonly string[];
}

/** A workspace with an archived pack, and two packs that are due for archiving: one of the same day, one of another. */
async function oldWorkspace(): Promise<Arranged> {
  const caller = await createWorkspace();
  const store = (createdAtMs: number, daysAgo: number) =>
    storeOldPack(caller.workspaceId, {
      ...PLAIN_PACK,
      createdAtMs,
      filesDeletedAtMs: NOW_MS - daysAgo * DAY_MS,
    });
  const first = await store(1, 40);
  await archiveAt(realEnv);
  const packs = [first, await store(2, 40), await store(3, 41)];
  return { ...caller, packs, answers: await askForPacks(caller, packs) };
}

const gated = (gate: Gate) => gatedEnv(gate, () => undefined);

/** Sweeps all databases; returns the number of archived packs. */
async function archiveAt(env: Env): Promise<number> {
  const databases = readDatabases(env);
  if (databases === null || env.BUCKET === undefined) throw new Error("the worker has no storage");
  let count = 0;
  for (const { db } of everyDatabase(databases)) {
    count += await archiveOldPacks(db, env.BUCKET, NOW_MS, GROUPS);
  }
  return count;
}

const sweep = (gate: Gate): Promise<number> => archiveAt(gated(gate));

/** Number of calls of an undisturbed sweep. */
async function countSteps(): Promise<number> {
  const gate = new Gate();
  await oldWorkspace();
  expect(await sweep(gate)).toBe(2);
  return gate.calls.length;
}

/** Later runs archive the rest, and answers stay the same. */
async function expectArchived({ packs, answers, ...caller }: Arranged, what: string): Promise<void> {
  for (let run = 0; run < 2; run += 1) await sweep(new Gate());
  const whole = await selectRows`SELECT job_id FROM jobs WHERE workspace_id = ${caller.workspaceId}
    AND archive IS NULL`;
  expect(whole, what).toEqual([]);
  expect(await askForPacks(caller, packs), what).toEqual(answers);
}

it("a sweep that is interrupted at any await loses no pack", async () => {
  const steps = await countSteps();
  const crashes: readonly Crash[] = Array.from({ length: steps }, (_, step) => step).flatMap((step) =>
    CRASH_KINDS.map((kind) => ({ step, kind })),
  );
  const { crashStride } = stressScale();
  for (const crash of crashes.filter((_, at) => at % crashStride === 0)) {
    const arranged = await oldWorkspace();
    const gate = new Gate(crash);
    await sweep(gate).catch(() => undefined);
    await expectArchived(arranged, `step ${crash.step}, ${gate.calls[crash.step]}, ${crash.kind}`);
  }
});

const HALVES = 2;

it.each([0, 1])(
  "a sweep that waits at any await while another runs loses no pack (half %i)",
  async (half) => {
    const steps = await countSteps();
    for (let step = half; step < steps; step += HALVES) {
      const arranged = await oldWorkspace();
      const pause = new Pause(step);
      const gate = new Gate(pause);
      const waiting = sweep(gate);
      await pause.reached;
      await sweep(new Gate());
      pause.release();
      await waiting;
      await expectArchived(arranged, `step ${step}, ${gate.calls[step]}`);
    }
  },
);

it("a sweep adds no archive line twice if only the write to the database failed", async () => {
  const { workspaceId } = await oldWorkspace();
  const gate = new Gate();
  const sizes = async () => {
    const { objects } = await realEnv.BUCKET.list({ prefix: `workspaces/${workspaceId}/old-packs/` });
    return objects.map(({ key, size }) => ({ key, size }));
  };
  await sweep(gate);
  expect(await sizes()).toHaveLength(2);
  const notes = gate.calls.flatMap((call, step) => (call === "D1 batch" ? [step] : []));
  for (const step of notes) {
    const arranged = await oldWorkspace();
    await sweep(new Gate({ step, kind: "fault-before" })).catch(() => undefined);
    await expectArchived(arranged, `step ${step}`);
    const prefix = `workspaces/${arranged.workspaceId}/old-packs/`;
    const { objects } = await realEnv.BUCKET.list({ prefix });
    const lines = await selectRows<{ end: number }>`SELECT max(json_extract(archive, '$.offset')
      + json_extract(archive, '$.length')) AS end FROM jobs WHERE workspace_id = ${arranged.workspaceId}
      GROUP BY json_extract(archive, '$.day') ORDER BY json_extract(archive, '$.day')`;
    expect(objects.map(({ size }) => size)).toEqual(lines.map(({ end }) => end));
  }
});

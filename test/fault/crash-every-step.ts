import { expect, vi } from "vitest";
import type { TrustFinding } from "../../scripts/trust/result.ts";
import { expectInvariants } from "../support/jobs.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { trustScale } from "../trust/scale.ts";
import { dumpOf } from "./dump.ts";
import { CRASH_KINDS, type Crash } from "./gate.ts";
import { type Settings, World } from "./world.ts";

/** Something the service does, with what comes before and after it in the outside world. */
export interface Scenario<T extends { readonly workspaceId: string }> {
  /** In the place of the worker's own, where it needs other ones. */
  readonly settings?: Settings;
  /** Makes what the act needs, in a workspace of its own. */
  readonly arrange: (world: World) => Promise<T>;
  /** The act. True when whoever asked for it was told that it is done and will not ask again. */
  readonly act: (world: World, arranged: T) => Promise<boolean>;
  /** What happens anyway: the clock runs, the queue delivers. */
  readonly settle: (world: World, arranged: T) => Promise<void>;
}

/** More often than a client, the queue or the clock would have to. */
const RETRIES_MAX = 5;

/** Any fixed time will do; a round one is easy to read in a failure. */
const START_MS = Date.parse("2030-01-01T00:00:00.000Z");

interface History {
  readonly calls: readonly string[];
  readonly dump: unknown;
}

async function live<T extends { readonly workspaceId: string }>(
  scenario: Scenario<T>,
  crash: Crash | null,
): Promise<History> {
  const world = new World(START_MS, scenario.settings);
  const arranged = await scenario.arrange(world);
  if (crash === null) world.restart();
  else world.crash(crash);
  const wasAcknowledged = await scenario.act(world, arranged);
  const { calls, isDead } = world;
  world.restart();
  let isAcknowledged = wasAcknowledged && !isDead;
  for (let retry = 0; !isAcknowledged; retry += 1) {
    if (retry === RETRIES_MAX) throw new Error("the act is never acknowledged");
    isAcknowledged = await scenario.act(world, arranged);
  }
  await scenario.settle(world, arranged);
  await expectInvariants(arranged.workspaceId);
  return { calls, dump: await dumpOf(arranged.workspaceId) };
}

/**
 * Lives a scenario once undisturbed, then once for each call on a binding and each way in which that call can go
 * wrong; every history must end as the undisturbed one. Gives what was tried, for the table.
 */
export async function crashAtEveryStep<T extends { readonly workspaceId: string }>(
  scenario: Scenario<T>,
): Promise<TrustFinding> {
  silenceLogs();
  const undisturbed = await live(scenario, null);
  const { crashStride } = trustScale();
  const crashes = undisturbed.calls
    .flatMap((_, step) => CRASH_KINDS.map((kind) => ({ step, kind })))
    .filter((_, at) => at % crashStride === 0);
  for (const crash of crashes) {
    const step = `${undisturbed.calls[crash.step]} (step ${crash.step} of ${undisturbed.calls.length}), ${crash.kind}`;
    const crashed = await live(scenario, crash).catch((thrown: unknown) => {
      throw new Error(`after ${step}: ${thrown instanceof Error ? thrown.message : thrown}`, {
        cause: thrown,
      });
    });
    expect(crashed.dump, `the end after ${step}`).toEqual(undisturbed.dump);
  }
  vi.restoreAllMocks();
  return { counts: { steps: undisturbed.calls.length, crashes: crashes.length } };
}

import { World } from "../fault/world.ts";
import { History } from "./history.ts";
import { BILLING_SETTINGS } from "./offers.ts";
import { expectAgreement } from "./oracle.ts";
import { perform, type Step } from "./steps.ts";

const START_MS = Date.parse("2030-05-01T00:00:00.000Z");
const HOUR_MS = 3_600_000;

/** Initial credits of a history's workspaces. */
const GRANTS = [0, 40];

/** Pseudo-random whole numbers below a bound (Lehmer, by Park and Miller). */
function randomFrom(seed: number): (below: number) => number {
  let state = (seed % 2_147_483_646) + 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/**
 * Performs the steps, delivers the remaining events hours later in an order derived from `ending`, some of them twice,
 * and compares the stored state with the provider.
 */
export async function runHistory(steps: readonly Step[], ending: number): Promise<History> {
  const history = await History.begin(new World(START_MS, BILLING_SETTINGS), GRANTS);
  for (const step of steps) {
    history.world.wait(1_000);
    await perform(history, step);
  }
  await history.finishMoves();
  const random = randomFrom(ending);
  history.world.wait(random(72) * HOUR_MS);
  while (history.pending.length > 0) {
    const event = history.pending[random(history.pending.length)];
    if (event !== undefined) await history.deliver(event);
    const again = history.accepted[random(history.accepted.length * 4)];
    if (again !== undefined) await history.deliver(again);
  }
  await expectAgreement(history);
  return history;
}

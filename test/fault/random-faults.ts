import { LIMITS } from "#api/limits.ts";
import { CRASH_KINDS } from "./gate.ts";
import type { World } from "./world.ts";

/** A request that a client repeats with one Idempotency-Key until it gets a final answer. */
export interface FaultyEffect {
  /** Sends the request once. Returns true for a final answer, false if there was none. */
  readonly ask: () => Promise<boolean>;
}

/** Number of calls of the longest act. A fault after an act's last call has no effect. */
const STEPS_MAX = 16;
/** Maximum number of acts per effect, more than any effect needs. */
const ACTS_PER_EFFECT_MAX = 200;
const QUEUES = ["imports", "deliveries"] as const;

/**
 * Sends the effects' requests in random order between deliveries and sweeps, with a random fault at a random call of
 * each act. Some acts send a request twice at once. Finally completes everything without faults. Returns the number of
 * faults.
 */
export async function runWithFaults(
  world: World,
  effects: readonly FaultyEffect[],
  random: () => number,
): Promise<number> {
  const below = (limit: number): number => Math.floor(random() * limit);
  const open = [...effects];
  let faults = 0;
  for (let act = 0; open.length > 0; act += 1) {
    if (act > effects.length * ACTS_PER_EFFECT_MAX) throw new Error("an effect is never answered for good");
    const crash = { step: below(STEPS_MAX), kind: CRASH_KINDS[below(CRASH_KINDS.length)] ?? "kill-after" };
    world.crash(crash);
    const effect = open[below(open.length)];
    const kind = below(6);
    if (kind === 0) world.wait(LIMITS.importLeaseMs + 1_000);
    if (kind <= 1) await world.sweep().catch(() => undefined);
    else if (kind === 2) for (const queue of QUEUES) await world.deliverAll(queue).catch(() => undefined);
    else if (effect !== undefined) {
      const answers = await Promise.all(kind === 3 ? [effect.ask(), effect.ask()] : [effect.ask()]);
      if (!world.isDead && answers.includes(true)) open.splice(open.indexOf(effect), 1);
    }
    if (world.calls.length > crash.step) faults += 1;
  }
  world.restart();
  world.wait(LIMITS.importLeaseMs + 1_000);
  await world.sweep();
  for (const queue of QUEUES) await world.deliverAll(queue);
  await world.drain();
  return faults;
}

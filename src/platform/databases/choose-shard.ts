import { latest } from "../db/reader.ts";
import type { Databases } from "./databases.ts";
import { allShardStates } from "./directory-store.ts";
import { DIRECTORY, type Home } from "./shard-name.ts";

/** A shard whose measurement is this much older than the newest one is treated as unreachable, and not chosen. */
const UNMEASURED_MS_MAX = 5 * 60_000;
/** Shards whose sizes differ by less count as equally full: 1 % of a database's maximum (10 GB). */
const BYTES_ALIKE = 100_000_000;

/**
 * Chooses the database of a new workspace: at random among the emptiest shards, or `DB` without shards. The sweeps
 * measure shards each minute (`recordShard`). An unmeasured shard is used only if none was ever measured.
 */
export async function chooseHome({ directory, shards }: Databases): Promise<Home> {
  if (shards.size === 0) return DIRECTORY;
  const stored = await allShardStates.all(latest(directory), {});
  const states = new Map(stored.map((state) => [state.home, state]));
  const known = [...shards.keys()].map((home) => ({ home, state: states.get(home) }));
  const newestMs = Math.max(...known.map(({ state }) => state?.measuredAt ?? 0));
  const sizes = known
    .filter(({ state }) => (state?.measuredAt ?? 0) >= newestMs - UNMEASURED_MS_MAX)
    .map(({ home, state }) => ({ home, bytes: state?.bytes ?? 0 }));
  const least = Math.min(...sizes.map(({ bytes }) => bytes));
  return pickRandom(sizes.filter(({ bytes }) => bytes <= least + BYTES_ALIKE).map(({ home }) => home));
}

/** A random element. Throws for an empty list. */
function pickRandom<T>(things: readonly T[]): T {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  const picked = things[random % things.length];
  if (picked === undefined) throw new Error("nothing to pick from");
  return picked;
}

import { latest } from "../db/reader.ts";
import type { Databases } from "./databases.ts";
import { allShardStates } from "./directory-store.ts";
import { DIRECTORY, type Home } from "./shard-name.ts";

/** A shard whose sweep has not measured it for this long, while others were, does not answer. */
const UNMEASURED_MS_MAX = 5 * 60_000;
/** Shards whose sizes differ by less are as empty as each other: a hundredth of what a database holds (10 GB). */
const BYTES_ALIKE = 100_000_000;

/**
 * Where a new workspace is to live: on one of the emptiest shards; in `DB` where no shard is bound. The sweeps measure the
 * shards (`recordShard`) each minute. One that was never measured may not answer, and gets none while another was.
 */
export async function placeWorkspace({ directory, shards }: Databases): Promise<Home> {
  if (shards.size === 0) return DIRECTORY;
  const stored = await allShardStates.all(latest(directory), {});
  const states = new Map(stored.map((state) => [state.home, state]));
  const known = [...shards.keys()].map((home) => ({ home, state: states.get(home) }));
  const newestMs = Math.max(...known.map(({ state }) => state?.measuredAt ?? 0));
  const sizes = known
    .filter(({ state }) => (state?.measuredAt ?? 0) >= newestMs - UNMEASURED_MS_MAX)
    .map(({ home, state }) => ({ home, bytes: state?.bytes ?? 0 }));
  const least = Math.min(...sizes.map(({ bytes }) => bytes));
  return pickOne(sizes.filter(({ bytes }) => bytes <= least + BYTES_ALIKE).map(({ home }) => home));
}

/** One of some things, by chance. Throws where there are none. */
function pickOne<T>(things: readonly T[]): T {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  const picked = things[random % things.length];
  if (picked === undefined) throw new Error("nothing to pick from");
  return picked;
}

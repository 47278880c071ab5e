import { errorNameOf, log } from "../platform/log.ts";
import { oncePer } from "../platform/once-per.ts";
import { pickOne } from "../platform/pick-one.ts";
import type { Databases } from "./databases.ts";
import { DIRECTORY, type Home } from "./shard-name.ts";

/** How long an isolate goes by the sizes that it has read. */
const SIZES_KEPT_MS = 60_000;
/** Shards whose sizes differ by less are as empty as each other: a hundredth of what a database holds (10 GB). */
const BYTES_ALIKE = 100_000_000;

interface Emptiest {
  homes: readonly Home[];
  readAtMs: number | null;
}

const emptiestOf = oncePer((_: Databases): Emptiest => ({ homes: [], readAtMs: null }));

/**
 * Bytes of a database. D1 tells them with any query: developers.cloudflare.com/d1/worker-api/return-object (`size_after`).
 */
async function bytesOf(db: D1Database): Promise<number> {
  const { meta } = await db.prepare("select 1").all();
  return meta.size_after;
}

/** The emptiest shards that answer. Throws where none does: a workspace is placed nowhere else then. */
async function readEmptiest({ shards }: Databases): Promise<readonly Home[]> {
  const read = await Promise.all(
    [...shards].map(async ([home, db]) => {
      try {
        return [{ home, bytes: await bytesOf(db) }];
      } catch (thrown) {
        log.failure({ event: "shard_unreachable", code: home, errorName: errorNameOf(thrown) });
        return [];
      }
    }),
  );
  const sizes = read.flat();
  const least = Math.min(...sizes.map(({ bytes }) => bytes));
  const homes = sizes.filter(({ bytes }) => bytes <= least + BYTES_ALIKE).map(({ home }) => home);
  if (homes.length === 0) throw new Error("no shard answers");
  return homes;
}

/** Where a new workspace is to live: on one of the emptiest shards; in `DB` where no shard is bound. */
export async function placeWorkspace(databases: Databases, nowMs: number): Promise<Home> {
  if (databases.shards.size === 0) return DIRECTORY;
  const emptiest = emptiestOf(databases);
  const ageMs = emptiest.readAtMs === null ? null : nowMs - emptiest.readAtMs;
  if (ageMs === null || ageMs < 0 || ageMs >= SIZES_KEPT_MS) {
    emptiest.homes = await readEmptiest(databases);
    emptiest.readAtMs = nowMs;
  }
  return pickOne(emptiest.homes);
}

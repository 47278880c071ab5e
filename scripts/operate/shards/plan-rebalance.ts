import type { Home } from "#platform/databases/shard-name.ts";

/** Plans a rebalancing from estimated sizes, without side effects. */

export interface PlacedWorkspace {
  readonly workspaceId: string;
  /** Number of its packs in the database, from which its size is estimated. */
  readonly packs: number;
}

export interface DatabaseSize {
  readonly home: Home;
  readonly bytes: number;
  /** Number of all packs in the database. */
  readonly packs: number;
  /** The workspaces with most packs, largest first. */
  readonly largest: readonly PlacedWorkspace[];
}

export interface PlannedMove {
  readonly workspaceId: string;
  readonly from: Home;
  readonly to: Home;
  /** Estimated from its share of the database's packs. */
  readonly bytes: number;
  readonly reason: string;
}

/** Databases up to this multiple of the mean count as balanced: a move would cost more than it gains. */
const TOLERANCE = 1.25;
/** Smaller databases are not rebalanced. The limit is a hundredth of a database's maximum size. */
const BYTES_WORTH_MOVING = 100_000_000;
const MOVES_MAX = 20;

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/**
 * Plans at most 20 moves from the fullest database to the emptiest. Each moves the largest workspace whose move does
 * not leave the source emptier than the target. `DB` is never a target.
 */
export function planRebalance(databases: readonly DatabaseSize[]): PlannedMove[] {
  const bytesOf = new Map(databases.map(({ home, bytes }) => [home, bytes]));
  const targets = databases.filter(({ home }) => home !== "DB");
  const mean = databases.reduce((sum, { bytes }) => sum + bytes, 0) / Math.max(1, databases.length);
  const planned: PlannedMove[] = [];
  const moved = new Set<string>();
  const size = (home: Home): number => bytesOf.get(home) ?? 0;
  while (planned.length < MOVES_MAX) {
    const [fullest] = databases.toSorted((one, other) => size(other.home) - size(one.home));
    const [emptiest] = targets.toSorted((one, other) => size(one.home) - size(other.home));
    if (fullest === undefined || emptiest === undefined || fullest.home === emptiest.home) break;
    if (size(fullest.home) < mean * TOLERANCE || size(fullest.home) < BYTES_WORTH_MOVING) break;
    const gap = size(fullest.home) - size(emptiest.home);
    const weighed = fullest.largest
      .filter(({ workspaceId }) => !moved.has(workspaceId))
      .map(({ workspaceId, packs }) => ({
        workspaceId,
        bytes: Math.round((fullest.bytes * packs) / Math.max(1, fullest.packs)),
      }));
    const chosen = weighed.find(({ bytes }) => bytes > 0 && bytes <= gap / 2);
    if (chosen === undefined) break;
    moved.add(chosen.workspaceId);
    planned.push({
      ...chosen,
      from: fullest.home,
      to: emptiest.home,
      reason: `${fullest.home} has ${percent(size(fullest.home) / mean)} of the mean, ${emptiest.home} ${percent(size(emptiest.home) / mean)}`,
    });
    bytesOf.set(fullest.home, size(fullest.home) - chosen.bytes);
    bytesOf.set(emptiest.home, size(emptiest.home) + chosen.bytes);
  }
  return planned;
}

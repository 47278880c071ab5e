import type { Home } from "#platform/databases/shard-name.ts";

/** What a rebalance would move: a pure plan, from sizes that are estimates anyway. */

export interface PlacedWorkspace {
  readonly workspaceId: string;
  /** Packs that the database keeps of it: what it weighs by. */
  readonly packs: number;
}

export interface DatabaseSize {
  readonly home: Home;
  readonly bytes: number;
  /** All packs in the database. */
  readonly packs: number;
  /** The largest first. */
  readonly largest: readonly PlacedWorkspace[];
}

export interface PlannedMove {
  readonly workspaceId: string;
  readonly from: Home;
  readonly to: Home;
  /** An estimate: its packs' part of the database. */
  readonly bytes: number;
  readonly reason: string;
}

/** Databases this much above the mean are as full as the others: a move costs more than it gains. */
const TOLERANCE = 1.25;
/** Smaller databases are left alone, however unequal they are: a hundredth of what one holds. */
const BYTES_WORTH_MOVING = 100_000_000;
const MOVES_MAX = 20;

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/**
 * Moves from the fullest database to the emptiest, the largest workspace first whose move leaves the one no emptier than the
 * other. `DB` is only ever moved from. At most 20.
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

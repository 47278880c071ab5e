import { LRUCache } from "lru-cache";
import { idsOf, type NamedAssets } from "../assets/ready-inputs.ts";
import type { JobBasis } from "./job-basis.ts";

/**
 * What jobs were lately decided on in this isolate, so that those of a burst over the same assets need not read it
 * again. It may be out of date: whoever decides on it has the write itself look whether it still holds
 * (`requireBasisStatement`).
 */
export interface RecentBases {
  find(workspaceId: string, assetIds: NamedAssets, nowMs: number): JobBasis | null;
  keep(workspaceId: string, assetIds: NamedAssets, basis: JobBasis, nowMs: number): void;
  /** Forgets one that no longer held. */
  forget(workspaceId: string, assetIds: NamedAssets): void;
}

/** A guess that is older fails too often to be worth its try. */
const MEMORY_MS_MAX = 60_000;
/** A few hundred bytes each. */
const BASES_MAX = 500;

export function createRecentBases(): RecentBases {
  const kept = new LRUCache<string, { readonly basis: JobBasis; readonly readAtMs: number }>({
    max: BASES_MAX,
  });
  const nameOf = (workspaceId: string, assetIds: NamedAssets) => [workspaceId, ...idsOf(assetIds)].join(" ");
  return {
    find(workspaceId, assetIds, nowMs) {
      const known = kept.get(nameOf(workspaceId, assetIds));
      return known !== undefined && Math.abs(nowMs - known.readAtMs) < MEMORY_MS_MAX ? known.basis : null;
    },
    keep(workspaceId, assetIds, basis, nowMs) {
      kept.set(nameOf(workspaceId, assetIds), { basis, readAtMs: nowMs });
    },
    forget(workspaceId, assetIds) {
      kept.delete(nameOf(workspaceId, assetIds));
    },
  };
}

import { LRUCache } from "lru-cache";
import { idsOf, type NamedAssets } from "../assets/ready-inputs.ts";
import type { JobPreconditions } from "./preconditions.ts";

/**
 * Preconditions of this isolate's recent jobs, so that a burst of jobs over the same assets reads them once. They may
 * be stale; the write that uses them has `preconditionGuard`.
 */
export interface PreconditionCache {
  find(workspaceId: string, assetIds: NamedAssets, nowMs: number): JobPreconditions | null;
  keep(workspaceId: string, assetIds: NamedAssets, preconditions: JobPreconditions, nowMs: number): void;
  drop(workspaceId: string, assetIds: NamedAssets): void;
}

/** Maximum age of an entry. With an older one, the write would fail too often. */
const CACHE_MS_MAX = 60_000;
/** Maximum number of entries, of a few hundred bytes each. */
const ENTRIES_MAX = 500;

export function createPreconditionCache(): PreconditionCache {
  const entries = new LRUCache<
    string,
    { readonly preconditions: JobPreconditions; readonly readAtMs: number }
  >({ max: ENTRIES_MAX });
  const keyOf = (workspaceId: string, assetIds: NamedAssets) => [workspaceId, ...idsOf(assetIds)].join(" ");
  return {
    find(workspaceId, assetIds, nowMs) {
      const entry = entries.get(keyOf(workspaceId, assetIds));
      const isRecent = entry !== undefined && Math.abs(nowMs - entry.readAtMs) < CACHE_MS_MAX;
      return isRecent ? entry.preconditions : null;
    },
    keep(workspaceId, assetIds, preconditions, nowMs) {
      entries.set(keyOf(workspaceId, assetIds), { preconditions, readAtMs: nowMs });
    },
    drop(workspaceId, assetIds) {
      entries.delete(keyOf(workspaceId, assetIds));
    },
  };
}

import type { z } from "zod";
import type { artifactPageSchema } from "#api/schemas/artifact.ts";
import { toTimestamp, toTimestampOrNull } from "#platform/clock.ts";
import { type Page, toPage } from "#platform/db/page.ts";
import { latest } from "#platform/db/reader.ts";
import { type ArtifactFilter, type ArtifactSummary, artifactsPage, edgeOfSearch } from "./list-store.ts";

/** Packs that a page with a filter looks at: no index holds what is looked for. */
const LOOKED_AT_MAX = 1_000;

const isFiltered = (filter: ArtifactFilter): boolean => Object.values(filter).some((value) => value !== null);

/**
 * A page of the workspace's artifacts, newest job first. Its cursor is the time of a job's creation. With a filter it looks at
 * the next thousand packs at most, and may have fewer items than `limit`, or none, where another page follows.
 */
export async function listArtifacts(
  { db, nowMs }: { readonly db: D1Database; readonly nowMs: number },
  workspaceId: string,
  beforeMs: number | null,
  { livemode, ...filter }: ArtifactFilter & { readonly livemode: boolean },
  limit: number,
): Promise<Page<ArtifactSummary, number>> {
  const reader = latest(db);
  const jobs = { workspaceId, beforeMs };
  const mode = livemode ? "live" : "test";
  const edge = isFiltered(filter)
    ? await edgeOfSearch[mode].first(reader, { ...jobs, looked: LOOKED_AT_MAX - 1 })
    : null;
  const edgeMs = edge?.createdAtMs ?? null;
  const found = await artifactsPage[mode].all(reader, {
    ...jobs,
    ...filter,
    edgeMs,
    nowMs,
    limit: limit + 1,
  });
  const page = toPage(found, limit, ({ jobCreatedAtMs }) => jobCreatedAtMs);
  return page.nextBefore === null ? { ...page, nextBefore: edgeMs } : page;
}

/** The page as the API shows it. An expired pack has no picture to show. */
export const presentArtifactPage = (
  page: Page<ArtifactSummary, number>,
): z.infer<typeof artifactPageSchema> => ({
  items: page.items.map(({ jobCreatedAtMs: _, createdAtMs, expiresAtMs, ...artifact }) => ({
    ...artifact,
    thumbnail: artifact.status === "ready" ? artifact.thumbnail : null,
    createdAt: toTimestamp(createdAtMs),
    expiresAt: toTimestamp(expiresAtMs),
  })),
  nextBefore: toTimestampOrNull(page.nextBefore),
});

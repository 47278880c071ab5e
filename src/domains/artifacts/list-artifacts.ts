import type { z } from "zod";
import type { artifactPageSchema } from "#api/schemas/artifact.ts";
import { toTimestamp, toTimestampOrNull } from "#platform/clock.ts";
import { type Page, toPage } from "#platform/db/page.ts";
import { latest } from "#platform/db/reader.ts";
import { type ArtifactFilter, type ArtifactSummary, artifactsPage, edgeOfSearch } from "./list-store.ts";

/** Maximum number of packs that a filtered page reads; no index covers the filters. */
const LOOKED_AT_MAX = 1_000;

const isFiltered = (filter: ArtifactFilter): boolean => Object.values(filter).some((value) => value !== null);

/**
 * A page of the workspace's artifacts, newest job first. The cursor is a job's creation time. A filtered page reads at
 * most the next thousand packs, so it may be short or empty although more pages follow.
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

/** The API's representation of a page. An expired pack has no thumbnail. */
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

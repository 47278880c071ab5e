import type { z } from "zod";
import type { artifactPageSchema } from "../contract/schemas/artifact.ts";
import { toTimestamp, toTimestampOrNull } from "../platform/clock.ts";
import type { ArtifactDeps } from "./service.ts";
import { type ArtifactSummary, findArtifacts } from "./store.ts";

/** Artifacts, newest job first, and the time before which the next page's jobs were created; null at the end. */
export interface ArtifactPage {
  readonly artifacts: readonly ArtifactSummary[];
  readonly nextBeforeMs: number | null;
}

/** A page of the workspace's artifacts. */
export async function listArtifacts(
  { db, nowMs }: ArtifactDeps,
  workspaceId: string,
  beforeMs: number | null,
  limit: number,
): Promise<ArtifactPage> {
  const found = await findArtifacts(db, workspaceId, beforeMs, limit + 1, nowMs);
  const artifacts = found.slice(0, limit);
  return {
    artifacts,
    nextBeforeMs: found.length > limit ? (artifacts.at(-1)?.jobCreatedAtMs ?? null) : null,
  };
}

/** The page as the interface shows it. */
export const presentArtifactPage = (page: ArtifactPage): z.infer<typeof artifactPageSchema> => ({
  items: page.artifacts.map(({ jobCreatedAtMs: _, createdAtMs, expiresAtMs, ...artifact }) => ({
    ...artifact,
    createdAt: toTimestamp(createdAtMs),
    expiresAt: toTimestamp(expiresAtMs),
  })),
  nextBefore: toTimestampOrNull(page.nextBeforeMs),
});

import { accept, type Outcome, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { DownloadLinks } from "#api/schemas/artifact.ts";
import type { LinkKeys } from "#platform/bindings/capabilities.ts";
import { toTimestamp } from "#platform/clock.ts";
import type { Reader } from "#platform/db/reader.ts";
import {
  type Artifact,
  type ArtifactFile,
  type DetailedArtifact,
  packFileName,
  withObjectKeys,
} from "./artifact.ts";
import { readGrant, type SignedGrant, signGrant } from "./download-token.ts";
import { readDetails } from "./manifest.ts";
import { packByteLength } from "./pack-zip.ts";
import { restoreArtifact } from "./read-archive.ts";
import { artifactById } from "./store.ts";

export interface ArtifactDeps {
  readonly db: Reader;
  readonly nowMs: number;
  /** True for packs of live keys, which accounts see too; false for packs of test keys. */
  readonly livemode?: boolean;
  /** True for a signed link. It opens packs of both modes, but none of a suspended workspace. */
  readonly isByLink?: boolean;
}

/**
 * The artifact, ready or expired. 404 ARTIFACT_NOT_FOUND; by a link also 403 LINK_INVALID for a suspended workspace.
 */
export async function readArtifact(
  { db, nowMs, livemode = true, isByLink = false }: ArtifactDeps,
  workspaceId: string,
  artifactId: string,
): Promise<Outcome<Artifact>> {
  const artifact = await artifactById.first(db, { workspaceId, artifactId, nowMs });
  if (artifact === null || !(isByLink || artifact.livemode === livemode)) return artifactNotFound();
  if (isByLink && artifact.isSuspended) return suspended();
  return accept({ ...artifact, files: withObjectKeys(artifact, artifact.files) });
}

/** An artifact whose files are stored. Errors of `readArtifact`, and 409 ARTIFACT_NOT_READY. */
async function readReadyArtifact(
  deps: ArtifactDeps,
  workspaceId: string,
  artifactId: string,
): Promise<Outcome<Artifact>> {
  const artifact = await readArtifact(deps, workspaceId, artifactId);
  return artifact.ok ? requireReady(artifact.value) : artifact;
}

/** A ready artifact with the manifest's details. Errors of `readReadyArtifact`, and 409 FILE_CORRUPT. */
export async function readDetailedArtifact(
  deps: ArtifactDeps,
  bucket: R2Bucket,
  workspaceId: string,
  artifactId: string,
): Promise<Outcome<DetailedArtifact>> {
  const artifact = await readReadyArtifact(deps, workspaceId, artifactId);
  return artifact.ok ? readDetails(bucket, artifact.value) : artifact;
}

/** A file of a ready artifact. Errors of `readReadyArtifact`; 404 FILE_NOT_FOUND takes precedence over 409. */
export async function readReadyFile(
  deps: ArtifactDeps,
  bucket: R2Bucket,
  workspaceId: string,
  artifactId: string,
  fileId: string,
): Promise<Outcome<ArtifactFile>> {
  const artifact = await readArtifact(deps, workspaceId, artifactId);
  if (!artifact.ok) return artifact;
  const { files } = await restoreArtifact(bucket, artifact.value);
  const file = files.find((one) => one.fileId === fileId);
  if (file === undefined) return refuse("FILE_NOT_FOUND", "The artifact has no file with this id.");
  const ready = requireReady(artifact.value);
  return ready.ok ? accept(file) : ready;
}

/** Links to a ready pack and its files, valid for `lifetimeMs`; `urlOf` makes a token's URL. */
export async function issueDownloadLinks(
  artifact: DetailedArtifact,
  keys: LinkKeys,
  nowMs: number,
  urlOf: (token: string) => string,
  lifetimeMs: number = LIMITS.downloadLinkLifetimeMs,
): Promise<DownloadLinks> {
  const { workspaceId, artifactId } = artifact;
  // A link never outlives the pack.
  const expiresAtMs = Math.min(nowMs + lifetimeMs, artifact.expiresAtMs);
  const linkTo = async (fileId: string | null) => ({
    url: urlOf(await signGrant(keys, { workspaceId, artifactId, fileId, expiresAtMs })),
    method: "GET" as const,
    expiresAt: toTimestamp(expiresAtMs),
  });
  const files = await Promise.all(
    artifact.files.map(async ({ fileId, fileName, byteLength, contentType }) => ({
      fileId,
      ...(await linkTo(fileId)),
      fileName,
      byteLength,
      contentType,
    })),
  );
  return {
    ...(await linkTo(null)),
    fileName: packFileName(artifact),
    byteLength: packByteLength(artifact),
    contentType: "application/zip",
    files,
  };
}

/** The download that a link allows. 403 LINK_INVALID: altered, expired, or signed with a retired key. */
export async function readLink(keys: LinkKeys, token: string, nowMs: number): Promise<Outcome<SignedGrant>> {
  const grant = await readGrant(keys, token, nowMs);
  return grant === null
    ? refuse("LINK_INVALID", "The download link is altered, incomplete or expired.")
    : accept(grant);
}

const suspended = () =>
  refuse("LINK_INVALID", "The workspace of this download link is suspended.", {
    nextAction: "Ask the operator of this service.",
  });

/** 404, also for another workspace's artifact. */
export const artifactNotFound = () =>
  refuse("ARTIFACT_NOT_FOUND", "The workspace has no artifact with this id.");

/** The artifact while its files are stored; 409 ARTIFACT_NOT_READY. */
export const requireReady = <A extends Pick<Artifact, "status">>(artifact: A): Outcome<A> =>
  artifact.status === "ready"
    ? accept(artifact)
    : refuse("ARTIFACT_NOT_READY", "The artifact has expired and its files are gone.");

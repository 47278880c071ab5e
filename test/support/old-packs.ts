import { env } from "cloudflare:workers";
import { COMPLIANCE_EXAMPLE } from "#api/schemas/artifact.ts";
import { storeManifest } from "#domains/artifacts/manifest.ts";
import type { DrawnFile, PackCopy, PackFile } from "#platform/db/schema/index.ts";
import { newId } from "#platform/ids.ts";
import { execute } from "./database.ts";

/** Packs drawn long ago, before or after their files were deleted. */

export interface OldPack {
  readonly jobId: string;
  readonly artifactId: string;
  readonly fileIds: readonly string[];
}

export interface OldPackChoice {
  /** Creation time of the job, unique in the workspace. */
  readonly createdAtMs: number;
  /** Time at which the files were deleted; null if they still exist. */
  readonly filesDeletedAtMs: number | null;
  readonly sizeIds: readonly string[];
  readonly isAnimated: boolean;
  readonly copy: PackCopy;
  readonly brand: object;
  readonly placements: object;
  readonly overrides: object;
  readonly renderFingerprint: string;
  /** Whether the files' details are in storage. In older packs they are in the row. */
  readonly hasManifestObject: boolean;
}

export const PLAIN_PACK = {
  sizeIds: ["iab-320x50", "iab-120x60"],
  isAnimated: false,
  copy: { headline: "Two wheels", disclaimer: "Terms apply." },
  brand: { primaryColor: "#0b5fff" },
  placements: {},
  overrides: {},
  renderFingerprint: "ab".repeat(32),
  hasManifestObject: true,
} as const;

const LAYOUT: DrawnFile["layout"] = {
  family: "campaign",
  shape: "tiny_strip",
  elements: [{ role: "headline", box: { x: 8, y: 8, width: 200, height: 20 }, fontSizePx: 14 }],
  crops: [],
  adjustments: [],
};

function drawnFile(sizeId: string, isAnimated: boolean): DrawnFile {
  const format = isAnimated ? "gif" : "png";
  return {
    fileId: newId(),
    sizeId,
    role: "primary",
    fileName: `${sizeId}.${format}`,
    width: 320,
    height: 50,
    contentType: `image/${format}`,
    byteLength: 1_234,
    sha256: "cd".repeat(32),
    ...(isAnimated && { animation: { frames: 3, durationMs: 900, loops: 2 } }),
    compliance: COMPLIANCE_EXAMPLE,
    layout: LAYOUT,
  };
}

/** Writes the rows of a succeeded pack, and its manifest object if it has one. */
export async function storeOldPack(workspaceId: string, choice: OldPackChoice): Promise<OldPack> {
  const [jobId, artifactId] = [newId(), newId()];
  const drawn = choice.sizeIds.map((sizeId) => drawnFile(sizeId, choice.isAnimated));
  const { manifestSha256 } = await storeManifest(env.BUCKET, workspaceId, artifactId, drawn);
  const files = drawn.map(({ compliance: _compliance, layout: _layout, ...file }): PackFile => file);
  const details = drawn.map(({ fileId, compliance, layout }) => ({ fileId, compliance, layout }));
  const { createdAtMs, filesDeletedAtMs } = choice;
  const json = JSON.stringify;
  await execute`INSERT INTO jobs (job_id, workspace_id, status, contract_id, motion, output_format, selected_size_ids,
      asset_ids, copy, brand, look, variant, placements, overrides, render_inputs, cost_credits, render_fingerprint,
      artifact_id, created_at, started_at, finished_at, dispatched_at)
    VALUES (${jobId}, ${workspaceId}, 'succeeded', 'display.v1', ${choice.isAnimated ? "animated" : "static"},
      ${choice.isAnimated ? "gif" : "png"}, ${json(choice.sizeIds)}, ${json({ logo: newId() })}, ${json(choice.copy)},
      ${json(choice.brand)}, 'classic', 2, ${json(choice.placements)}, ${json(choice.overrides)},
      ${json({ logo: { objectKey: "a", mimeType: "image/svg+xml", sha256: "ef".repeat(32) } })},
      ${choice.sizeIds.length}, ${choice.renderFingerprint}, ${artifactId}, ${createdAtMs}, ${createdAtMs + 1},
      ${createdAtMs + 2}, ${createdAtMs})`;
  await execute`INSERT INTO artifacts (artifact_id, job_id, workspace_id, status, engine_version, total_bytes, created_at,
      expires_at, purged_at, files, manifest_sha256, file_details)
    VALUES (${artifactId}, ${jobId}, ${workspaceId}, 'expired', '1.10.0', 2468, ${createdAtMs + 2}, ${createdAtMs + 3},
      ${filesDeletedAtMs}, ${json(files)}, ${choice.hasManifestObject ? manifestSha256 : null},
      ${choice.hasManifestObject ? null : json(details)})`;
  return { jobId, artifactId, fileIds: drawn.map(({ fileId }) => fileId) };
}

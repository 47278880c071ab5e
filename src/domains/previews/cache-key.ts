import { PREVIEW_PROTECTIONS, type PreviewProtection } from "#api/preview-quota.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { ENGINE_VERSION, PREVIEW_VERSION, type PreviewFrame } from "#renderer/index.ts";
import { canonicalJson } from "../idempotency/claim.ts";
import type { JobInputs, JobPlan } from "../jobs/job.ts";
import { fingerprintOf } from "../jobs/pack-plan.ts";

/** Identifies a preview in its workspace: its inputs and its protection. */
export interface PreviewCacheKey {
  /**
   * SHA-256 in lower-case hex of everything that the preview depends on except its protection; the same in every
   * workspace.
   */
  readonly previewId: string;
  readonly protection: PreviewProtection;
}

/** The id of a one-size plan's preview: engine and preview version, contract, size, format, bytes, design, frame. */
export async function previewIdOf(plan: JobPlan, inputs: JobInputs, frame: PreviewFrame): Promise<string> {
  const renderFingerprint = await fingerprintOf(plan, inputs, ENGINE_VERSION);
  return sha256Hex(
    canonicalJson({ previewVersion: PREVIEW_VERSION, renderFingerprint, ...(frame !== "last" && { frame }) }),
  );
}

/** A cache key as text, for reservations and as the resource of an Idempotency-Key. */
export const cacheKeyText = ({ previewId, protection }: PreviewCacheKey): string =>
  `${previewId}.${protection}`;

/** Parses the text of `cacheKeyText`; null for any other text. */
export function parseCacheKey(text: string): PreviewCacheKey | null {
  const [previewId = "", written] = text.split(".");
  const protection = PREVIEW_PROTECTIONS.find((known) => known === written);
  return /^[0-9a-f]{64}$/.test(previewId) && protection !== undefined ? { previewId, protection } : null;
}

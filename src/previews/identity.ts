import { PREVIEW_PROTECTIONS, type PreviewProtection } from "../contract/preview-allowance.ts";
import { canonicalJson } from "../idempotency/claim.ts";
import { fingerprintOf } from "../jobs/fingerprint.ts";
import type { JobInputs, JobPlan } from "../jobs/job.ts";
import { sha256Hex } from "../platform/hashing.ts";
import { ENGINE_VERSION, PREVIEW_VERSION } from "../renderer/index.ts";

/** A picture of a workspace: its inputs' identity and how it is protected. */
export interface PreviewSubject {
  /** SHA-256 over all that the picture and its prediction depend on, lower-case hex; the same in every workspace. */
  readonly previewId: string;
  readonly protection: PreviewProtection;
}

/** The identity of the inputs of a plan of one size: engine and preview version, contract, size, format, bytes, words. */
export async function previewIdOf(plan: JobPlan, inputs: JobInputs): Promise<string> {
  const renderFingerprint = await fingerprintOf(plan, inputs, ENGINE_VERSION);
  return sha256Hex(canonicalJson({ previewVersion: PREVIEW_VERSION, renderFingerprint }));
}

/**
 * Where the mark's words stand: 32 bits from the pictures and the size. Words and colours do not move them, so that
 * previews of one picture with other words cannot be laid over each other to cancel the mark.
 */
export async function markSeedOf(plan: JobPlan, inputs: JobInputs): Promise<number> {
  const { font: _, ...pictures } = inputs;
  const hashes = Object.entries(pictures).map(([slotId, { sha256 }]) => [slotId, sha256]);
  const digest = await sha256Hex(canonicalJson({ pictures: hashes.sort(), sizes: plan.selectedSizeIds }));
  return Number.parseInt(digest.slice(0, 8), 16);
}

/** A subject as one text: what is drawn once at a time, and what an Idempotency-Key remembers. */
export const subjectText = ({ previewId, protection }: PreviewSubject): string =>
  `${previewId}.${protection}`;

/** The subject that `subjectText` wrote, or null. */
export function readSubject(text: string): PreviewSubject | null {
  const [previewId = "", written] = text.split(".");
  const protection = PREVIEW_PROTECTIONS.find((known) => known === written);
  return /^[0-9a-f]{64}$/.test(previewId) && protection !== undefined ? { previewId, protection } : null;
}

import { sha256Hex } from "#platform/crypto/hashing.ts";
import { canonicalJson } from "../idempotency/claim.ts";
import type { JobInputs, JobPlan } from "./job.ts";

/**
 * Everything the pixels of a pack depend on, as SHA-256 in lower-case hex: engine version (which also fixes the
 * bundled font), contract, the set of sizes, format, motion, the bytes in each slot, copy, brand, look, variant, placements
 * and overrides. A plan has its defaults filled in, so that saying them or not is the same.
 * Equal fingerprints are byte-identical packs, whatever the assets are called.
 */
export function fingerprintOf(plan: JobPlan, inputs: JobInputs, engineVersion: string): Promise<string> {
  const { font, ...pictures } = inputs;
  return sha256Hex(
    canonicalJson({
      engineVersion,
      contractId: plan.contractId,
      sizeIds: [...plan.selectedSizeIds].sort(),
      outputFormat: plan.outputFormat,
      motion: plan.motion,
      assets: Object.fromEntries(Object.entries(pictures).map(([slotId, input]) => [slotId, input.sha256])),
      font: font?.sha256 ?? "bundled",
      copy: plan.copy,
      brand: plan.brand,
      look: plan.look,
      variant: plan.variant,
      placements: plan.placements,
      overrides: plan.overrides,
    }),
  );
}

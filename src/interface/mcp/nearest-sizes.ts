import { type Outcome, refuse } from "#api/errors.ts";
import type { PackRequest } from "#api/schemas/job.ts";
import { findContract } from "#catalogue/contracts.ts";
import { nearestSizeIds } from "#catalogue/nearest-sizes.ts";
import type { ToolOutcome } from "./tool-declaration.ts";

/**
 * Adds the contract's nearest sizes to a refusal of unknown sizes; returns other outcomes unchanged. A preview's
 * refusal has another code, and SIZE_UNSUPPORTED as `details.reason`.
 */
export function withNearestSizes<T>(outcome: Outcome<T>, { contractId }: PackRequest): ToolOutcome<T> {
  if (outcome.ok) return outcome;
  const isOfSizes = [outcome.code, outcome.details?.reason].includes("SIZE_UNSUPPORTED");
  const sizeIds = isOfSizes ? outcome.details?.sizeIds : undefined;
  const sizes = findContract(contractId)?.sizes;
  if (sizeIds === undefined || sizes === undefined) return outcome;
  const nearestSizes = Object.fromEntries(sizeIds.map((sizeId) => [sizeId, nearestSizeIds(sizeId, sizes)]));
  const named = Object.entries(nearestSizes).map(([sizeId, near]) => `\`${sizeId}\`: ${near.join(", ")}`);
  const message = `${outcome.message} Nearest sizes: ${named.join("; ")}.`;
  return { ...refuse("SIZE_UNSUPPORTED", message, { sizeIds }), nearestSizes };
}

import { type Outcome, refuse } from "#api/errors.ts";
import type { PackRequest } from "#api/schemas/job.ts";
import { findContract } from "#catalogue/contracts.ts";
import type { Size } from "#catalogue/types.ts";
import type { ToolOutcome } from "./tool-declaration.ts";

/** Sizes named for each one that does not exist. */
const NEAREST_SHOWN = 3;

/** Width and height in an invented id, as of `instagram-1080x1081`. */
function pixelsIn(sizeId: string): { readonly width: number; readonly height: number } | null {
  const found = /(\d{2,5})\D{1,3}(\d{2,5})/.exec(sizeId.slice(0, 64));
  return found === null ? null : { width: Number(found[1]), height: Number(found[2]) };
}

/** How far two sizes are apart: ratio first, then area; both in factors, so that they can be added. */
function distance(wanted: { readonly width: number; readonly height: number }, size: Size): number {
  const ratio = Math.abs(Math.log((wanted.width / wanted.height / size.width) * size.height));
  const area = Math.abs(Math.log((wanted.width * wanted.height) / (size.width * size.height)));
  return 2 * ratio + area;
}

/** Sizes whose group or name holds a word of the invented id, as `story` or `iab`. */
function sharedWords(sizeId: string, size: Size): number {
  const words =
    sizeId
      .toLowerCase()
      .slice(0, 64)
      .match(/[a-z]{3,}/g) ?? [];
  return words.filter((word) => size.sizeId.includes(word)).length;
}

/** The contract's sizes that come nearest to an id that it does not list; by pixels where the id names some. */
function nearestSizeIds(sizeId: string, sizes: readonly Size[]): string[] {
  const wanted = pixelsIn(sizeId);
  const rank = (size: Size) => (wanted === null ? 0 : distance(wanted, size)) - sharedWords(sizeId, size) / 4;
  return sizes
    .map((size) => ({ sizeId: size.sizeId, rank: rank(size) }))
    .sort((left, right) => left.rank - right.rank)
    .slice(0, NEAREST_SHOWN)
    .map((near) => near.sizeId);
}

/**
 * A refusal of invented sizes with the nearest ones of the contract beside each; any other outcome as it is. A preview
 * refuses with another code and names this one as its reason.
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

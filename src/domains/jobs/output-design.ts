import { findContract } from "#catalogue/contracts.ts";
import type { Variant } from "#catalogue/looks.ts";
import type { Size } from "#catalogue/types.ts";
import type { JobPlan, PackCopy, PackPlacements } from "./job.ts";

/** What one size of a plan is composed with: the pack's own design, and its override in the place of what it replaces. */
export interface OutputDesign {
  readonly copy: PackCopy;
  readonly placements: PackPlacements;
  readonly variant: Variant;
}

/** The design of a size. Texts are replaced one by one, an empty one takes the pack's away; placements slot by slot. */
export function designOf(
  plan: Pick<JobPlan, "copy" | "placements" | "variant" | "overrides">,
  sizeId: string,
): OutputDesign {
  const { copy, placements, variant }: Partial<OutputDesign> = plan.overrides[sizeId] ?? {};
  return {
    copy: Object.fromEntries(Object.entries({ ...plan.copy, ...copy }).filter(([, text]) => text !== "")),
    placements: { ...plan.placements, ...placements },
    variant: variant ?? plan.variant,
  };
}

/** The words of a plan's sizes, each set of them once. */
export function copiesOf(
  plan: Pick<JobPlan, "copy" | "placements" | "variant" | "overrides" | "selectedSizeIds">,
): readonly PackCopy[] {
  const hasShared = plan.selectedSizeIds.some((sizeId) => plan.overrides[sizeId]?.copy === undefined);
  const own = plan.selectedSizeIds
    .filter((sizeId) => plan.overrides[sizeId]?.copy !== undefined)
    .map((sizeId) => designOf(plan, sizeId).copy);
  return hasShared ? [plan.copy, ...own] : own;
}

/** The plan of one of its sizes alone, whose override has become the pack's own design. */
export const planOfSize = (plan: JobPlan, sizeId: string): JobPlan => ({
  ...plan,
  ...designOf(plan, sizeId),
  selectedSizeIds: [sizeId],
  overrides: {},
});

/** The catalogue's sizes of a plan, in its order. A plan that was accepted once names only sizes that stay. */
export function sizesOf(plan: Pick<JobPlan, "contractId" | "selectedSizeIds">): readonly Size[] {
  const byId = new Map(findContract(plan.contractId)?.sizes.map((size) => [size.sizeId, size]));
  return plan.selectedSizeIds.map((sizeId) => {
    const size = byId.get(sizeId);
    if (size === undefined) throw new Error(`the catalogue has lost the size ${sizeId}`);
    return size;
  });
}

/**
 * Sizes in the order in which they are drawn: the largest needs the most memory, and first all of it is free. What it frees
 * is enough for each of the others.
 */
export const largestFirst = (sizes: readonly Size[]): readonly Size[] =>
  [...sizes].sort((one, other) => areaOf(other) - areaOf(one));

const areaOf = ({ width, height }: Size): number => width * height;

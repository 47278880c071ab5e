import { LIMITS } from "#api/limits.ts";
import type { Motion } from "#catalogue/types.ts";
import type { JobPlan } from "./job.ts";

/**
 * The parts of a job: its outputs in the order of the request, so many to each. A part is what one message asks for; it is
 * leased, drawn and completed as one, so that a pack is drawn in parallel and written in few batches.
 */

type Cut = Pick<JobPlan, "motion" | "selectedSizeIds">;

/** Outputs of a part; its last one may have fewer. A job that is open must not be cut anew: only add motions here. */
export const outputsPerPart = (motion: Motion): number =>
  motion === "static" ? LIMITS.staticOutputsPerPart : LIMITS.animatedOutputsPerPart;

export const partCountOf = ({ motion, selectedSizeIds }: Cut): number =>
  Math.ceil(selectedSizeIds.length / outputsPerPart(motion));

/** The ids of a part's sizes, in the job's order. */
export function sizeIdsOfPart({ motion, selectedSizeIds }: Cut, part: number): readonly string[] {
  const perPart = outputsPerPart(motion);
  return selectedSizeIds.slice(part * perPart, (part + 1) * perPart);
}

/** The positions of outputs in all parts but these. */
export function positionsOutside(job: Cut, parts: readonly number[]): readonly number[] {
  const perPart = outputsPerPart(job.motion);
  return [...job.selectedSizeIds.keys()].filter(
    (position) => !parts.includes(Math.floor(position / perPart)),
  );
}

import type { Job, Schemas } from "creative-packs";
import type { Placement, Placements } from "creative-packs-service/renderer";
import { PICTURE_SLOT_IDS } from "creative-packs-service/slots";
import { type Draft, type DraftOverride, emptyDraft, type Files, TEXT_FIELDS } from "../draft/draft.ts";

/** The draft that a job was ordered with, but for files that are no longer to be had. */
export function draftFromJob(job: Job, files: Files): Draft {
  const { language = "", ...texts } = job.copy;
  return {
    files,
    texts: { ...emptyDraft.texts, ...texts },
    language,
    brand: job.brand,
    look: job.look,
    variant: job.variant,
    motion: job.motion,
    outputFormat: job.outputFormat,
    contractId: job.contractId,
    sizeIds: job.selectedSizeIds,
    placements: placementsOf(job.placements, files),
    overrides: Object.fromEntries(
      Object.entries(job.overrides ?? {}).map(([sizeId, own]) => [sizeId, overrideOf(own, files)]),
    ),
  };
}

function overrideOf(
  { copy = {}, placements = {}, variant }: Schemas.ShownOverride,
  files: Files,
): DraftOverride {
  const texts = Object.fromEntries(
    TEXT_FIELDS.flatMap((field) => {
      const text = copy[field];
      return text === undefined ? [] : [[field, text]];
    }),
  );
  return { texts, placements: placementsOf(placements, files), variant: variant ?? null };
}

/** Placements of the pictures that are there. */
function placementsOf(shown: Schemas.ShownPlacements, files: Files): Placements {
  return Object.fromEntries(
    PICTURE_SLOT_IDS.flatMap((slot) => {
      const placement = placementOf(shown[slot]);
      return placement === null || files[slot] === undefined ? [] : [[slot, placement]];
    }),
  );
}

function placementOf(shown: Schemas.ShownPlacement | undefined): Placement | null {
  if (shown?.focalPoint !== undefined) return { focalPoint: shown.focalPoint };
  return shown?.keep === undefined ? null : { keep: shown.keep };
}

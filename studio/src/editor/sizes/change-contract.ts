import type { Contract } from "creative-packs";
import { shareSizes } from "creative-packs-service/shared-sizes";
import type { Motion, OutputFormat, Size } from "creative-packs-service/size-types";
import type { Draft } from "../draft/draft.ts";

/** Formats that a contract offers for a motion. */
export const formatsOf = (contract: Contract, motion: Motion): readonly OutputFormat[] =>
  motion === "static" ? contract.staticFormats : contract.animatedFormats;

/** Sizes that are available in a format. HTML5 and video are available only for networks that accept them. */
export const sizesIn = (
  { sizes }: { readonly sizes: readonly Size[] },
  format: OutputFormat,
): readonly Size[] =>
  sizes.filter(({ banner, video }) =>
    format === "html5" ? banner !== undefined : format === "mp4" ? video !== undefined : true,
  );

/**
 * Changes the format or contract of a draft. Deselects sizes that are not available; if no size is left, chooses one
 * size of every image.
 */
export function withFormat(draft: Draft, contract: Contract, outputFormat: OutputFormat): Draft {
  const sizes = sizesIn(contract, outputFormat);
  const kept = sizes.filter(({ sizeId }) => draft.sizeIds.includes(sizeId));
  const chosen = kept.length > 0 ? kept : shareSizes(sizes, outputFormat).map(({ size }) => size);
  const { contractId } = contract;
  return { ...draft, contractId, outputFormat, sizeIds: chosen.map(({ sizeId }) => sizeId) };
}

/** Default format of each motion. */
const FIRST_FORMAT: Readonly<Record<Motion, OutputFormat>> = { static: "jpg", animated: "gif" };

/** Changes the motion of a draft, and its format if necessary. */
export function changeMotion(draft: Draft, contract: Contract, motion: Motion): Draft {
  const formats = formatsOf(contract, motion);
  const stays = formats.includes(draft.outputFormat);
  return { ...draft, motion, outputFormat: stays ? draft.outputFormat : FIRST_FORMAT[motion] };
}

import type { Contract } from "creative-packs";
import { shareSizes } from "creative-packs-service/shared-sizes";
import type { Motion, OutputFormat, Size } from "creative-packs-service/size-types";
import type { Draft } from "../draft/draft.ts";

/** The formats that a contract takes for a motion. */
export const formatsOf = (contract: Contract, motion: Motion): readonly OutputFormat[] =>
  motion === "static" ? contract.staticFormats : contract.animatedFormats;

/** The sizes that are made in a format: HTML5 and video are for networks that take them. */
export const sizesIn = (
  { sizes }: { readonly sizes: readonly Size[] },
  format: OutputFormat,
): readonly Size[] =>
  sizes.filter(({ banner, video }) =>
    format === "html5" ? banner !== undefined : format === "mp4" ? video !== undefined : true,
  );

/** The draft with another format or set of sizes. What cannot be made is deselected; where nothing is left, each image is chosen once. */
export function withFormat(draft: Draft, contract: Contract, outputFormat: OutputFormat): Draft {
  const sizes = sizesIn(contract, outputFormat);
  const kept = sizes.filter(({ sizeId }) => draft.sizeIds.includes(sizeId));
  const chosen = kept.length > 0 ? kept : shareSizes(sizes, outputFormat).map(({ size }) => size);
  const { contractId } = contract;
  return { ...draft, contractId, outputFormat, sizeIds: chosen.map(({ sizeId }) => sizeId) };
}

/** The formats that people mean when they name none. */
const FIRST_FORMAT: Readonly<Record<Motion, OutputFormat>> = { static: "jpg", animated: "gif" };

/** The draft with another motion, in a format that it has. */
export function changeMotion(draft: Draft, contract: Contract, motion: Motion): Draft {
  const formats = formatsOf(contract, motion);
  const stays = formats.includes(draft.outputFormat);
  return { ...draft, motion, outputFormat: stays ? draft.outputFormat : FIRST_FORMAT[motion] };
}

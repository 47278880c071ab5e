import type { Contract } from "creative-packs";
import type { Motion, OutputFormat } from "creative-packs-service/size-types";
import type { Draft } from "../draft/draft.ts";

/** The formats that a contract takes for a motion. */
export const formatsOf = (contract: Contract, motion: Motion): readonly OutputFormat[] =>
  motion === "static" ? contract.staticFormats : contract.animatedFormats;

/** The sizes that are made in a format: HTML5 and video are for networks that take them. */
export const sizesIn = ({ sizes }: Contract, format: OutputFormat): Contract["sizes"] =>
  sizes.filter(({ banner, video }) =>
    format === "html5" ? banner !== undefined : format === "mp4" ? video !== undefined : true,
  );

/** The draft with another format. Sizes that it cannot be made for are deselected; if none is left, all possible ones are selected. */
export function changeFormat(draft: Draft, contract: Contract, outputFormat: OutputFormat): Draft {
  const all = sizesIn(contract, outputFormat).map(({ sizeId }) => sizeId);
  const kept = draft.sizeIds.filter((sizeId) => all.includes(sizeId));
  return { ...draft, outputFormat, sizeIds: kept.length > 0 ? kept : all };
}

/** The draft with another set of sizes: those that both have stay chosen, and all of it where none would. */
export function changeContract(draft: Draft, contract: Contract): Draft {
  const formats = formatsOf(contract, draft.motion);
  const outputFormat = formats.includes(draft.outputFormat) ? draft.outputFormat : FIRST_FORMAT[draft.motion];
  const all = sizesIn(contract, outputFormat).map(({ sizeId }) => sizeId);
  const kept = all.filter((sizeId) => draft.sizeIds.includes(sizeId));
  return { ...draft, outputFormat, contractId: contract.contractId, sizeIds: kept.length > 0 ? kept : all };
}

/** The formats that people mean when they name none. */
const FIRST_FORMAT: Readonly<Record<Motion, OutputFormat>> = { static: "jpg", animated: "gif" };

/** The draft with another motion, in a format that it has. */
export function changeMotion(draft: Draft, contract: Contract, motion: Motion): Draft {
  const formats = formatsOf(contract, motion);
  const stays = formats.includes(draft.outputFormat);
  return { ...draft, motion, outputFormat: stays ? draft.outputFormat : FIRST_FORMAT[motion] };
}

import { SIZES } from "./sizes.ts";
import { SOURCES } from "./sources.ts";
import type { Contract, CopyField, Source } from "./types.ts";

const COPY_FIELDS: readonly CopyField[] = [
  { field: "headline", charactersMax: 90 },
  { field: "subheadline", charactersMax: 140 },
  { field: "cta", charactersMax: 28 },
  { field: "disclaimer", charactersMax: 200 },
];

const DISPLAY_GROUPS = ["iab", "gads", "amazon"];
const STORY_SIZE_IDS = [
  "meta-story-1080x1920",
  "meta-reel-1080x1920",
  "demand-gen-1080x1920",
  "tiktok-720x1280",
];

const contract = (contractId: string, title: string, sizes: Contract["sizes"]): Contract => ({
  contractId,
  title,
  sizes,
  staticFormats: ["png", "jpg", "webp"],
  animatedFormats: ["gif", "webp", "apng"],
  copyFields: COPY_FIELDS,
});

/** Released contracts. A changed rule is a new version beside the old one, never an edit. */
export const CONTRACTS: readonly Contract[] = [
  contract("campaign.v1", "Every size of the catalogue, for one campaign", SIZES),
  contract(
    "display.v1",
    "Display advertising: IAB, Google Ads and Amazon banners",
    SIZES.filter((size) => DISPLAY_GROUPS.includes(size.group)),
  ),
  contract(
    "social.v1",
    "Feeds, link shares, responsive ads, thumbnails and channel banners",
    SIZES.filter((size) => !DISPLAY_GROUPS.includes(size.group) && !STORY_SIZE_IDS.includes(size.sizeId)),
  ),
  contract(
    "story.v1",
    "Full-screen vertical placements",
    SIZES.filter((size) => STORY_SIZE_IDS.includes(size.sizeId)),
  ),
];

/** The contract of that id, or undefined. */
export const findContract = (contractId: string): Contract | undefined =>
  CONTRACTS.find((candidate) => candidate.contractId === contractId);

/** The sources of every figure in a contract's sizes, in the order of the source list. */
export function sourcesOf(contract: Contract): Source[] {
  const used = new Set(
    contract.sizes.flatMap((size) => [
      ...size.sourceIds,
      size.byteCapSourceId,
      size.safeAreaSourceId,
      size.borderSourceId,
      size.animation.durationSourceId,
      size.animation.framesPerSecondSourceId,
      size.animation.loopsSourceId,
      size.animation.framesSourceId,
      size.animation.backupSourceId,
    ]),
  );
  return SOURCES.filter((source) => used.has(source.sourceId));
}
/** The contracts, each without its sizes. */
export const listContracts = () =>
  CONTRACTS.map(({ contractId, title, sizes }) => ({
    contractId,
    title,
    sizeCount: sizes.length,
    groups: [...new Set(sizes.map((size) => size.group))],
  }));

import { SIZES, SIZES_V1, SIZES_V2 } from "./sizes.ts";
import { SOURCES } from "./sources.ts";
import type { Contract, CopyField, Size, Source } from "./types.ts";

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
  "snapchat-1080x1920",
  "pinterest-1080x1920",
];

const contract = (
  contractId: string,
  title: string,
  sizes: Contract["sizes"],
  animatedFormats: Contract["animatedFormats"] = ["gif", "webp", "apng"],
): Contract => ({
  contractId,
  title,
  sizes,
  staticFormats: ["png", "jpg", "webp"],
  animatedFormats,
  copyFields: COPY_FIELDS,
});

const CAMPAIGN = "Every size of the catalogue, for one campaign";
const DISPLAY = "Display advertising: IAB, Google Ads and Amazon banners";
const SOCIAL = "Feeds, link shares, responsive ads, thumbnails and channel banners";
const STORY = "Full-screen vertical placements";

const MOVING: Contract["animatedFormats"] = ["gif", "webp", "apng", "html5", "mp4"];

const isDisplay = ({ group }: Size): boolean => DISPLAY_GROUPS.includes(group);
const isStory = ({ sizeId }: Size): boolean => STORY_SIZE_IDS.includes(sizeId);
const isSocial = (size: Size): boolean => !isDisplay(size) && !isStory(size);

/**
 * Released contracts, newest versions first. A changed rule needs a new version; released versions never change.
 * Version 2 adds safe areas for YouTube Shorts and TikTok's left side, Snapchat and Pinterest's vertical Pins, and
 * `scale` 2. Version 3 adds HTML5 banners and MP4 videos; `social.v2` has the sizes of version 3.
 */
export const CONTRACTS: readonly Contract[] = [
  contract("campaign.v3", CAMPAIGN, SIZES, MOVING),
  contract("display.v3", DISPLAY, SIZES.filter(isDisplay), MOVING),
  contract("social.v2", SOCIAL, SIZES.filter(isSocial), MOVING),
  contract("story.v3", STORY, SIZES.filter(isStory), MOVING),
  contract("campaign.v2", CAMPAIGN, SIZES_V2),
  contract("display.v2", DISPLAY, SIZES_V2.filter(isDisplay)),
  contract("story.v2", STORY, SIZES_V2.filter(isStory)),
  contract("campaign.v1", CAMPAIGN, SIZES_V1),
  contract("display.v1", DISPLAY, SIZES_V1.filter(isDisplay)),
  contract("social.v1", SOCIAL, SIZES_V1.filter(isSocial)),
  contract("story.v1", STORY, SIZES_V1.filter(isStory)),
];

export const findContract = (contractId: string): Contract | undefined =>
  CONTRACTS.find((candidate) => candidate.contractId === contractId);

/** A contract as this origin offers it: without MP4 and video rules if MP4 output is off. */
export const offered = (contract: Contract, offersMp4: boolean): Contract =>
  offersMp4
    ? contract
    : {
        ...contract,
        sizes: contract.sizes.map(({ video: _, ...size }) => size),
        animatedFormats: contract.animatedFormats.filter((format) => format !== "mp4"),
      };

/** The sources of every figure in a contract's sizes, in the order of the source list. */
export function sourcesOf(contract: Contract): Source[] {
  const used = new Set(
    contract.sizes.flatMap((size) => [
      ...size.sourceIds,
      size.byteCapSourceId,
      size.safeAreaSourceId,
      size.borderSourceId,
      size.scale2SourceId,
      size.animation.durationSourceId,
      size.animation.framesPerSecondSourceId,
      size.animation.loopsSourceId,
      size.animation.framesSourceId,
      size.animation.backupSourceId,
      size.banner?.loadSourceId,
      size.banner?.filesSourceId,
      size.video?.sourceId,
    ]),
  );
  return SOURCES.filter((source) => used.has(source.sourceId));
}

/** A contract's id without its version. */
const nameOf = ({ contractId }: Contract): string => contractId.replace(/\.v\d+$/, "");

export const NEWEST_CONTRACTS: readonly Contract[] = CONTRACTS.filter(
  (contract, at) => CONTRACTS.findIndex((other) => nameOf(other) === nameOf(contract)) === at,
);

/** The contracts without their sizes. */
export const listContracts = () =>
  CONTRACTS.map(({ contractId, title, sizes }) => ({
    contractId,
    title,
    sizeCount: sizes.length,
    groups: [...new Set(sizes.map((size) => size.group))],
  }));

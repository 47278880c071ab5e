import type { WallSizeInfo } from "./tile-size.ts";

/** Where people meet a size: in a feed, over the whole screen, or on a page beside what they read. */
export type PlaceKind = "feed" | "story" | "page";

const DISPLAY_GROUPS = ["iab", "gads", "amazon"];
/** A picture this much higher than wide fills a phone. */
const STORY_ASPECT_MAX = 0.6;

export function placeOf({ group, width, height }: WallSizeInfo): PlaceKind {
  if (DISPLAY_GROUPS.includes(group)) return "page";
  return width / height <= STORY_ASPECT_MAX ? "story" : "feed";
}

/** Where a banner stands on a page. */
export type BannerPlace = "above" | "beside" | "within";

export function bannerPlaceOf({ width, height }: Pick<WallSizeInfo, "width" | "height">): BannerPlace {
  if (width / height >= 2.5) return "above";
  return height / width >= 1.5 ? "beside" : "within";
}

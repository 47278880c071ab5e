import type { BannerRule, VideoRule } from "./types.ts";

/**
 * Maximum number of files in a banner's first load, as the IAB defines it. Google allows 40, Campaign Manager 360
 * allows 100.
 */
const BANNER_FILES_MAX = 10;

/** Rule for banners whose first load is at most `loadBytesMax` bytes. */
export const bannerRule = (loadBytesMax: number, loadSourceId: string): BannerRule => ({
  loadBytesMax,
  loadSourceId,
  filesMax: BANNER_FILES_MAX,
  filesSourceId: "iab-2017",
});

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const MB = 1_000_000;

export const META_VIDEO: VideoRule = {
  durationMsMin: SECOND_MS,
  durationMsMax: 2 * MINUTE_MS,
  framesPerSecondMax: 30,
  bytesMax: 4_000 * MB,
  bitsPerSecondMin: null,
  sourceId: "meta-video-secondary",
};

export const REELS_VIDEO: VideoRule = {
  durationMsMin: 3 * SECOND_MS,
  durationMsMax: 90 * SECOND_MS,
  framesPerSecondMax: 60,
  bytesMax: 4_000 * MB,
  bitsPerSecondMin: null,
  sourceId: "meta-reels-api",
};

export const TIKTOK_VIDEO: VideoRule = {
  durationMsMin: 5 * SECOND_MS,
  durationMsMax: MINUTE_MS,
  framesPerSecondMax: 60,
  bytesMax: 500 * MB,
  bitsPerSecondMin: 516_000,
  sourceId: "tiktok-in-feed",
};

export const LINKEDIN_VIDEO: VideoRule = {
  durationMsMin: 3 * SECOND_MS,
  durationMsMax: 30 * MINUTE_MS,
  // LinkedIn requires fewer than 30 frames per second.
  framesPerSecondMax: 29,
  bytesMax: 200 * MB,
  // LinkedIn requires at least 75 KB per 6 s.
  bitsPerSecondMin: 100_000,
  sourceId: "linkedin-video",
};

export const SHORTS_VIDEO: VideoRule = {
  durationMsMin: SECOND_MS,
  durationMsMax: 3 * MINUTE_MS,
  framesPerSecondMax: 60,
  bytesMax: 256_000 * MB,
  bitsPerSecondMin: null,
  sourceId: "youtube-shorts",
};

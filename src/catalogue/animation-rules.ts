import type { AnimationRule } from "./types.ts";

/**
 * The house rule, for networks that publish no animation limits: at most 15 s in total, 4 frames per second and 3
 * plays. Every listed network accepts such an animation. The rule has its own source id.
 */
export const HOUSE_ANIMATION: AnimationRule = {
  durationMsMax: 15_000,
  durationSourceId: "house-safe-default",
  framesPerSecondMax: 4,
  framesPerSecondSourceId: "house-safe-default",
  loopsMax: 3,
  loopsSourceId: "house-safe-default",
  framesMax: null,
  framesSourceId: null,
  backupBytesMax: null,
  backupSourceId: null,
};

/**
 * Smooth motion for sizes that are neither banners nor Google's, because no network limits their frame rate. At 10
 * frames per second, each frame lasts a whole number of GIF's time units (0.01 s). One play has 31 frames; LinkedIn
 * allows 250 frames.
 */
export const smoothly = (rule: AnimationRule): AnimationRule => ({
  ...rule,
  framesPerSecondMax: 10,
  framesPerSecondSourceId: "house-smooth",
});

/** Banners ship with a small still for placements without motion. */
export const DISPLAY_ANIMATION: AnimationRule = {
  ...HOUSE_ANIMATION,
  backupBytesMax: 50_000,
  backupSourceId: "google-studio",
};

/** Google requires fewer than 5 frames per second, so at most 4. It allows loops, up to 30 s in total. */
export const GOOGLE_ADS_ANIMATION: AnimationRule = {
  ...DISPLAY_ANIMATION,
  durationMsMax: 30_000,
  durationSourceId: "google-ads-1722096",
  framesPerSecondMax: 4,
  framesPerSecondSourceId: "google-ads-1722096",
};

/** Amazon allows 15 s on its own pages and 30 s elsewhere. A file may run on both, so 15 s is the limit. */
export const AMAZON_ANIMATION: AnimationRule = {
  ...DISPLAY_ANIMATION,
  durationMsMax: 15_000,
  durationSourceId: "amazon-animation",
  loopsMax: 3,
  loopsSourceId: "amazon-animation",
};

export const LINKEDIN_ANIMATION: AnimationRule = {
  ...HOUSE_ANIMATION,
  framesMax: 250,
  framesSourceId: "linkedin-a426534",
};

import type { AnimationRule } from "./types.ts";

/**
 * Limits of motion by network. Where a network sets no figure the house rule stands in, and says so: at most
 * 15 s in all, 4 frames a second and 3 plays, which every network listed here takes.
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
 * Smooth motion for sizes that are neither banners nor Google's: no network there sets a frame rate. At 10 a second a frame lasts
 * whole hundredths of a second, GIF's unit, and a play has 31 frames; LinkedIn takes 250.
 */
export const smoothly = (rule: AnimationRule): AnimationRule => ({
  ...rule,
  framesPerSecondMax: 10,
  framesPerSecondSourceId: "house-smooth",
});

/** Banners ship with a light still for places where motion does not run. */
export const DISPLAY_ANIMATION: AnimationRule = {
  ...HOUSE_ANIMATION,
  backupBytesMax: 50_000,
  backupSourceId: "google-studio",
};

/** Google asks for fewer than 5 frames a second; 4 is the most that a whole number allows. It may loop, but not beyond 30 s. */
export const GOOGLE_ADS_ANIMATION: AnimationRule = {
  ...DISPLAY_ANIMATION,
  durationMsMax: 30_000,
  durationSourceId: "google-ads-1722096",
  framesPerSecondMax: 4,
  framesPerSecondSourceId: "google-ads-1722096",
};

/** Amazon takes 30 s off its own pages and 15 s on them; a file may run on both. */
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

import { failure, type RenderFailure } from "../types.ts";

/** Qualities and sizes of the encoders, each with its reason. */

/** Higher qualities cost bytes without a visible difference at 1:1 on a dense screen. */
export const JPEG_QUALITY_PREFERRED = 85;
export const WEBP_QUALITY_PREFERRED = 82;

/** Lowest acceptable qualities. Below them, blocks and ringing around text are visible at arm's length. */
export const JPEG_QUALITY_MIN = 40;
export const WEBP_QUALITY_MIN = 35;

/** From this quality on, colour keeps full resolution if the picture has coloured edges. */
export const FULL_CHROMA_QUALITY_MIN = 65;

/**
 * If the cap is at least this share of a truecolour PNG's bytes, the PNG is deflated again more slowly, which saves up
 * to an eighth.
 */
export const SMALL_TRUECOLOUR_SHARE_MIN = 0.875;

/** Palette sizes tried in turn under a byte cap. Fewer than 32 colours posterise a photograph. */
export const PALETTE_SIZES = [256, 128, 64, 32] as const;

/** PSNR of 3 × 3 means, in decibels, above which a dithered palette looks the same as its picture. */
export const SAME_LOOK_PSNR_DB = 44;

/** Longest edge written; WebP's own limit is 16383. */
export const EDGE_PX_MAX = 8192;

/** Maximum frames of an animation: 15 seconds, the longest that a network accepts, at 30 frames a second. */
export const FRAMES_MAX = 450;
/** Fewer frames than this look like a slide show, so the animation fails instead. */
export const FRAMES_MIN = 4;

/** Colours of an animation's palette, tried in turn; one of the 256 indices means "unchanged". */
export const ANIMATION_PALETTE_SIZES = [255, 127, 63, 31] as const;

/** Maximum number of frames whose colours are counted for the shared palette. */
export const PALETTE_FRAMES_MAX = 12;

/** An animated WebP may have lower quality than a still, because a frame is seen for a fraction of a second. */
export const ANIMATED_WEBP_QUALITY_PREFERRED = 78;
export const ANIMATED_WEBP_QUALITY_MIN = 25;

/** Maximum pixels of all frames together in a truecolour APNG; larger ones take tens of megabytes. */
export const TRUECOLOUR_ANIMATION_PX_MAX = 4_000_000;

/**
 * Maximum bytes of an animation or video without a published cap, because the whole file is in memory. Photographs take
 * up to 4.4 MB as a video; noise that moves over all of 1080 × 1920 would take 70 MB.
 */
export const ANIMATION_BYTES_MAX = 12 * 1024 * 1024;

/**
 * Maximum pixels encoded for one animation in all attempts together. The first attempt always runs. A pixel of noise
 * takes 0.2 µs of CPU time in the slowest format, so attempts end after about 6 s. The three credits that an animation
 * costs pay for 12 s of CPU time.
 */
export const ANIMATION_WORK_PX_MAX = 30_000_000;

/**
 * The failure when the smallest acceptable file is over the cap. `actual`: its bytes; null if no attempt was written to
 * its end.
 */
export function byteCapUnreachable(actual: number | null, allowed: number, format: string): RenderFailure {
  const taken = actual === null ? "more" : `${actual} bytes`;
  return failure(
    "BYTE_CAP_UNREACHABLE",
    `At the lowest acceptable quality the ${format} takes ${taken}, and the size allows ${allowed}. Use a calmer picture or another format.`,
  );
}

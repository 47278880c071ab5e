/** Qualities and sizes of the encoders, each with its reason. */

/** Where more bytes stop to show at 1:1 on a dense screen. */
export const JPEG_QUALITY_PREFERRED = 85;
export const WEBP_QUALITY_PREFERRED = 82;

/** Under these, blocks and ringing around text show at arm's length; such a file fails instead. */
export const JPEG_QUALITY_MIN = 40;
export const WEBP_QUALITY_MIN = 35;

/** From here up colour is kept at full resolution where the picture has coloured edges. */
export const FULL_CHROMA_QUALITY_MIN = 65;

/** Palettes tried in turn under a byte cap. Fewer than 32 colours turn a photograph into a poster. */
export const PALETTE_SIZES = [256, 128, 64, 32] as const;

/** Above this, in decibels over 3 × 3 means, a dithered palette looks the same as the picture it stands for. */
export const SAME_LOOK_DECIBELS = 44;

/** Longest edge written; WebP's own limit is 16383. */
export const EDGE_PX_MAX = 8192;

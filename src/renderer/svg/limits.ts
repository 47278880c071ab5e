/** Limits of SVG files, each with its reason. A logo as exported by a drawing program stays far under all of them. */

/** Bytes of a file. Larger ones are traced bitmaps. */
export const BYTES_MAX = 2 * 1024 * 1024;

/** Elements in the file, and depth at which they stand. */
export const ELEMENTS_MAX = 10_000;
export const DEPTH_MAX = 64;
export const ATTRIBUTES_MAX = 64;

/** Rules and selectors of style sheets; every rule is tried on every element. */
export const STYLE_RULES_MAX = 512;

/** Elements drawn once every reference is followed; ten nested uses of ten would be 10^10. */
export const DRAWN_ELEMENTS_MAX = 20_000;

/** Offscreen layers (opacity, masks, clips, filters, patterns), each as large as the canvas: all, and inside one another. */
export const LAYERS_MAX = 400;
export const LAYER_DEPTH_MAX = 12;

/** Filters applied; a blur costs the canvas several times over. */
export const FILTERS_MAX = 8;

/** Blur radius against the picture's longer side. */
export const BLUR_SHARE_MAX = 0.1;

/** Dashes that one stroke may fall into. */
export const DASHES_MAX = 20_000;

/** Members of one dash array. */
export const DASH_MEMBERS_MAX = 32;

/** Primitives of one filter: each keeps what it drew until the filter ends. */
export const FILTER_PRIMITIVES_MAX = 24;

/** Classes in one selector, and on one element. */
export const CLASSES_MAX = 32;

/** Coordinates drawn, every reference followed: 500,000 are a second's work. */
export const COORDINATES_MAX = 300_000;

/** Coordinates stroked, ends of dashes included, in all and in one outline: each takes about a kilobyte and 8 µs. */
export const STROKED_COORDINATES_MAX = 60_000;
export const STROKED_COORDINATES_PER_OUTLINE_MAX = 40_000;

/** Pixels filled, every pass over the canvas counted: about half a second's work on a slow core. */
export const PIXEL_PASSES_MAX = 60_000_000;

/** Pixels of all canvases held at once: 48 MB. */
export const HELD_PX_MAX = 12_582_912;

/** A picture that has to be drawn smaller than this to stay within those is refused. */
export const AFFORDABLE_PX_MIN = 40_000;

/** Sides in user units; outside of it numbers lose their places or overflow. */
export const SIDE_MIN = 1e-6;
export const SIDE_MAX = 1e9;

/** Picture sides relative to one another. */
export const ASPECT_MAX = 100;

/** Pixels of a drawn picture: 16 MB. */
export const DRAWN_PX_MAX = 4_194_304;

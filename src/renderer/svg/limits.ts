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

/** Picture sides relative to one another. */
export const ASPECT_MAX = 100;

/** Pixels of a drawn picture: 16 MB. */
export const DRAWN_PX_MAX = 4_194_304;

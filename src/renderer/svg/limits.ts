/** Limits of SVG files, each with its reason. A logo as exported by a drawing program stays far under all of them. */

/** Bytes of a file. Larger ones are traced bitmaps. */
export const BYTES_MAX = 2 * 1024 * 1024;

/** Elements in the file, and depth at which they stand. */
export const ELEMENTS_MAX = 10_000;
export const DEPTH_MAX = 64;
export const ATTRIBUTES_MAX = 64;

/** Entities declared, and characters of one's name and text: Illustrator declares a dozen namespaces or some styles. */
export const ENTITIES_MAX = 256;
export const ENTITY_NAME_MAX = 64;
export const ENTITY_VALUE_MAX = 1_024;

/** Characters that all references to entities come to: half the largest file. */
export const EXPANDED_CHARACTERS_MAX = 1_048_576;

/** Selectors of all style sheets, each kept with what it declares. Drawing programs write some dozens. */
export const SELECTORS_MAX = 512;

/** Selectors of several parts (`path.a`), each tried on every element; drawing programs write none or a few. */
export const COMPOUND_SELECTORS_MAX = 64;

/** Characters of one selector, and of one property's value: a dash array of 32 lengths takes some 600. */
export const SELECTOR_CHARACTERS_MAX = 256;
export const VALUE_CHARACTERS_MAX = 1_024;

/** Characters that are written for the rasteriser: twice the largest file, for what sheets add to every element. */
export const WRITTEN_CHARACTERS_MAX = 4 * 1024 * 1024;

/** Elements drawn once every reference is followed; ten nested uses of ten would be 10^10. */
export const DRAWN_ELEMENTS_MAX = 20_000;

/** Characters read by the rasteriser once every reference is followed: it reads an element again for every use. */
export const DRAWN_CHARACTERS_MAX = 8 * 1024 * 1024;

/** Elements inside one another once every reference is followed. The rasteriser's stack overflows past 512. */
export const DRAWN_DEPTH_MAX = 128;

/**
 * Steps (steps.ts) that reading a file may take: so many a byte, and so many whatever its size for what a few bytes
 * may ask for (20,000 elements drawn, 64 compound selectors on each of 10,000 elements). The most that a file of the
 * corpus takes is about half; all of them together are less than a second.
 */
export const STEPS_PER_BYTE = 40;
export const STEPS_BASE = 4_000_000;

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

/**
 * Edges filled, in sides of the picture, a stroke's counted five times: 6,000 are half a second's work at the largest
 * size. 10,000 points strewn over a picture and stroked, far within the bounds above, took 2 s; 14,000 took 6. The outlines
 * of a traced bitmap run across it some hundred times.
 */
export const EDGE_SIDES_MAX = 6_000;

/** Pixels filled, every pass over the canvas counted: about half a second's work on a slow core. */
export const PIXEL_PASSES_MAX = 60_000_000;

/** Pixels of all canvases held at once: 48 MB. */
export const HELD_PX_MAX = 12_582_912;

/** A picture that has to be drawn smaller than this to stay within those is refused. */
export const PIXEL_BUDGET_MIN = 40_000;

/** Sides in user units; outside of it numbers lose their places or overflow. */
export const SIDE_MIN = 1e-6;
export const SIDE_MAX = 1e9;

/** Picture sides relative to one another. */
export const ASPECT_MAX = 100;

/** Pixels of a drawn picture: 16 MB. */
export const DRAWN_PX_MAX = 4_194_304;

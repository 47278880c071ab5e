/** Limits of SVG files, each with its reason. A logo from a drawing program stays far under all of them. */

/** Bytes of a file. Larger files are traced bitmaps. */
export const BYTES_MAX = 2 * 1024 * 1024;

/** Elements in the file, their nesting depth, and attributes of one element. */
export const ELEMENTS_MAX = 10_000;
export const DEPTH_MAX = 64;
export const ATTRIBUTES_MAX = 64;

/** Entities, and characters of an entity's name and value: Illustrator declares a dozen namespaces or some styles. */
export const ENTITIES_MAX = 256;
export const ENTITY_NAME_MAX = 64;
export const ENTITY_VALUE_MAX = 1_024;

/** Characters that all entity references may expand to: half the largest file. */
export const EXPANDED_CHARACTERS_MAX = 1_048_576;

/** Selectors of all style sheets; each is stored with its declarations. Drawing programs write some dozens. */
export const SELECTORS_MAX = 512;

/** Selectors of several parts (`path.a`), each tried on every element; drawing programs write none or a few. */
export const COMPOUND_SELECTORS_MAX = 64;

/** Characters of one selector, and of one property's value: a dash array of 32 lengths takes some 600. */
export const SELECTOR_CHARACTERS_MAX = 256;
export const VALUE_CHARACTERS_MAX = 1_024;

/** Characters written for the rasteriser: twice the largest file, because style sheets add to every element. */
export const WRITTEN_CHARACTERS_MAX = 4 * 1024 * 1024;

/** Elements drawn after following every reference; ten nested uses of ten would be 10^10. */
export const DRAWN_ELEMENTS_MAX = 20_000;

/** Characters read by the rasteriser after following every reference: it reads an element again for every use. */
export const DRAWN_CHARACTERS_MAX = 8 * 1024 * 1024;

/** Nesting after following every reference. The rasteriser's stack overflows past 512. */
export const DRAWN_DEPTH_MAX = 128;

/**
 * Steps (`WorkBudget`) for reading a file: a number per byte, plus a base, because a small file can cause much work
 * (20,000 elements drawn, 64 compound selectors on each of 10,000 elements). The files of test/corpus take at most
 * about half. The whole budget of the largest file is less than a second of work.
 */
export const STEPS_PER_BYTE = 40;
export const STEPS_BASE = 4_000_000;

/** Offscreen layers (opacity, masks, clips, filters, patterns), each as large as the canvas: in total, and nested. */
export const LAYERS_MAX = 400;
export const LAYER_DEPTH_MAX = 12;

/**
 * Blur deviation, as a share of the picture's longer side: logos have up to a fifth. A blur's work is proportional to
 * its area.
 */
export const BLUR_SHARE_MAX = 0.5;

/** Dashes of one stroke. */
export const DASHES_MAX = 20_000;

/** Members of one dash array. */
export const DASH_MEMBERS_MAX = 32;

/** Primitives of one filter: the result of each is kept until the filter ends. */
export const FILTER_PRIMITIVES_MAX = 24;

/** Classes in one selector, and on one element. */
export const CLASSES_MAX = 32;

/** Coordinates drawn after following all references: 500,000 take about a second. */
export const COORDINATES_MAX = 300_000;

/** Coordinates stroked, ends of dashes included, in total and in one outline: each takes about a kilobyte and 8 µs. */
export const STROKED_COORDINATES_MAX = 60_000;
export const STROKED_COORDINATES_PER_OUTLINE_MAX = 40_000;

/**
 * Length of the filled edges, in sides of the picture; a stroke's edges count five times. 6,000 take half a second at
 * the largest size. 10,000 points scattered over a picture and stroked, far within the limits above, took 2 s; 14,000
 * took 6 s. The outlines of a traced bitmap cross the picture some hundred times.
 */
export const EDGE_SIDES_MAX = 6_000;

/** Pixels filled in all passes over the canvas: about half a second on a slow core. */
export const PIXEL_PASSES_MAX = 60_000_000;

/** Pixels of all canvases in memory at once: 48 MB. */
export const CANVASES_PX_MAX = 12_582_912;

/** A picture is rejected if the two limits above would allow it fewer pixels than this. */
export const PIXEL_BUDGET_MIN = 40_000;

/** Limits of a side in user units. Beyond them, numbers lose precision or overflow. */
export const SIDE_MIN = 1e-6;
export const SIDE_MAX = 1e9;

/** The longer side divided by the shorter. */
export const ASPECT_MAX = 100;

/** Pixels of a drawn picture: 16 MB. */
export const DRAWN_PX_MAX = 4_194_304;

/** Why an SVG is rejected. The codes are those of `inspect`. */
export interface SvgRefusal {
  readonly ok: false;
  readonly code:
    | "NOT_WHAT_IT_CLAIMS"
    | "TRUNCATED"
    | "UNSUPPORTED"
    | "TOO_LARGE"
    | "FORBIDDEN_CONTENT"
    | "EMPTY";
  readonly message: string;
}

export function refuse(code: SvgRefusal["code"], message: string): SvgRefusal {
  return { ok: false, code, message };
}

export const tooLarge = (message: string): SvgRefusal => refuse("TOO_LARGE", message);
export const forbidden = (message: string): SvgRefusal => refuse("FORBIDDEN_CONTENT", message);
export const unsupported = (message: string): SvgRefusal => refuse("UNSUPPORTED", message);

/**
 * Counts the steps of reading one SVG and stops at a limit. A step is a character read (each time it is read), an
 * element visited, or a rule tried. The count is the same on every machine, and time is proportional to it.
 */
export class WorkBudget {
  readonly max: number;
  taken = 0;

  constructor(max: number) {
    this.max = max;
  }

  /** Throws WorkBudgetExceeded past the limit, from any depth; `sanitiseSvg` catches it. */
  take(count = 1): void {
    this.taken += count;
    if (this.taken > this.max) throw new WorkBudgetExceeded();
  }
}

export class WorkBudgetExceeded extends Error {
  override readonly name = "WorkBudgetExceeded";
}

/** The budget of a file of this many bytes. */
export const workBudgetFor = (byteLength: number): WorkBudget =>
  new WorkBudget(STEPS_BASE + STEPS_PER_BYTE * byteLength);

import { dominantColours } from "../colour/dominant-colours.ts";
import { toHex } from "../colour/srgb.ts";
import type { Pyramid } from "../raster/pyramid.ts";
import type { Face, VisualSlot } from "../types.ts";
import { thumbnailOf } from "./load-picture.ts";
import type { Sources } from "./load-sources.ts";

/** One of a picture's main colours. */
interface PictureColour {
  /** `#rrggbb`. */
  readonly colour: string;
  /** The colour's fraction of the visible pixels, 0..1. */
  readonly share: number;
}

/** Facts read from a picture when it was decoded. */
export interface PictureFacts {
  /** Upright size in pixels: of a picture's source, or of a logo as decoded. */
  readonly width: number;
  readonly height: number;
  /** Whether the picture has a transparent background. */
  readonly isCutOut: boolean;
  readonly isVector: boolean;
  readonly faces: readonly Face[];
  /** Most common first, at most 8. */
  readonly colours: readonly PictureColour[];
  /** Centre of the salient area, in fractions 0..1. */
  readonly focalPoint: { readonly x: number; readonly y: number };
}

/** The facts of each of a pack's pictures. */
export function factsOf({ pictures, logo }: Sources): ReadonlyMap<VisualSlot, PictureFacts> {
  const facts = new Map<VisualSlot, PictureFacts>();
  for (const [slot, { loaded }] of pictures) {
    const { pyramid, sourceWidth: width, sourceHeight: height, isCutOut, faces, focalPoint } = loaded.picture;
    const { x, y } = focalPoint;
    const colours = coloursOf(pyramid);
    facts.set(slot, { width, height, isCutOut, isVector: false, faces, colours, focalPoint: { x, y } });
  }
  if (logo === null) return facts;
  const { pyramid, isCutOut, isVector } = logo.loaded.logo;
  const { width, height } = pyramid.base;
  const focalPoint = { x: 0.5, y: 0.5 };
  return facts.set("logo", {
    width,
    height,
    isCutOut,
    isVector,
    faces: [],
    colours: coloursOf(pyramid),
    focalPoint,
  });
}

const coloursOf = (pyramid: Pyramid): readonly PictureColour[] =>
  dominantColours(thumbnailOf(pyramid)).map(({ colour, share }) => ({
    colour: toHex(colour),
    share,
  }));

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { AssetBytes, Box } from "#renderer/index.ts";

/** Skin tone as judged by eye in the picture. */
const SKIN_TONES = ["light", "medium", "dark"] as const;
export type SkinTone = (typeof SKIN_TONES)[number];

/** Properties that make a face hard to find. */
const TRAITS = [
  ...(["beard", "black and white", "blurred", "covered", "cropped", "glasses", "hat"] as const),
  ...(["headscarf", "looking down", "low light", "profile", "tilted"] as const),
];

/** A face marked by hand. */
export interface MarkedFace {
  /**
   * From the hairline to the chin and from ear to ear, in pixels of the upright picture; in profile, from the ear to
   * the nose.
   */
  readonly box: Box;
  /** Null for a drawn face or a doll's. */
  readonly skin: SkinTone | null;
  readonly traits: readonly string[];
  /**
   * The face is hardly recognisable or drawn, so finding or missing it does not count. Text may lie on a drawn face; on
   * other optional faces only as listed in known-damage.ts.
   */
  readonly isOptional: boolean;
}

/** A picture from a package, with all its faces. */
export interface MarkedPicture {
  /** Path from the repository's root. */
  readonly path: string;
  /** Size in pixels of the upright picture. */
  readonly width: number;
  readonly height: number;
  readonly faces: readonly MarkedFace[];
}

const FOLDER = join(import.meta.dirname, "pictures");
const ROOT = join(import.meta.dirname, "../..");
/** Minimum height of a required face, relative to the picture's short edge. */
const SHORT_EDGE_SHARE_MIN = 0.05;

const pixels = z.number().int().min(0);
/** A file of marks: boxes are x, y, width and height. A face without a skin tone is drawn, or a doll's. */
const marksSchema = z.strictObject({
  root: z.string(),
  pictures: z.array(
    z.strictObject({
      path: z.string(),
      size: z.tuple([pixels, pixels]),
      faces: z.array(
        z.strictObject({
          box: z.tuple([pixels, pixels, pixels, pixels]),
          skin: z.enum(SKIN_TONES).optional(),
          traits: z.array(z.enum(TRAITS)).default([]),
          difficult: z.literal(true).optional(),
        }),
      ),
    }),
  ),
});

export const PICTURES: readonly MarkedPicture[] = readdirSync(FOLDER).flatMap((file) => {
  const { root, pictures } = marksSchema.parse(JSON.parse(readFileSync(join(FOLDER, file), "utf8")));
  return pictures.map(({ path, size: [width, height], faces }) => ({
    path: `${root}/${path}`,
    width,
    height,
    faces: faces.map(({ box: [x, y, width, height], skin = null, traits, difficult = false }) => ({
      box: { x, y, width, height },
      skin,
      traits,
      isOptional: difficult || skin === null,
    })),
  }));
});

/** Whether a face must be found: neither optional nor lower than 5 % of the picture's short edge. */
export const mustBeFound = ({ width, height }: MarkedPicture, { box, isOptional }: MarkedFace): boolean =>
  !isOptional && box.height >= SHORT_EDGE_SHARE_MIN * Math.min(width, height);

/** The picture's bytes, from its package. */
export function assetOf({ path }: MarkedPicture): AssetBytes {
  const bytes = Uint8Array.from(readFileSync(join(ROOT, path)));
  return { bytes, mimeType: path.toLowerCase().endsWith(".png") ? "image/png" : "image/jpeg" };
}

/** The marked picture whose path ends with this text. Throws unless there is exactly one. */
export function pictureNamed(ending: string): MarkedPicture {
  const named = PICTURES.filter(({ path }) => path.endsWith(`/${ending}`));
  const [picture] = named;
  if (picture === undefined || named.length > 1) throw new Error(`${named.length} pictures end in ${ending}`);
  return picture;
}

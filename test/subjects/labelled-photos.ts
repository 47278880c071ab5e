import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { AssetBytes, Box } from "#renderer/index.ts";

/** Kinds of subjects. */
const KINDS = [
  "product",
  "device",
  "food",
  "vehicle",
  "sport",
  "person",
  "group",
  "figure",
  "nature",
  "building",
  "interior",
  "landscape",
  "pattern",
  "flatlay",
] as const;
export type PhotoKind = (typeof KINDS)[number];

/** The `tune` half was used to choose the detector's constants. Figures are reported on the `test` half. */
export type Half = "tune" | "test";

/** A hand-labelled photo of a package or of samples/. */
export interface LabelledPhoto {
  /** Path from the repository's root. */
  readonly path: string;
  readonly kind: PhotoKind;
  /** Box of the main subject, in fractions 0..1 of the upright picture; null without a single subject. */
  readonly box: Box | null;
  /** Whether people would disagree about the label. Such a photo never counts. */
  readonly isUncertain: boolean;
  readonly half: Half;
}

const FOLDER = join(import.meta.dirname, "photos");
const ROOT = join(import.meta.dirname, "../..");

const percent = z.number().int().min(0).max(100);
/** A file of labels: boxes are left, top, right and bottom in percent. */
const labelsSchema = z.strictObject({
  root: z.string(),
  photos: z.array(
    z.strictObject({
      path: z.string(),
      kind: z.enum(KINDS),
      box: z.tuple([percent, percent, percent, percent]).nullable(),
      uncertain: z.literal(true).optional(),
    }),
  ),
});

export const PHOTOS: readonly LabelledPhoto[] = readdirSync(FOLDER)
  .sort()
  .flatMap((file) => {
    const { root, photos } = labelsSchema.parse(JSON.parse(readFileSync(join(FOLDER, file), "utf8")));
    return photos.map(({ path, kind, box, uncertain = false }) => ({
      path: `${root}/${path}`,
      kind,
      box: box && boxBetween(...box),
      isUncertain: uncertain,
      half: halfOf(`${root}/${path}`),
    }));
  });

/** Photos with one undisputed main subject. */
export const WITH_SUBJECT = PHOTOS.flatMap((photo) =>
  photo.box === null || photo.isUncertain ? [] : [{ ...photo, box: photo.box }],
);

export function assetOf({ path }: Pick<LabelledPhoto, "path">): AssetBytes {
  return { bytes: Uint8Array.from(readFileSync(join(ROOT, path))), mimeType: "image/jpeg" };
}

function boxBetween(left: number, top: number, right: number, bottom: number): Box {
  return { x: left / 100, y: top / 100, width: (right - left) / 100, height: (bottom - top) / 100 };
}

/** The half of a photo, by its path's hash, so that the halves are random. */
function halfOf(path: string): Half {
  return (createHash("sha256").update(path).digest()[0] ?? 0) % 2 === 0 ? "tune" : "test";
}

import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sharp } from "sharp";
import { paintPhotograph, type Surface } from "./photograph.ts";

/** Increase this number when a recipe below changes, so that older files are not reused. */
const RECIPES_VERSION = 1;

interface Recipe {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly surface: Surface;
  readonly mimeType: "image/jpeg" | "image/png" | "image/webp";
  readonly write: (picture: Sharp) => Sharp;
}

const of12 = { width: 4000, height: 3000 } as const;
const of48 = { width: 8000, height: 6000 } as const;
const jpeg = "image/jpeg";
const png = "image/png";
const webp = "image/webp";

/**
 * The measured files. The files of 48 megapixels are as large as their format allows below the upload limit of 25 MiB.
 * Lossy WebP cannot be encoded at a higher quality in this size. PNG and lossless WebP stay below the limit only with
 * the `soft` photograph.
 */
const RECIPES = {
  "12mp-jpeg": {
    title: "12 MP JPEG",
    ...of12,
    surface: "sharp",
    mimeType: jpeg,
    write: (picture) => picture.jpeg({ quality: 90 }),
  },
  "12mp-jpeg-p3": {
    title: "12 MP JPEG, Display P3",
    ...of12,
    surface: "sharp",
    mimeType: jpeg,
    write: (picture) => picture.withIccProfile("p3").jpeg({ quality: 90 }),
  },
  "12mp-jpeg-cmyk": {
    title: "12 MP JPEG, CMYK",
    ...of12,
    surface: "sharp",
    mimeType: jpeg,
    write: (picture) => picture.toColourspace("cmyk").withIccProfile("cmyk").jpeg({ quality: 90 }),
  },
  "12mp-png": {
    title: "12 MP PNG",
    ...of12,
    surface: "soft",
    mimeType: png,
    write: (picture) => picture.png({ compressionLevel: 6, adaptiveFiltering: true }),
  },
  "12mp-webp": {
    title: "12 MP WebP",
    ...of12,
    surface: "sharp",
    mimeType: webp,
    write: (picture) => picture.webp({ quality: 85, effort: 2 }),
  },
  "48mp-jpeg": {
    title: "48 MP JPEG, baseline",
    ...of48,
    surface: "sharp",
    mimeType: jpeg,
    write: (picture) => picture.jpeg({ quality: 94 }),
  },
  "48mp-jpeg-progressive": {
    title: "48 MP JPEG, progressive",
    ...of48,
    surface: "sharp",
    mimeType: jpeg,
    write: (picture) => picture.jpeg({ quality: 94, progressive: true }),
  },
  "48mp-png": {
    title: "48 MP PNG",
    ...of48,
    surface: "soft",
    mimeType: png,
    write: (picture) => picture.png({ compressionLevel: 6, adaptiveFiltering: true }),
  },
  "48mp-webp": {
    title: "48 MP WebP, lossy",
    ...of48,
    surface: "sharp",
    mimeType: webp,
    write: (picture) => picture.webp({ quality: 75, effort: 0 }),
  },
  "48mp-webp-lossless": {
    title: "48 MP WebP, lossless",
    ...of48,
    surface: "soft",
    mimeType: webp,
    write: (picture) => picture.webp({ lossless: true, effort: 0 }),
  },
  "tiny-jpeg": {
    title: "0.3 MP JPEG",
    width: 640,
    height: 480,
    surface: "soft",
    mimeType: jpeg,
    write: (picture) => picture.jpeg({ quality: 90 }),
  },
} as const satisfies Readonly<Record<string, Recipe>>;

export type PictureName = keyof typeof RECIPES;

export interface Picture {
  readonly name: PictureName;
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly mimeType: Recipe["mimeType"];
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Path of the file, for processes that read it themselves. */
  readonly path: string;
}

/** Creates an image the first time it is needed on this machine, and keeps it in the temp folder. */
export interface Pictures {
  readonly open: (name: PictureName) => Promise<Picture>;
}

const folder = join(tmpdir(), "creative-packs-bench", `pictures-${RECIPES_VERSION}`);

export function createPictures(progress: (sentence: string) => void): Pictures {
  // Successive recipes of the same size share one painted image, because 48 megapixels take 140 MB and several seconds.
  let painted: { readonly key: string; readonly picture: Sharp } | null = null;
  const paint = async ({ width, height, surface }: Recipe): Promise<Sharp> => {
    const key = `${width} ${height} ${surface}`;
    if (painted?.key !== key) {
      painted = null;
      painted = { key, picture: await paintPhotograph(width, height, surface) };
    }
    return painted.picture.clone();
  };
  return {
    open: async (name) => {
      const recipe: Recipe = RECIPES[name];
      const path = join(folder, name);
      if (!existsSync(path)) {
        progress(`making the ${recipe.title} (once on this machine)`);
        await mkdir(folder, { recursive: true });
        await writeFile(`${path}.part`, await recipe.write(await paint(recipe)).toBuffer());
        await rename(`${path}.part`, path);
      }
      const { title, width, height, mimeType } = recipe;
      const bytes = Uint8Array.from(await readFile(path));
      return { name, title, width, height, mimeType, bytes, path };
    },
  };
}

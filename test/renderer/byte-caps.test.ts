import { describe, expect, it } from "vitest";
import { SIZES } from "../../src/contract/catalogue/sizes.ts";
import type { OutputFormat, Size } from "../../src/contract/catalogue/types.ts";
import type { Family, OutputRequest, PackInputs } from "../../src/renderer/index.ts";
import { hardPhotos, PHOTO_SEED, staticPicture } from "../support/hard-photos.ts";
import { inputsOf, renderer, sampleAsset, withPack } from "../support/renderer.ts";

/**
 * Every display size in every family keeps its cap. Whole: BYTE_CAPS=whole, with `npm run test:bytes`. Else each size
 * takes its turn in one family and one format.
 */
const IS_WHOLE = process.env.BYTE_CAPS === "whole";

const STILLS: readonly OutputFormat[] = ["png", "jpg", "webp"];
const ANIMATIONS: readonly OutputFormat[] = ["gif", "webp", "apng"];
/** What an animated banner may weigh even where a still may be larger: the strictest network's cap. */
const ANIMATED_BANNER_BYTES_MAX = 150_000;

const COPY = {
  headline: "Light enough to carry the whole summer",
  subheadline: "A body oil pressed from wild seeds.",
  cta: "Shop now",
  disclaimer: "While stocks last. Terms apply.",
};

const photos = await hardPhotos();
const logo = await sampleAsset("logo.svg");
const figure = await sampleAsset("figure.png");

/** A family with the photo where it weighs most. A brand pack has none. */
const ASSETS: Readonly<Record<Family, (photo: keyof typeof photos) => PackInputs["assets"]>> = {
  campaign: (photo) => ({ media: photos[photo], logo }),
  duo: (photo) => ({ media: photos[photo], secondaryMedia: photos.meadow, logo }),
  product: (photo) => ({ product: photos[photo], background: photos.foliage, logo }),
  person: (photo) => ({ person: figure, background: photos[photo], logo }),
  device: (photo) => ({ device: photos[photo], background: photos.meadow, logo }),
  scenery: (photo) => ({ background: photos[photo], logo }),
  brand: () => ({ logo }),
};

const FAMILIES: readonly Family[] = ["campaign", "duo", "product", "person", "device", "scenery", "brand"];
const PHOTOS = ["noise", "foliage", "meadow"] as const;

/** Sizes that look alike and have the same cap are drawn once. */
const DISPLAY_SIZES: readonly Size[] = [
  ...new Map(
    SIZES.filter((size) => size.needsBorder).map((size) => [
      `${size.width}x${size.height} ${size.byteCap}`,
      size,
    ]),
  ).values(),
];

interface Case {
  readonly family: Family;
  readonly photo: (typeof PHOTOS)[number];
  readonly sizes: readonly Size[];
}

/** All combinations, or a share of them in which each size, family and photo has its turn. */
function casesOf(sizes: readonly Size[]): readonly Case[] {
  const combinations = FAMILIES.flatMap((family) => PHOTOS.map((photo) => ({ family, photo })));
  if (IS_WHOLE) {
    return combinations
      .filter(({ family, photo }) => family !== "brand" || photo === "noise")
      .map((combination) => ({ ...combination, sizes }));
  }
  // Noise weighs most, so it takes part in every family.
  const few = combinations.filter(({ photo }) => photo === "noise");
  return few.map((combination, turn) => ({
    ...combination,
    sizes: sizes.filter((_, at) => at % few.length === turn),
  }));
}

/** What is over its cap, could not be drawn, or is not what its verdict says. */
async function findFaults(
  { family, photo, sizes }: Case,
  motion: OutputRequest["motion"],
  formats: readonly OutputFormat[],
): Promise<readonly string[]> {
  const faults: string[] = [];
  await withPack(inputsOf({ assets: ASSETS[family](photo), copy: COPY }), sizes, async (pack) => {
    for (const [at, size] of sizes.entries()) {
      for (const format of IS_WHOLE
        ? formats
        : formats.slice(at % formats.length, (at % formats.length) + 1)) {
        const name = `${size.sizeId} ${format}`;
        const drawn = await renderer.render(pack, { size, motion, format });
        if (!drawn.ok) {
          faults.push(`${name}: ${drawn.code}: ${drawn.message}`);
          continue;
        }
        for (const { role, bytes, compliance } of drawn.value.files) {
          const cap = capOf(size, motion, role);
          if (bytes.length > cap) faults.push(`${name} ${role}: ${bytes.length} bytes, ${cap} allowed`);
          for (const check of compliance.checks) {
            const isAboutBytes = check.rule === "byte_cap" || check.rule === "backup_bytes";
            if (isAboutBytes && !check.passed) faults.push(`${name} ${role}: ${check.rule} ${check.actual}`);
          }
        }
      }
    }
  });
  return faults;
}

function capOf(size: Size, motion: OutputRequest["motion"], role: "primary" | "backup"): number {
  const cap = size.byteCap ?? Number.POSITIVE_INFINITY;
  if (role === "backup") return Math.min(cap, size.animation.backupBytesMax ?? cap);
  return motion === "animated" ? Math.min(cap, ANIMATED_BANNER_BYTES_MAX) : cap;
}

describe(`display stills keep their byte caps (seed ${PHOTO_SEED})`, () => {
  it.each(casesOf(DISPLAY_SIZES))("$family over $photo", { timeout: 1_800_000 }, async (one) => {
    expect(await findFaults(one, "static", STILLS)).toEqual([]);
  });
});

describe(`display animations and their backups keep their byte caps (seed ${PHOTO_SEED})`, () => {
  const sizes = IS_WHOLE
    ? DISPLAY_SIZES
    : DISPLAY_SIZES.filter((size) => size.width * size.height <= 320 * 100).slice(0, FAMILIES.length);
  const formats = IS_WHOLE ? ANIMATIONS : ANIMATIONS.slice(0, 1);
  it.each(casesOf(sizes))("$family over $photo", { timeout: 3_600_000 }, async (one) => {
    expect(await findFaults(one, "animated", formats)).toEqual([]);
  });
});

describe(`what no quality brings under its cap is refused, never delivered (seed ${PHOTO_SEED})`, () => {
  it.each(STILLS)("saturated static as %s", { timeout: 600_000 }, async (format) => {
    const sizes = DISPLAY_SIZES.filter((size) => size.sizeId === "gads-300x1050");
    const assets = { background: await staticPicture(PHOTO_SEED), logo };
    await withPack(inputsOf({ assets, copy: COPY }), sizes, async (pack) => {
      for (const size of sizes) {
        const drawn = await renderer.render(pack, { size, motion: "static", format });
        if (drawn.ok) {
          for (const { bytes } of drawn.value.files)
            expect(bytes.length).toBeLessThanOrEqual(capOf(size, "static", "primary"));
          continue;
        }
        expect(drawn.code).toBe("BYTE_CAP_UNREACHABLE");
        expect(drawn.message).toMatch(/takes \d+ bytes, and the size allows \d+\./);
      }
    });
  });
});

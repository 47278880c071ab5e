import { describe, expect, it } from "vitest";
import type { OutputFormat, Size } from "#catalogue/types.ts";
import { FAMILIES, type Family, type OutputRequest, type PreparedPack } from "#renderer/index.ts";
import { PHOTO_SEED } from "../../support/hard-photos.ts";
import { renderer, withPack } from "../../support/renderer.ts";
import { packInputsOf, photosOf } from "./families.ts";
import { capOf, displaySizes } from "./sizes.ts";

/**
 * BYTE_CAPS=whole (`npm run test:bytes`) tests everything. Otherwise each size is tested as a still in one family and
 * one format, and each family animates one small size, all with the noise photo, which takes most bytes.
 */
const IS_WHOLE = process.env.BYTE_CAPS === "whole";

type Motion = OutputRequest["motion"];

const FORMATS: Readonly<Record<Motion, readonly OutputFormat[]>> = {
  static: ["png", "jpg", "webp"],
  animated: ["gif", "webp", "apng"],
};

/** Larger animations are tested only in a whole run, because they take longest. */
const ANIMATED_AREA_PX_MAX = 320 * 100;

interface Drawing {
  readonly size: Size;
  readonly formats: readonly OutputFormat[];
}

/** The cases of a family: all in a whole run, otherwise the family's part. */
function drawingsOf(family: Family, motion: Motion): readonly Drawing[] {
  const sizes = displaySizes(motion);
  const formats = FORMATS[motion];
  if (IS_WHOLE) return sizes.map((size) => ({ size, formats }));
  const turn = FAMILIES.indexOf(family);
  if (motion === "animated") {
    const small = sizes.filter(({ width, height }) => width * height <= ANIMATED_AREA_PX_MAX);
    return small.slice(turn, turn + 1).map((size) => ({ size, formats: formats.slice(0, 1) }));
  }
  const share = sizes.filter((_, at) => at % FAMILIES.length === turn);
  return share.map((size, at) => ({ size, formats: [formats[at % formats.length] ?? "png"] }));
}

/** Files over their cap, failures, and wrong compliance reports. */
async function findFaults(pack: PreparedPack, motion: Motion, { size, formats }: Drawing): Promise<string[]> {
  const faults: string[] = [];
  for (const format of formats) {
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
  return faults;
}

/** Guarantee: every display size of the family keeps its byte cap, still and animated, in every format. */
export function keepsByteCaps(family: Family): void {
  const photos = IS_WHOLE ? photosOf(family) : photosOf(family).slice(0, 1);
  describe.each(photos)(`${family} over %s (seed ${PHOTO_SEED})`, (photo) => {
    it.each([
      ["stills", "static"],
      ["animations and their backups", "animated"],
    ] as const)("%s", { timeout: 1_800_000 }, async (_, motion) => {
      const drawings = drawingsOf(family, motion);
      const faults: string[] = [];
      await withPack(await packInputsOf(family, photo), async (pack) => {
        for (const drawing of drawings) faults.push(...(await findFaults(pack, motion, drawing)));
      });
      expect(drawings.length).toBeGreaterThan(0);
      expect(faults).toEqual([]);
    });
  });
}

import type { OutputSpec, PackSpec } from "./protocol.ts";
import type { WallInputs, WallSize } from "./types.ts";

/** What a tile is to be drawn from; equal keys are equal pixels. */
export interface TilePlan {
  readonly size: WallSize;
  readonly pack: PackSpec;
  readonly output: OutputSpec;
  readonly key: string;
  /** Names the pictures that it is drawn from. */
  readonly picturesKey: string;
}

/** Whether there is anything to draw from: a font alone shows nothing. */
export const hasPicture = ({ assets }: Pick<WallInputs, "assets">): boolean =>
  Object.entries(assets).some(([slot, asset]) => slot !== "font" && asset !== undefined);

/** The plan of each size of a wall, in its order. */
export function planTiles(inputs: WallInputs): readonly TilePlan[] {
  const { assets, brand, look } = inputs;
  const pack: PackSpec = { assets, brand, look };
  const picturesKey = picturesKeyOf(pack);
  return inputs.sizes.map((size) => {
    const output = outputOf(inputs, size.sizeId, size.widthPx);
    return { size, pack, output, key: JSON.stringify([picturesKey, brand, look, output]), picturesKey };
  });
}

/** One output of the inputs, its overrides applied as an order applies them (`src/domains/jobs/plan-design.ts`). */
export function outputOf(inputs: WallInputs, sizeId: string, widthPx: number): OutputSpec {
  const { motion, outputFormat: format, protection, markSeed } = inputs;
  const own = inputs.overrides[sizeId] ?? {};
  const texts = Object.entries({ ...inputs.copy, ...present(own.copy) });
  return {
    sizeId,
    copy: Object.fromEntries(texts.filter(([, text]) => text !== undefined && text !== "")),
    placements: { ...inputs.placements, ...present(own.placements) },
    variant: own.variant ?? inputs.variant,
    motion,
    format,
    // A place of no width yet is drawn when it has one.
    widthPx: Math.max(1, Math.round(widthPx)),
    protection,
    markSeed,
  };
}

/** Without the members that are undefined, which would hide others. */
function present<T extends object>(members: T | undefined): T | Record<string, never> {
  if (members === undefined) return {};
  const kept = { ...members };
  for (const name in kept) if (kept[name] === undefined) delete kept[name];
  return kept;
}

/** Names the pictures of a pack, and its font. */
export function picturesKeyOf({ assets }: PackSpec): string {
  const ids = Object.entries(assets).flatMap(([slot, asset]) =>
    asset === undefined ? [] : [[slot, asset.id]],
  );
  return JSON.stringify(ids.sort());
}

import { FAMILIES, SHAPES } from "#renderer/index.ts";
import type { DrawRequest } from "./draw-messages.ts";
import type { Filters } from "./filters.ts";
import { brandPacks, LOOK_SIZES, lookPacks } from "./look-packs.ts";
import { type GalleryPack, packsOf } from "./packs.ts";
import { type PictureSize, pictureSizes } from "./picture-sizes.ts";

/** The requests for all selected packs: looks and brands in one size per shape, other packs in all sizes. */
export function planRequests(filters: Filters, folder: string): readonly DrawRequest[] {
  const sizes = pictureSizes();
  const packs = [...brandPacks(), ...FAMILIES.flatMap(packsOf), ...lookPacks()].filter(
    ({ family, set, look }) =>
      (filters.family === null || filters.family === family) &&
      (filters.set === null || filters.set === set) &&
      (filters.look === null || filters.look === look),
  );
  return packs.flatMap((pack): DrawRequest[] => {
    const drawn = sizesOf(pack, sizes).filter(
      ({ sizeIds }) => filters.sizeId === null || sizeIds.includes(filters.sizeId),
    );
    if (drawn.length === 0) return [];
    return [
      {
        pack,
        folder,
        bannerFormat: isPhotographic(pack) ? "jpg" : "png",
        sizeIds: drawn.map((picture) => picture.size.sizeId),
      },
    ];
  });
}

const isPhotographic = ({ family, set }: GalleryPack): boolean =>
  set === "photo" || family === "campaign" || family === "duo" || family === "scenery";

/**
 * The sizes in which a pack is rendered. The packs of the text-heavy set, one per language, share the sizes of each
 * shape.
 */
function sizesOf(pack: GalleryPack, sizes: readonly PictureSize[]): readonly PictureSize[] {
  if (pack.set === "looks" || pack.set === "brands") {
    return sizes.filter(({ sizeIds }) => sizeIds.some((sizeId) => LOOK_SIZES.includes(sizeId)));
  }
  if (pack.set !== "words") return sizes;
  const heavy = packsOf(pack.family).filter(({ set }) => set === "words");
  const turn = heavy.findIndex(({ language }) => language === pack.language);
  return SHAPES.flatMap((shape) =>
    sizes.filter((picture) => picture.shape === shape).filter((_, at) => at % heavy.length === turn),
  );
}

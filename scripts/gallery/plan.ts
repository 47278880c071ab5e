import type { DrawRequest } from "./draw-messages.ts";
import type { Filters } from "./filters.ts";
import { FAMILIES, packsOf } from "./looks.ts";
import { pictureSizes, SHAPES } from "./picture-sizes.ts";

/** Which packs are drawn in which sizes. The text-heavy look changes its language from size to size within each shape. */
export function planRequests(filters: Filters, folder: string): readonly DrawRequest[] {
  const sizes = pictureSizes();
  const turns = new Map(
    SHAPES.flatMap((shape) =>
      sizes.filter((picture) => picture.shape === shape).map((picture, turn) => [picture, turn] as const),
    ),
  );
  return FAMILIES.filter((family) => filters.family === null || family === filters.family).flatMap(
    (family) => {
      const packs = packsOf(family).filter((pack) => filters.look === null || pack.look === filters.look);
      const heavy = packs.filter((pack) => pack.look === "words");
      return packs.flatMap((pack): DrawRequest[] => {
        const drawn = sizes.filter(
          (picture) =>
            (filters.sizeId === null || picture.sizeIds.includes(filters.sizeId)) &&
            (pack.look !== "words" || (turns.get(picture) ?? 0) % heavy.length === heavy.indexOf(pack)),
        );
        if (drawn.length === 0) return [];
        const isPhoto =
          pack.look === "photo" || family === "campaign" || family === "duo" || family === "scenery";
        return [
          {
            pack,
            folder,
            bannerFormat: isPhoto ? "jpg" : "png",
            sizeIds: drawn.map((picture) => picture.size.sizeId),
          },
        ];
      });
    },
  );
}

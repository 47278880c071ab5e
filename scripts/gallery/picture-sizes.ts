import { SIZES } from "#catalogue/sizes.ts";
import type { Size } from "#catalogue/types.ts";
import { SHAPES, type Shape, shapeOf } from "#renderer/index.ts";

/** A rendered size, with all sizes of the catalogue that look the same. */
export interface PictureSize {
  readonly size: Size;
  readonly shape: Shape;
  /** Sizes with the same pixels, cap, safe area and border. The first is `size`. */
  readonly sizeIds: readonly string[];
}

/** The distinct sizes of the catalogue, sorted by shape, then from wide to tall. */
export function pictureSizes(): readonly PictureSize[] {
  const alike = new Map<string, Size[]>();
  for (const size of SIZES) {
    const { width, height, byteCap, safeArea, needsBorder } = size;
    const key = JSON.stringify([width, height, byteCap, safeArea, needsBorder]);
    alike.set(key, [...(alike.get(key) ?? []), size]);
  }
  const pictures = [...alike.values()].flatMap((sizes): PictureSize[] => {
    const size = sizes[0];
    if (size === undefined) return [];
    return [{ size, shape: shapeOf(size.width, size.height), sizeIds: sizes.map((one) => one.sizeId) }];
  });
  return pictures.sort(
    (left, right) =>
      SHAPES.indexOf(left.shape) - SHAPES.indexOf(right.shape) ||
      right.size.width / right.size.height - left.size.width / left.size.height ||
      left.size.width - right.size.width,
  );
}

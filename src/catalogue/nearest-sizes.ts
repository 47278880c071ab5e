/** Suggests sizes for an unknown id, for agents and the command line. */

interface NamedSize {
  readonly sizeId: string;
  readonly width: number;
  readonly height: number;
}

const NEAREST_SHOWN = 3;

/** Width and height in an unknown id such as `instagram-1080x1081`; null if it has none. */
function pixelsIn(sizeId: string): { readonly width: number; readonly height: number } | null {
  const found = /(\d{2,5})\D{1,3}(\d{2,5})/.exec(sizeId.slice(0, 64));
  return found === null ? null : { width: Number(found[1]), height: Number(found[2]) };
}

/**
 * Distance between two sizes: the log ratio of their aspect ratios, counted twice, plus the log ratio of their areas.
 */
function distance(wanted: { readonly width: number; readonly height: number }, size: NamedSize): number {
  const ratio = Math.abs(Math.log((wanted.width / wanted.height / size.width) * size.height));
  const area = Math.abs(Math.log((wanted.width * wanted.height) / (size.width * size.height)));
  return 2 * ratio + area;
}

/** Number of words that an unknown id shares with a size's id, such as `story` or `iab`. */
function sharedWords(sizeId: string, size: NamedSize): number {
  const words =
    sizeId
      .toLowerCase()
      .slice(0, 64)
      .match(/[a-z]{3,}/g) ?? [];
  return words.filter((word) => size.sizeId.includes(word)).length;
}

/** The known sizes most similar to an unknown id: by shared words and, if the id has dimensions, by those. */
export function nearestSizeIds(sizeId: string, sizes: readonly NamedSize[]): string[] {
  const wanted = pixelsIn(sizeId);
  const rank = (size: NamedSize) =>
    (wanted === null ? 0 : distance(wanted, size)) - sharedWords(sizeId, size) / 4;
  return sizes
    .map((size) => ({ sizeId: size.sizeId, rank: rank(size) }))
    .sort((left, right) => left.rank - right.rank)
    .slice(0, NEAREST_SHOWN)
    .map((near) => near.sizeId);
}

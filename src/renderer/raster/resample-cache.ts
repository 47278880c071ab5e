import type { Raster, SourceRaster } from "../types.ts";
import { copyOf } from "./canvas.ts";
import type { Resampler } from "./resampler.ts";

interface Kept {
  readonly source: SourceRaster;
  readonly name: string;
  readonly raster: Raster;
}

/**
 * A resampler that caches its latest results, up to `bytesMax`. If only a pack's text changes, its pictures need not be
 * scaled again. Each call still returns its own raster.
 */
export function cacheResamples(resampler: Resampler, bytesMax: number): Resampler {
  /** Least recently used first. */
  let kept: readonly Kept[] = [];
  const keep = (next: Kept): void => {
    kept = [...kept.filter((one) => one !== next), next];
    const bytes = (): number => kept.reduce((sum, { raster }) => sum + raster.pixels.byteLength, 0);
    while (bytes() > bytesMax) kept = kept.slice(1);
  };
  return {
    ...resampler,
    resample: (source, part, width, height, memory) => {
      const { x, y, width: across, height: down } = part;
      const name = [x, y, across, down, width, height].join();
      const known = kept.find((one) => one.source === source && one.name === name);
      // Cached on the heap: `memory` may be an encoder's, which overwrites it.
      const raster = known?.raster ?? resampler.resample(source, part, width, height);
      keep(known ?? { source, name, raster });
      return copyOf(raster, memory);
    },
  };
}

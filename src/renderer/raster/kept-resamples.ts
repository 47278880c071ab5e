import type { Raster, SourceRaster } from "../types.ts";
import { copyOf } from "./canvas.ts";
import type { Resampler } from "./resampler.ts";

interface Kept {
  readonly source: SourceRaster;
  readonly name: string;
  readonly raster: Raster;
}

/**
 * A resampler that keeps what it drew last, up to `bytesMax`: a pack whose words change has the same pictures in the same
 * places. Each call still gives a raster of its own.
 */
export function keepResamples(resampler: Resampler, bytesMax: number): Resampler {
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
      // Kept on the heap: `memory` may be an encoder's, which writes over it.
      const raster = known?.raster ?? resampler.resample(source, part, width, height);
      keep(known ?? { source, name, raster });
      return copyOf(raster, memory);
    },
  };
}

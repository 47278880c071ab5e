import { expect, it } from "vitest";
import { lender } from "#renderer/buffers.ts";
import { keepResamples } from "#renderer/raster/kept-resamples.ts";
import type { Raster } from "#renderer/types.ts";
import { engine } from "./pack-fixtures.ts";

it("never caches pixels in an encoder's memory, which overwrites them", async () => {
  const { resampler } = await engine();
  const kept = keepResamples(resampler, 1_000_000);
  const pixels = Uint8ClampedArray.from({ length: 8 * 8 * 4 }, (_, at) => (at % 4 === 3 ? 255 : at));
  const source: Raster = { width: 8, height: 8, pixels, alpha: "opaque" };
  const whole = { x: 0, y: 0, width: 8, height: 8 };
  const ofEncoder = new Uint8ClampedArray(4 * 4 * 4);
  const first = [...kept.resample(source, whole, 4, 4, lender(ofEncoder)).pixels];
  expect(first).toEqual([...ofEncoder]);
  ofEncoder.fill(0);
  expect([...kept.resample(source, whole, 4, 4).pixels]).toEqual(first);
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { packRequestSchema } from "#api/schemas/job.ts";
import {
  AREA_EDGE_MIN,
  areaAround,
  fitted,
  middleOf,
  moved,
  resized,
  spanned,
} from "../../studio/src/editor/files/keep-area.ts";

/** Whatever the pointer or keyboard input, the area to keep stays inside the picture and valid for the API. */

const share = fc.double({ min: 0, max: 1, noNaN: true });
const far = fc.double({ min: -2, max: 3, noNaN: true });
const point = fc.record({ x: far, y: far });
const area = fc.record({ x: share, y: share, width: share, height: share }).map(fitted);
const step = fc.double({ min: -1, max: 1, noNaN: true });

const expectTaken = (keep: ReturnType<typeof fitted>): void => {
  const request = {
    contractId: "campaign.v1",
    selectedSizeIds: ["iab-300x250"],
    outputFormat: "jpg",
    assetIds: { media: "01900000-0000-7000-8000-000000000000" },
    placements: { media: { keep } },
  };
  expect(packRequestSchema.safeParse(request).error?.issues ?? []).toEqual([]);
  expect(Math.min(keep.width, keep.height)).toBeGreaterThanOrEqual(AREA_EDGE_MIN);
};

it("an area is valid however it is drawn, set around a point, moved or resized", () => {
  fc.assert(
    fc.property(point, point, area, step, step, (from, to, given, across, down) => {
      for (const keep of [
        spanned(from, to),
        areaAround(to),
        moved(given, across, down),
        resized(given, across, down),
      ])
        expectTaken(keep);
    }),
    { seed: 16, numRuns: 500 },
  );
});

it("a moved area keeps its size, and an area around a point has that point in its middle", () => {
  const keep = { x: 0.2, y: 0.3, width: 0.4, height: 0.5 };
  expect(moved(keep, 0.1, -0.1)).toEqual({ x: 0.3, y: 0.2, width: 0.4, height: 0.5 });
  expect(moved(keep, 1, 1)).toEqual({ x: 0.6, y: 0.5, width: 0.4, height: 0.5 });
  expect(resized(keep, 0.1, -1)).toEqual({ x: 0.2, y: 0.3, width: 0.5, height: AREA_EDGE_MIN });
  expect(spanned({ x: 0.9, y: 0.8 }, { x: 0.4, y: 0.1 })).toEqual({
    x: 0.4,
    y: 0.1,
    width: 0.5,
    height: 0.7,
  });
  expect(middleOf(areaAround({ x: 0.5, y: 0.4 }))).toEqual({ x: 0.5, y: 0.4 });
});

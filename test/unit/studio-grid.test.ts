import fc from "fast-check";
import { expect, it } from "vitest";
import { COMPOSITIONS, VARIANTS } from "#catalogue/looks.ts";
import { SCALES } from "#catalogue/scales.ts";
import { SIZES } from "#catalogue/sizes.ts";
import { designOf } from "#domains/jobs/plan-design.ts";
import { fitScale, packTiles, withMiddle } from "../../studio/src/editor/grid/pack-tiles.ts";
import { createTileBoard, outputOf, planTiles } from "../../studio/src/engine/choose-next-tile.ts";
import type { DrawInputs, Drawing } from "../../studio/src/engine/types.ts";

const SIZE = "iab-300x250";
const text = fc.constantFrom("", "One", "Two words");
const copy = fc.record({ headline: text, cta: text, price: text }, { requiredKeys: [] });
const placements = fc.record(
  { media: fc.constantFrom({ focalPoint: { x: 0, y: 1 } }, { focalPoint: { x: 0.5, y: 0.5 } }) },
  { requiredKeys: [] },
);
const variant = fc.constantFrom(...VARIANTS);
const composition = fc.constantFrom(...COMPOSITIONS);
const scale = fc.constantFrom(...SCALES);
const override = fc.record({ copy, placements, variant, composition, scale }, { requiredKeys: [] });

const inputsOf = (own: Partial<DrawInputs>): DrawInputs => ({
  assets: { media: { id: "one", mimeType: "image/png", file: new Blob() } },
  copy: {},
  brand: {},
  look: "classic",
  variant: 1,
  placements: {},
  overrides: {},
  motion: "static",
  outputFormat: "png",
  markSeed: 0,
  sizes: [{ sizeId: SIZE, widthPx: 300, isVisible: true }],
  protection: "none",
  ...own,
});

it("a tile applies overrides as an order does", () => {
  fc.assert(
    fc.property(copy, placements, variant, fc.option(override), (words, places, shared, own) => {
      const overrides = own === null ? {} : { [SIZE]: own };
      const common = {
        copy: words,
        placements: places,
        variant: shared,
        composition: "split",
        scale: 1,
      } as const;
      const pack = { ...common, overrides };
      const { scale = 1, ...output } = outputOf(inputsOf(pack), SIZE, 300);
      expect({ ...output, scale }).toMatchObject(designOf(pack, SIZE));
    }),
    { seed: 7, numRuns: 300 },
  );
});

const drawing = (): Drawing => {
  const layout = { family: "campaign", shape: "square", elements: [], crops: [], adjustments: [] } as const;
  const compliance = { verdict: "pass", byteCap: null, checks: [] } as const;
  return {
    picture: { width: 1, height: 1, data: new Uint8ClampedArray(4), colorSpace: "srgb" },
    layout,
    compliance,
    play: { delaysMs: [100], loops: 1 },
  };
};

const sizes = (...ids: readonly string[]) =>
  ids.map((sizeId) => ({ sizeId, widthPx: 10, isVisible: sizeId.startsWith("seen") }));

it("visible tiles are drawn first, and tiles that have waited longest before tiles just drawn", () => {
  const board = createTileBoard();
  const typed = (headline: string) =>
    board.plan(planTiles(inputsOf({ copy: { headline }, sizes: sizes("below", "seen-1", "seen-2") })));
  typed("a");
  const first = board.next();
  if (first === null) throw new Error("there is a tile to draw");
  expect(first.size.sizeId).toBe("seen-1");
  expect(board.settle(first, drawing())).toBe(true);
  typed("ab");
  expect([board.next(), board.next(), board.next(), board.next()].map((plan) => plan?.size.sizeId)).toEqual([
    "seen-2",
    "seen-1",
    "below",
    undefined,
  ]);
});

it("tiles that are no longer selected are dropped, and the others kept", () => {
  const board = createTileBoard();
  board.plan(planTiles(inputsOf({ copy: { headline: "a" } })));
  const old = board.next();
  board.plan(planTiles(inputsOf({ copy: { headline: "b" } })));
  if (old === null) throw new Error("there was a tile to draw");
  expect(board.settle(old, drawing())).toBe(false);
  expect(board.isDone()).toBe(false);
  const wanted = board.next();
  if (wanted === null) throw new Error("there is a tile to draw");
  board.settle(wanted, drawing());
  const [tile] = board.tiles();
  expect(board.isDone()).toBe(true);
  // The same inputs do not draw anything again.
  board.plan(planTiles(inputsOf({ copy: { headline: "b" } })));
  expect(board.next()).toBeNull();
  expect(board.tiles()[0]).toBe(tile);
});

it("only one worker decodes new pictures; the others draw once its first tile is drawn", () => {
  const board = createTileBoard();
  const show = (id: string, headline: string) =>
    board.plan(
      planTiles(
        inputsOf({
          assets: { media: { id, mimeType: "image/png", file: new Blob() } },
          copy: { headline },
          sizes: sizes("seen-1", "seen-2", "seen-3"),
        }),
      ),
    );
  show("one", "a");
  const first = board.next();
  if (first === null) throw new Error("there is a tile to draw");
  expect(board.next()).toBeNull();
  // A new picture does not wait for the first one.
  show("two", "a");
  const second = board.next();
  if (second === null) throw new Error("there is a tile to draw");
  expect(board.next()).toBeNull();
  board.settle(first, drawing());
  expect(board.next()).toBeNull();
  board.settle(second, drawing());
  const others = [board.next(), board.next()];
  expect(others.map((plan) => plan?.size.sizeId)).toEqual(["seen-2", "seen-3"]);
  for (const plan of others) if (plan !== null) board.settle(plan, drawing());
  // A changed headline does not require decoding the pictures again.
  show("two", "ab");
  expect([board.next(), board.next()].map((plan) => plan?.size.sizeId)).toEqual(["seen-1", "seen-2"]);
});

it("a tile waits only for a worker that is already decoding its pictures", () => {
  const board = createTileBoard();
  const plans = planTiles(inputsOf({ sizes: sizes("seen-1", "seen-2") }));
  const [plan] = plans;
  if (plan === undefined) throw new Error("there is a tile to draw");
  board.beginOpening(plan.picturesKey);
  board.beginOpening("of others");
  board.plan(plans);
  expect(board.next()).toBeNull();
  board.endOpening(plan.picturesKey);
  expect(board.next()?.size.sizeId).toBe("seen-1");
});

it("a parked tile is not drawn, and keeps its last drawing", () => {
  const board = createTileBoard();
  const show = (headline: string, isParked: boolean) =>
    board.plan(
      planTiles(inputsOf({ copy: { headline }, sizes: sizes("seen").map((one) => ({ ...one, isParked })) })),
    );
  show("a", false);
  const first = board.next();
  if (first === null) throw new Error("there is a tile to draw");
  const drawn = drawing();
  board.settle(first, drawn);
  show("b", true);
  expect([board.next(), board.isDone(), board.tiles()[0]?.drawing]).toEqual([null, true, drawn]);
});

it("the grid leaves room to scroll a tile at any edge to the middle", () => {
  const room = { width: 600, height: 500 };
  const packed = packTiles(SIZES.slice(0, 10), 0.5, room.width);
  for (const [at, tile] of packed.tiles.entries()) {
    const { tiles, ...all } = withMiddle(packed, tile, room);
    const { x = 0, y = 0 } = tiles[at] ?? {};
    const [left, top] = [x + tile.width / 2, y + tile.height / 2];
    expect(Math.min(left, all.width - left)).toBeGreaterThanOrEqual(room.width / 2);
    expect(Math.min(top, all.height - top)).toBeGreaterThanOrEqual(room.height / 2);
    expect([x === tile.x || left === 300, y === tile.y || top === 250]).toEqual([true, true]);
  }
});

it("sizes are packed into the window at one scale, without overlap, and deterministically", () => {
  const room = { width: 900, height: 640 };
  for (const count of [1, 10, 20]) {
    const scale = fitScale(SIZES.slice(0, count), room);
    const layout = packTiles(SIZES.slice(0, count), scale, room.width);
    expect(packTiles(SIZES.slice(0, count), scale, room.width)).toEqual(layout);
    expect([layout.width <= room.width, layout.height <= room.height]).toEqual([true, true]);
    for (const [at, one] of layout.tiles.entries()) {
      expect(Math.abs(one.width - one.size.width * scale)).toBeLessThanOrEqual(1);
      const covered = layout.tiles
        .slice(at + 1)
        .filter((other) => one.x < other.x + other.width && other.x < one.x + one.width)
        .filter((other) => one.y < other.y + other.height && other.y < one.y + one.height);
      expect(covered).toEqual([]);
    }
  }
});

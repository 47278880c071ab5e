import { afterAll, beforeAll, expect, test } from "vitest";
import type { PictureFacts } from "#renderer/index.ts";
import { composeStill } from "#renderer/render.ts";
import { TEN_SIZE_IDS } from "../../bench/pack-of-ten.ts";
import { slotOfCutOut } from "../../studio/src/editor/files/guess-slot.ts";
import { catalogueSize, inputsOf, renderer, sampleAsset, withPack } from "../support/renderer.ts";
import { ask, type DrawnGrid, gridInputs, openTab, openTrial, sha256, type Trial, WORDS } from "./trial.ts";

/** In a real browser, the grid shows what an order would deliver, scaled down and watermarked. */

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial();
});
afterAll(() => trial.close());

test("draws the paid outputs' pixels for ten sizes, before scaling and watermark", async () => {
  const { page, complaints } = await openTab(trial);
  const grid = await ask<DrawnGrid>(page, "draw", gridInputs());
  const assets = { media: sampleAsset("dandelion.jpg"), logo: sampleAsset("logo.svg") };
  expect(grid.status).toBe("drawn");
  expect(grid.tiles.map(({ sizeId }) => sizeId)).toEqual(TEN_SIZE_IDS);
  await withPack(inputsOf({ assets, copy: WORDS }), async (pack) => {
    for (const { sizeId, drawn } of grid.tiles) {
      const paid = composeStill(pack, { size: catalogueSize(sizeId) });
      if (!paid.ok || drawn === null) throw new Error(`${sizeId} is not drawn`);
      const { canvas, layout } = paid.value;
      expect([sizeId, drawn.width, drawn.height]).toEqual([sizeId, canvas.width, canvas.height]);
      expect([sizeId, drawn.sha256]).toEqual([sizeId, sha256(canvas.pixels)]);
      expect(drawn.layout).toEqual(JSON.parse(JSON.stringify(layout)));
      expect(drawn.compliance.verdict).toBe("pass");
    }
  });
  expect(complaints).toEqual([]);
});

test("applies new texts, looks and overrides to cached pictures as if drawn from scratch", async () => {
  const { page } = await openTab(trial);
  const sizes = [{ sizeId: "iab-300x250", widthPx: 300, isVisible: true }];
  const own = { look: "retail", overrides: { "iab-300x250": { copy: { cta: "" }, variant: 2 } } };
  await ask(page, "draw", gridInputs({ sizes }));
  const changed = await ask<DrawnGrid>(page, "draw", gridInputs({ sizes, ...own }));
  const assets = { media: sampleAsset("dandelion.jpg"), logo: sampleAsset("logo.svg") };
  await withPack(inputsOf({ assets, look: "retail" }), async (pack) => {
    const { headline } = WORDS;
    const paid = composeStillLoaded(pack, { headline });
    expect(changed.tiles[0]?.drawn?.sha256).toBe(sha256((await paid).pixels));
  });
});

test("limits drawings to the size of their tile and the account's protection, with watermark", async () => {
  const { page } = await openTab(trial);
  const sizes = [
    { sizeId: "meta-feed-1080x1080", widthPx: 300, isVisible: true },
    { sizeId: "iab-300x250", widthPx: 4_000, isVisible: false },
  ];
  const bare = await ask<DrawnGrid>(page, "draw", gridInputs({ sizes }));
  const marked = await ask<DrawnGrid>(page, "draw", gridInputs({ sizes, protection: "watermarked-lowres" }));
  const widths = ({ tiles }: DrawnGrid) => tiles.map(({ drawn }) => drawn?.width);
  expect(widths(bare)).toEqual([300, 300]);
  expect(widths(marked)).toEqual([300, 210]);
  for (const [at, { drawn }] of marked.tiles.entries())
    expect(drawn?.sha256).not.toBe(bare.tiles[at]?.drawn?.sha256);
  const zoomed = await ask<{ value: { width: number } }>(page, "zoom", "meta-feed-1080x1080", 4_000);
  expect(zoomed.value.width).toBe(640);
});

/** Counts workers in `started`, and their tasks by kind in `tasks`. */
const COUNTING = `
  Object.assign(window, { tasks: {}, started: 0 });
  const send = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.type === "start") started += 1;
    if (message.type === "do") tasks[message.task.kind] = (tasks[message.task.kind] ?? 0) + 1;
    return send.call(this, message, ...rest);
  };
`;

test("draws the same pixels in a warm engine with a photo passed in advance", async () => {
  const sizes = [{ sizeId: "iab-300x250", widthPx: 300, isVisible: true }];
  const cold = await openTab(trial);
  const bare = await ask<DrawnGrid>(cold.page, "draw", gridInputs({ sizes }));
  const { page, complaints } = await openTab(trial, COUNTING);
  await ask(page, "open", {});
  await ask(page, "warmUp");
  // Two rounds in each worker; a small machine has one worker.
  const warmUp = 2 * (await page.evaluate<number>("started"));
  expect(await page.evaluate("tasks")).toEqual({ warmUp });
  const { media } = gridInputs().assets;
  await ask(page, "expect", "media", media);
  const drawn = await ask<DrawnGrid>(page, "draw", gridInputs({ sizes }));
  expect(drawn.tiles).toEqual(bare.tiles);
  expect(drawn.pictures).toEqual(bare.pictures);
  expect(await page.evaluate("tasks")).toEqual({ warmUp, open: 1, draw: 1 });
  expect(complaints).toEqual([]);
});

test("draws a grid that is shown during warm-up at once", async () => {
  const { page } = await openTab(trial, COUNTING);
  await ask(page, "open", {});
  await page.evaluate("void trial.warmUp()");
  const grid = await ask<DrawnGrid>(page, "draw", gridInputs());
  expect(grid.status).toBe("drawn");
  expect(grid.tiles.map(({ fault }) => fault)).toEqual(TEN_SIZE_IDS.map(() => null));
});

test("shows the last of many inputs given at once", async () => {
  const { page } = await openTab(trial);
  const typed = ["T", "Tw", "Two", "Two w", "Two wheels"].map((headline) =>
    gridInputs({ copy: { headline } }),
  );
  const hashes = await ask<({ sha256: string } | null)[]>(page, "burst", typed);
  const alone = await ask<DrawnGrid>(page, "draw", typed.at(-1));
  expect(hashes.map((one) => one?.sha256)).toEqual(alone.tiles.map(({ drawn }) => drawn?.sha256));
});

test("draws animation frames with the renderer's pixels, ends with the still, and measures the paid file", async () => {
  const { page } = await openTab(trial);
  const sizes = [{ sizeId: "iab-300x250", widthPx: 300, isVisible: true }];
  const moving = { motion: "animated", outputFormat: "gif" } as const;
  const { tiles } = await ask<DrawnGrid>(page, "draw", gridInputs({ sizes, ...moving }));
  const still = tiles[0]?.drawn;
  const last = (still?.play.delaysMs.length ?? 0) - 1;
  expect(await ask(page, "frame", "iab-300x250", 300, last)).toBe(still?.sha256);
  const assets = { media: sampleAsset("dandelion.jpg"), logo: sampleAsset("logo.svg") };
  await withPack(inputsOf({ assets, copy: WORDS }), async (pack) => {
    const frames = await renderer.frames(pack, {
      ...{ size: catalogueSize("iab-300x250"), motion: "animated", format: "gif", copy: WORDS },
      ...{ widthPx: 300, protection: "none", markSeed: 0 },
    });
    if (!frames.ok) throw new Error(frames.message);
    expect(frames.value.delaysMs).toEqual(still?.play.delaysMs);
    for (const frame of [0, 4])
      expect(await ask(page, "frame", "iab-300x250", 300, frame)).toBe(
        sha256(frames.value.draw(frame).pixels),
      );
    frames.value.close();
  });
  const measured = await ask<{ value: { role: string; byteLength: number; compliance: object }[] }>(
    page,
    "measure",
    "iab-300x250",
  );
  expect(measured.value.map(({ role }) => role)).toEqual(["primary", "backup"]);
  expect(measured.value[0]?.byteLength).toBeLessThanOrEqual(150_000);
});

test("detects a cut-out's content, and the colours of logo and photo", async () => {
  const { page } = await openTab(trial);
  await ask(page, "open", {});
  const slotOf = async (name: string, mimeType: string) =>
    slotOfCutOut((await ask<{ value: PictureFacts }>(page, "examine", `/samples/${name}`, mimeType)).value);
  expect(await slotOf("bottle.png", "image/png")).toBe("product");
  expect(await slotOf("dandelion.jpg", "image/jpeg")).toBe("media");
  const { pictures } = await ask<DrawnGrid>(
    page,
    "draw",
    gridInputs({ sizes: gridInputs().sizes.slice(0, 1) }),
  );
  expect(Object.keys(pictures).sort()).toEqual(["logo", "media"]);
  const colours = Object.values(pictures).flatMap((facts) => facts.colours.map(({ colour }) => colour));
  expect(colours.length).toBeGreaterThan(2);
  expect(new Set(colours).size).toBe(colours.length);
});

async function composeStillLoaded(pack: Parameters<typeof composeStill>[0], copy: object) {
  await pack.fonts.load(copy);
  const paid = composeStill(pack, { size: catalogueSize("iab-300x250"), copy, variant: 2 });
  if (!paid.ok) throw new Error(paid.message);
  return paid.value.canvas;
}

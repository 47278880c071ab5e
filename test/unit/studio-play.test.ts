import { expect, it } from "vitest";
import type { ScreenFrames } from "#renderer/index.ts";
import { createFrameQueue, frameBefore, playMsOf } from "../../studio/src/editor/grid/frame-queue.ts";
import { createAnimationCache } from "../../studio/src/engine/animation-cache.ts";
import { createFrameCache } from "../../studio/src/engine/frame-cache.ts";
import { createPackCache } from "../../studio/src/engine/pack-cache.ts";
import { performTask } from "../../studio/src/engine/perform-task.ts";
import type { FrameTask, OutputSpec } from "../../studio/src/engine/protocol.ts";
import { readSample, renderer } from "../support/renderer.ts";

const file = new Blob([Uint8Array.from(readSample("dandelion.jpg"))]);

const frameTask = (frame: number, own: Partial<OutputSpec> = {}): FrameTask => ({
  kind: "frame",
  frame,
  pack: { assets: { media: { id: "media", mimeType: "image/jpeg", file } }, brand: {}, look: "classic" },
  output: {
    sizeId: "iab-120x60",
    copy: {},
    placements: {},
    variant: 1,
    motion: "animated",
    format: "html5",
    widthPx: 120,
    protection: "none",
    markSeed: 0,
    ...own,
  },
});

it("an animation is composed once for all of its frames, and freed before another task", async () => {
  const composed: string[] = [];
  const counting = {
    ...renderer,
    frames: async (...asked: Parameters<typeof renderer.frames>) => {
      const frames = await renderer.frames(...asked);
      if (!frames.ok) return frames;
      composed.push("composed");
      const close = (): void => {
        composed.push("freed");
        frames.value.close();
      };
      return { ok: true as const, value: { ...frames.value, close } satisfies ScreenFrames };
    },
  };
  const packs = createPackCache(renderer, () => {});
  const kept = { packs, animation: createAnimationCache(counting) };
  for (const task of [frameTask(0), frameTask(40), frameTask(12), frameTask(12, { variant: 2 })])
    expect((await performTask(renderer, kept, task, async () => false)).kind).toBe("frame");
  await performTask(renderer, kept, { ...frameTask(0), kind: "draw" }, async () => false);
  expect(composed).toEqual(["composed", "freed", "composed", "freed"]);
});

it("of the frames requested during a drawing, the first and the last are drawn", async () => {
  const drawn: number[] = [];
  const queue = createFrameQueue(async (frame) => {
    drawn.push(frame);
    await Promise.resolve();
  });
  for (const frame of [3, 4, 5, 6]) queue.ask(frame);
  await expect.poll(() => drawn).toEqual([3, 6]);
});

it("the most recently used frames are cached, within a byte limit", () => {
  const picture = { width: 10, height: 10, data: new Uint8ClampedArray(400), colorSpace: "srgb" } as const;
  const kept = createFrameCache(800);
  kept.keep("a", picture);
  kept.keep("b", picture);
  kept.get("a");
  kept.keep("c", picture);
  expect(["a", "b", "c"].filter((key) => kept.get(key) !== null)).toEqual(["a", "c"]);
});

it("a time selects the frame shown then, and no frame from the end card on", () => {
  const delaysMs = [100, 100, 300];
  expect(playMsOf(delaysMs)).toBe(500);
  expect([0, 99, 100, 199, 200, 500].map((ms) => frameBefore(delaysMs, ms))).toEqual([
    0,
    0,
    1,
    1,
    null,
    null,
  ]);
});

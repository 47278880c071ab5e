import { expect, it } from "vitest";
import { createKeptPacks } from "../../studio/src/engine/kept-packs.ts";
import { performTask } from "../../studio/src/engine/perform-task.ts";
import type { Task } from "../../studio/src/engine/protocol.ts";
import { readSample, renderer } from "../support/renderer.ts";

/** Guarantee: an animation is drawn frame by frame, and no further once nobody waits for it. */

const file = new Blob([Uint8Array.from(readSample("dandelion.jpg"))]);

const PLAY: Task = {
  kind: "play",
  pack: { assets: { media: { id: "media", mimeType: "image/jpeg", file } }, brand: {}, look: "classic" },
  output: {
    sizeId: "iab-120x60",
    copy: {},
    placements: {},
    variant: 1,
    motion: "animated",
    format: "gif",
    widthPx: 120,
    protection: "none",
    markSeed: 0,
  },
};

it.each([
  [3, [0, 1, 2]],
  [null, Array.from({ length: 13 }, (_, frame) => frame)],
])("is left after %s frames", async (left, drawn) => {
  const frames: number[] = [];
  const answer = await performTask(
    renderer,
    createKeptPacks(renderer, () => {}),
    PLAY,
    { frame: (index) => void frames.push(index), isDropped: async () => frames.length === left },
  );
  expect(frames).toEqual(drawn);
  expect(answer.kind).toBe("play");
});

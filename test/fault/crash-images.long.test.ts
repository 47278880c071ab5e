import { beforeAll, expect, it } from "vitest";
import { reportStress } from "../stress/report.ts";
import { crashAtEveryStep } from "./crash-every-step.ts";
import { freshStorage } from "./fresh-storage.ts";
import { loadImage, newSigner, type Signer } from "./images.ts";
import type { World } from "./world.ts";

/**
 * If a request, drawing or loading of an image URL is interrupted at any await, the image is still drawn once and
 * charged once.
 */

beforeAll(freshStorage);
const MINUTE_MS = 60_000;

const MINUTES_MAX = 5;

/** Loads the image each minute like a browser, while the sweep runs and the queue delivers. */
async function untilShown(world: World, signer: Signer): Promise<void> {
  const path = await signer.path();
  for (let minute = 0; minute < MINUTES_MAX; minute += 1) {
    world.wait(MINUTE_MS);
    await world.sweep();
    await world.drain();
    if ((await loadImage(world, path)).status === 200) return;
  }
  expect.unreachable("the image is never shown");
}

it("the first request for an image survives a crash at any step", async ({ task }) => {
  const finding = await crashAtEveryStep({
    arrange: (world) => newSigner(world, { credits: 3 }),
    act: async (world, signer) => [200, 503].includes((await loadImage(world, await signer.path())).status),
    settle: untilShown,
  });
  reportStress(task, finding);
});

it("the drawing of an image survives a crash at any step", async ({ task }) => {
  const finding = await crashAtEveryStep({
    arrange: async (world) => {
      const signer = await newSigner(world, { credits: 3 });
      expect((await loadImage(world, await signer.path())).status).toBe(503);
      return signer;
    },
    act: async (world) => {
      const [message] = world.messages.splice(0, 1);
      if (message === undefined) return true;
      const isDone = await world.deliver(message);
      if (!isDone) world.takeBack(message);
      return isDone;
    },
    settle: untilShown,
  });
  reportStress(task, finding);
});

it("the request after an image was drawn survives a crash at any step", async ({ task }) => {
  const finding = await crashAtEveryStep({
    arrange: async (world) => {
      const signer = await newSigner(world, { credits: 3 });
      expect((await loadImage(world, await signer.path())).status).toBe(503);
      await world.drain();
      return signer;
    },
    act: async (world, signer) => (await loadImage(world, await signer.path())).status === 200,
    settle: untilShown,
  });
  reportStress(task, finding);
});

import { beforeAll, expect, it } from "vitest";
import { reportStress } from "../stress/report.ts";
import { selectRow } from "../support/database.ts";
import { expectInvariants } from "../support/jobs.ts";
import { freshStorage } from "./fresh-storage.ts";
import { CRASH_KINDS } from "./gate.ts";
import { loadImage, newSigner } from "./images.ts";
import { quietWorld } from "./world.ts";

/** Despite 500 random faults in loading and drawing images, each image costs one credit in the end. */

beforeAll(freshStorage);
const START_MS = Date.parse("2030-03-01T00:00:00.000Z");
const MINUTE_MS = 60_000;
const FAULTS = 500;
const IMAGES = 50;
const STEPS_MAX = 14;
const SEED = 32;

/** Mulberry32: the same seed gives the same faults. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

it(`despite random faults, each image URL costs one credit (seed ${SEED})`, async ({ task }) => {
  const world = quietWorld(START_MS);
  const signer = await newSigner(world, { credits: IMAGES + 10 });
  world.workspaceUnderTest = signer.workspaceId;
  const random = randomOf(SEED);
  const anyOf = (count: number) => Math.floor(random() * count);
  for (let fault = 0; fault < FAULTS; fault += 1) {
    const kind = CRASH_KINDS[anyOf(CRASH_KINDS.length)] ?? "fault-before";
    world.crash({ step: anyOf(STEPS_MAX), kind });
    const version = String(anyOf(IMAGES));
    if (random() < 0.6) await loadImage(world, await signer.path(version));
    else if (world.messages.length > 0) await world.deliverAt(anyOf(world.messages.length));
    else await world.sweepHome(signer.workspaceId);
    world.restart();
    world.wait(anyOf(MINUTE_MS));
  }
  const shown = new Set<number>();
  for (let round = 0; shown.size < IMAGES && round < 40; round += 1) {
    world.wait(MINUTE_MS * 10);
    await world.sweep();
    await world.drain();
    for (let image = 0; image < IMAGES; image += 1) {
      if (shown.has(image)) continue;
      const { status } = await loadImage(world, await signer.path(String(image)));
      expect([200, 429, 502, 503]).toContain(status);
      if (status === 200) shown.add(image);
    }
  }
  expect(shown.size).toBe(IMAGES);
  await expectInvariants(signer.workspaceId);
  const books = await selectRow<{ credits: number; drawn: number; images: number }>`SELECT credits,
    (SELECT count(*) FROM jobs j WHERE j.workspace_id = w.workspace_id AND status = 'succeeded') AS drawn,
    (SELECT count(DISTINCT image_hash) FROM jobs j WHERE j.workspace_id = w.workspace_id) AS images
    FROM workspaces w WHERE workspace_id = ${signer.workspaceId}`;
  expect(books).toEqual({ credits: 10, drawn: IMAGES, images: IMAGES });
  reportStress(task, { counts: { "faults over images": FAULTS } });
});

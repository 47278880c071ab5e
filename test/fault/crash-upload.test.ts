import { beforeAll, expect, it } from "vitest";
import { reportStress } from "../stress/report.ts";
import {
  type Caller,
  type Intent,
  newCaller,
  newIntent,
  postCompletion,
  postIntent,
  putBytes,
} from "./client.ts";
import { crashAtEveryStep } from "./crash-every-step.ts";
import { strayObjects } from "./dump.ts";
import { freshStorage } from "./fresh-storage.ts";
import { LOGO } from "./logo.ts";
import type { World } from "./world.ts";

/** An upload interrupted at any await and repeated ends like an undisturbed one. */

beforeAll(freshStorage);

const HOUR_MS = 60 * 60_000;

/** An SVG with a script, which is always refused. */
const REJECTED = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script>0</script></svg>');

/** Deletes the asset and runs the sweep. After that, storage must be empty. */
async function deleteAndPurge(
  world: World,
  { workspaceId, secret, assetId }: Caller & Intent,
): Promise<void> {
  await world.request({ method: "DELETE", path: `/api/v1/assets/${assetId}`, secret });
  world.wait(25 * HOUR_MS);
  for (let run = 0; run < 3; run += 1) await world.sweep();
  expect(await strayObjects(workspaceId)).toEqual([]);
}

it("the creation of an upload survives a crash at any step", async ({ task }) => {
  const finding = await crashAtEveryStep({
    arrange: () => newCaller({}),
    act: async (world, caller) => [200, 201].includes((await postIntent(world, caller)).status),
    settle: async () => undefined,
  });
  reportStress(task, finding);
});

it("an upload of bytes survives a crash at any step, and its stray objects are deleted with the asset", async ({
  task,
}) => {
  const finding = await crashAtEveryStep({
    arrange: async (world) => {
      const caller = await newCaller({});
      return { ...caller, ...(await newIntent(world, caller)) };
    },
    act: async (world, caller) => (await putBytes(world, caller, caller)).status === 204,
    settle: async (world, caller) => {
      expect((await postCompletion(world, caller, caller)).body.data).toMatchObject({ status: "ready" });
      await deleteAndPurge(world, caller);
    },
  });
  reportStress(task, finding);
});

it("the completion of an upload survives a crash at any step", async ({ task }) => {
  const finding = await crashAtEveryStep({
    arrange: async (world) => {
      const caller = await newCaller({});
      const intent = await newIntent(world, caller);
      await putBytes(world, caller, intent);
      return { ...caller, ...intent };
    },
    act: async (world, caller) => (await postCompletion(world, caller, caller)).status === 200,
    settle: async (world, caller) => {
      const again = await postCompletion(world, caller, caller);
      expect([again.status, again.body.data.status]).toEqual([200, "ready"]);
    },
  });
  reportStress(task, finding);
});

it("the completion of an upload with refused bytes survives a crash at any step", async ({ task }) => {
  expect(REJECTED.byteLength).not.toBe(LOGO.byteLength);
  const finding = await crashAtEveryStep({
    arrange: async (world) => {
      const caller = await newCaller({});
      const intent = await newIntent(world, caller, REJECTED.byteLength);
      await putBytes(world, caller, intent, REJECTED);
      return { ...caller, ...intent };
    },
    act: async (world, caller) =>
      (await postCompletion(world, caller, caller, REJECTED.byteLength)).status === 422,
    settle: async (world, caller) => {
      await world.sweep();
      expect(await strayObjects(caller.workspaceId)).toEqual([]);
    },
  });
  reportStress(task, finding);
});

import { beforeAll, expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { reportStress } from "../stress/report.ts";
import { messageOf } from "../support/homes.ts";
import { type Caller, newCaller, postImport } from "./client.ts";
import { crashAtEveryStep, type Scenario } from "./crash-every-step.ts";
import { strayObjects } from "./dump.ts";
import { freshStorage } from "./fresh-storage.ts";
import { LOGO } from "./logo.ts";
import type { World } from "./world.ts";

/**
 * An import that is interrupted at any await ends like an undisturbed one: the asset is ready or rejected, the URL is
 * deleted, and no object without a row remains.
 */

beforeAll(freshStorage);

/** An SVG with a script, which is always refused. */
const REJECTED = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script>0</script></svg>');

type Importing = Caller & { readonly assetId: string; readonly message: World["messages"][number] };

const sends =
  (bytes: Uint8Array, status = 200) =>
  async (): Promise<Response> =>
    new Response(bytes, { status, headers: { "Content-Type": "image/svg+xml" } });

async function untilEnded(world: World, { assetId, secret }: Importing, status: string): Promise<void> {
  const path = `/api/v1/assets/${assetId}`;
  const current = async () => (await world.request({ method: "GET", path, secret })).body.data.status;
  await world.untilEnded(
    "imports",
    LIMITS.importLeaseMs + 1_000,
    async () => (await current()) !== "processing",
  );
  expect(await current()).toBe(status);
}

/** Runs an import as the queue would. */
const attempt = (receive: () => Promise<Response>, end: "ready" | "rejected"): Scenario<Importing> => ({
  arrange: async (world) => {
    world.receive = receive;
    const caller = await newCaller({});
    const { body } = await postImport(world, caller);
    const message = world.queues.imports.shift();
    if (message === undefined) throw new Error("the import sent no message");
    return { ...caller, assetId: body.data.assetId, message };
  },
  act: (world, { message }) => world.deliver(message, "creative-packs-imports"),
  settle: async (world, caller) => {
    await untilEnded(world, caller, end);
    // A late duplicate must have no effect.
    await world.deliver(caller.message, "creative-packs-imports");
    await world.sweep();
    expect(await strayObjects(caller.workspaceId)).toEqual([]);
  },
});

it("the creation of an import survives a crash at any step", async ({ task }) => {
  const finding = await crashAtEveryStep({
    arrange: async (world) => {
      world.receive = sends(LOGO);
      return newCaller({});
    },
    act: async (world, caller) => [200, 202].includes((await postImport(world, caller)).status),
    settle: async (world, caller) => {
      const { status, body } = await postImport(world, caller);
      expect(status).toBe(200);
      const { assetId } = body.data;
      await world.deliverAll("imports");
      const message = {
        id: crypto.randomUUID(),
        attempts: 1,
        body: await messageOf(caller.workspaceId, { assetId }),
      };
      await untilEnded(world, { ...caller, assetId, message }, "ready");
    },
  });
  reportStress(task, finding);
});

it("the import of an accepted file survives a crash at any step", async ({ task }) => {
  reportStress(task, await crashAtEveryStep(attempt(sends(LOGO), "ready")));
});

it("the import of a refused file survives a crash at any step", async ({ task }) => {
  reportStress(task, await crashAtEveryStep(attempt(sends(REJECTED), "rejected")));
});

it("an import from an address that does not resolve survives a crash at any step", async ({ task }) => {
  reportStress(task, await crashAtEveryStep(attempt(sends(LOGO, 404), "rejected")));
});

import { beforeAll, expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { reportStress } from "../stress/report.ts";
import { type Caller, newCaller, ordered, postOrder } from "./client.ts";
import { crashAtEveryStep, type Scenario } from "./crash-every-step.ts";
import { strayObjects } from "./dump.ts";
import { freshStorage } from "./fresh-storage.ts";
import { LOGO } from "./logo.ts";

/**
 * If the request or an import of an order with files by URL is interrupted at any await, and the request is repeated
 * with its Idempotency-Key, the order is accepted and charged once, and each file is imported once.
 */

beforeAll(freshStorage);

const send = (bytes: Uint8Array, status = 200) =>
  Promise.resolve(new Response(bytes, { status, headers: { "Content-Type": "image/svg+xml" } }));

const order = (credits: number, status: number, sent = () => send(LOGO)): Scenario<Caller> => ({
  arrange: async (world) => {
    world.receive = sent;
    return newCaller({ credits });
  },
  act: async (world, caller) => [status, 200].includes((await ordered(world, caller)).status),
  settle: async (world, caller) => {
    world.wait(LIMITS.importLeaseMs + 1_000);
    await world.sweep();
    await world.deliverAll("imports");
    await world.drain();
    const { status: last, body } = await postOrder(world, caller);
    expect([last, body.data?.status]).toEqual(status === 202 ? [200, "succeeded"] : [status, undefined]);
    expect(await strayObjects(caller.workspaceId)).toEqual([]);
  },
});

it("an accepted order survives a crash at any step", async ({ task }) => {
  reportStress(task, await crashAtEveryStep(order(3, 202)));
});

it("an order without enough credits imports nothing, despite a crash at any step", async ({ task }) => {
  const fetched = () => Promise.reject(new Error("a refused order had its file fetched"));
  reportStress(task, await crashAtEveryStep(order(1, 402, fetched)));
});

it("an order with a refused file survives a crash at any step", async ({ task }) => {
  const script = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script>0</script></svg>');
  reportStress(task, await crashAtEveryStep(order(3, 422, () => send(script))));
});

it("an order repeated once its missing file is available survives a crash at any step", async ({ task }) => {
  let isThere = false;
  const scenario = order(3, 202, () => send(LOGO, isThere ? 200 : 404));
  const finding = await crashAtEveryStep({
    ...scenario,
    arrange: async (world) => {
      isThere = false;
      const caller = await scenario.arrange(world);
      expect((await ordered(world, caller)).status).toBe(422);
      isThere = true;
      return caller;
    },
  });
  reportStress(task, finding);
});

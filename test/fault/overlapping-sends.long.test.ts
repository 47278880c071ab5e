import { beforeAll, expect, it, vi } from "vitest";
import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import type { DestinationRequest } from "#domains/deliveries/save-destination.ts";
import { log } from "#platform/log/log.ts";
import { reportStress } from "../stress/report.ts";
import { stressScale } from "../stress/scale.ts";
import { execute } from "../support/database.ts";
import {
  DELIVERIES,
  expectInStore,
  expectOneMessage,
  type Sending,
  sending,
  statusOf,
  TO_STORE,
  untilQuiet,
  WEBHOOK,
} from "./deliveries.ts";
import { dumpOf } from "./dump.ts";
import { freshStorage } from "./fresh-storage.ts";
import { hangAttempt } from "./hang-attempt.ts";
import { World } from "./world.ts";

/**
 * A delivery attempt that hangs at any await while another attempt runs, or while its delivery ends, does no harm when
 * it continues: the delivery ends once, and the receiver has everything.
 */

beforeAll(freshStorage);
const START_MS = Date.parse("2032-01-01T00:00:00.000Z");
const STEPS_MAX = 100;

type ConcurrentAct = (world: World, sent: Sending) => Promise<unknown>;

/** Concurrent events, and the possible ends of the delivery after each. */
const CONCURRENT_ACTS: Readonly<
  Record<string, { readonly act: ConcurrentAct; readonly ends: readonly string[] }>
> = {
  "the same message is delivered again": {
    act: (world, { message }) => world.deliver({ ...message, attempts: 2 }, DELIVERIES),
    ends: ["succeeded"],
  },
  "its lease ends and another message takes over": {
    act: (world, { message }) => {
      world.wait(DELIVERY_LIMITS.leaseMs + 1);
      return world.deliver({ ...message, id: "another" }, DELIVERIES);
    },
    ends: ["succeeded"],
  },
  "another message is delivered during its lease": {
    act: (world, { message }) => world.deliver({ ...message, id: "another" }, DELIVERIES),
    ends: ["succeeded"],
  },
  "the queue dead-letters the message": {
    act: (world, { message }) => world.deliver(message, `${DELIVERIES}-dead`),
    ends: ["succeeded", "dead"],
  },
  "its destination is removed": {
    act: (_, { destinationId }) =>
      execute`UPDATE destinations SET deleted_at = 1, sealed = NULL
        WHERE destination_id = ${destinationId}`,
    ends: ["succeeded", "dead"],
  },
};

interface End {
  readonly sent: Sending;
  readonly status: string | null;
  readonly dump: unknown;
  /** Whether the attempt reached the step at which it was to hang. */
  readonly didHang: boolean;
}

async function hangAt(
  request: DestinationRequest,
  step: number,
  concurrent: ConcurrentAct | null,
): Promise<End> {
  const world = new World(START_MS);
  const sent = await sending(world, request);
  const { didHang, isAcknowledged, other } = await hangAttempt(
    world,
    sent.message,
    { queue: DELIVERIES, step },
    async (beside) => concurrent?.(beside, sent),
  );
  if (!isAcknowledged) await other.deliver({ ...sent.message, attempts: 3 }, DELIVERIES);
  await untilQuiet(other, sent.workspaceId);
  return {
    sent,
    status: await statusOf(sent.deliveryId),
    dump: await dumpOf(sent.workspaceId),
    didHang,
  };
}

/**
 * Quick runs hang at every third step of an attempt to a webhook, which has few steps, and at every sixteenth of an
 * attempt to a store. Each concurrent event starts at a different step, so that together they cover nearly all steps of
 * the attempt to a webhook.
 */
const CASES = Object.entries(CONCURRENT_ACTS).flatMap(([name, concurrent], turn) => [
  { name, concurrent, turn, strideMax: 3, to: "a webhook", request: WEBHOOK, check: expectOneMessage },
  { name, concurrent, turn, strideMax: 16, to: "a store", request: TO_STORE, check: expectInStore },
]);

const undisturbed = new Map<DestinationRequest, Promise<End>>();

/** The end of an undisturbed attempt; computed once for all cases. */
function undisturbedEnd(request: DestinationRequest): Promise<End> {
  const end = undisturbed.get(request) ?? hangAt(request, STEPS_MAX, null);
  undisturbed.set(request, end);
  return end;
}

it.for(CASES)("a delivery attempt to $to may hang while $name", async (sends, { task }) => {
  const { request, concurrent, check } = sends;
  vi.spyOn(log, "line").mockReturnValue();
  vi.spyOn(log, "failure").mockReturnValue();
  const expected = await undisturbedEnd(request);
  expect(expected.status).toBe("succeeded");
  const stride = Math.min(sends.strideMax, stressScale().crashStride);
  let steps = 0;
  for (let step = sends.turn % stride; step < STEPS_MAX; step += stride) {
    const end = await hangAt(request, step, concurrent.act);
    if (!end.didHang) break;
    steps += 1;
    expect(concurrent.ends, `hung at step ${step}`).toContain(end.status);
    if (end.status !== "succeeded") continue;
    check(end.sent);
    if (!concurrent.ends.includes("dead")) expect(end.dump, `hung at step ${step}`).toEqual(expected.dump);
  }
  expect(steps).toBeGreaterThan(1);
  reportStress(task, { counts: { "overlapping attempts": steps } });
});

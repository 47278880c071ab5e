import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { readDetailedArtifact } from "#domains/artifacts/service.ts";
import { causeOfService } from "#domains/audit/audit-store.ts";
import { createDelivery } from "#domains/deliveries/manage-delivery.ts";
import {
  type DestinationRequest,
  type SavedDestination,
  saveDestination,
} from "#domains/deliveries/save-destination.ts";
import { readCapabilities } from "#platform/bindings/capabilities.ts";
import { S3Store } from "../../scripts/run/receivers/s3-store.ts";
import { selectValue } from "../support/database.ts";
import { answer, HOOK_URL, type Receivers, STORE, STORE_BODY } from "../support/deliveries.ts";
import { anyDatabase, messageOf } from "../support/homes.ts";
import { type Caller, callerWithJob } from "./client.ts";
import type { World } from "./world.ts";

/** Deliveries of a drawn pack, prepared without faults, and their expected end. */

export const DELIVERIES = "creative-packs-deliveries";
export const WEBHOOK = { kind: "webhook" as const, url: HOOK_URL };
export const TO_STORE: DestinationRequest = { ...STORE_BODY, kind: "s3" };

export const newReceivers = (): Receivers => ({
  store: new S3Store(STORE),
  messages: [],
  requests: [],
  answers: [],
  interceptStore: () => null,
});

function depsOf(world: World) {
  const { deliveries } = readCapabilities(env);
  if (deliveries === null) throw new Error("deliveries are not configured");
  const actor = { createdBy: "an-account-that-is-not-there", isOwner: true };
  return {
    db: anyDatabase(),
    nowMs: world.nowMs,
    actor,
    cause: causeOfService("system", world.nowMs),
    guards: [],
    origin: "https://packs.example",
    ...deliveries,
  };
}

/** Saves a destination that must be accepted. */
export async function destinationOf(
  world: World,
  workspaceId: string,
  request: DestinationRequest,
): Promise<SavedDestination> {
  const saved = await saveDestination(depsOf(world), workspaceId, request);
  if (!saved.ok) throw new Error(saved.message);
  return saved.value;
}

export interface Sending extends Caller {
  readonly deliveryId: string;
  readonly destinationId: string;
  readonly artifactId: string;
  readonly fileNames: readonly string[];
  readonly receivers: Receivers;
  /** The message in the queue. */
  readonly message: World["messages"][number];
}

/** A workspace with a drawn pack and no deliveries, and its receivers. */
export async function drawnPack(world: World) {
  const receivers = newReceivers();
  world.receive = (received) => answer(receivers, received);
  const caller = await callerWithJob(world, { credits: 5 });
  await world.drain();
  const artifactId = await selectValue<string>`SELECT artifact_id FROM jobs
    WHERE job_id = ${caller.jobId}`;
  const artifact = await readDetailedArtifact(
    depsOf(world),
    env.BUCKET,
    caller.workspaceId,
    artifactId ?? "",
  );
  if (!artifact.ok) throw new Error(artifact.message);
  const fileNames = artifact.value.files.map(({ fileName }) => fileName);
  return { ...caller, receivers, artifact: artifact.value, fileNames };
}

/** A drawn pack with a delivery, whose message is not consumed yet. */
export async function sending(world: World, request: DestinationRequest): Promise<Sending> {
  const { artifact, ...pack } = await drawnPack(world);
  const { destination } = await destinationOf(world, pack.workspaceId, request);
  const delivery = await createDelivery(depsOf(world), artifact, destination);
  if (!delivery.ok) throw new Error(delivery.message);
  const { deliveryId, destinationId } = delivery.value;
  return {
    ...pack,
    deliveryId,
    destinationId,
    artifactId: artifact.artifactId,
    message: {
      id: crypto.randomUUID(),
      attempts: 1,
      body: await messageOf(pack.workspaceId, { deliveryId }),
    },
  };
}

export const statusOf = (deliveryId: string): Promise<string | null> =>
  selectValue`SELECT status FROM deliveries WHERE delivery_id = ${deliveryId}`;

const LONGER_THAN_ANY_WAIT_MS = 7 * 60 * 60_000;

/** Waits until the workspace has no open work. */
export const untilQuiet = (world: World, workspaceId: string): Promise<void> =>
  world.untilEnded("deliveries", LONGER_THAN_ANY_WAIT_MS, async () => {
    const open = await selectValue`SELECT COUNT(*) AS count FROM deliveries
      WHERE workspace_id = ${workspaceId} AND finished_at IS NULL`;
    return open === 0;
  });

/** Checks that the store has the whole pack, and that its manifest was stored last. */
export function expectInStore({ receivers, artifactId, fileNames }: Sending): void {
  const { store } = receivers;
  const keys = [...fileNames, "manifest.json"].map((fileName) => `launch/2026/${artifactId}/${fileName}`);
  expect([...store.objects.keys()].sort()).toEqual([...keys].sort());
  const firstManifest = store.order.findIndex((key) => key.endsWith("/manifest.json"));
  expect(new Set(store.order.slice(0, firstManifest)).size).toBe(fileNames.length);
}

/** Checks that the receiver got at least one message, all with one id. */
export function expectOneMessage({ receivers, deliveryId }: Sending): void {
  expect(new Set(receivers.messages.map(({ id }) => id))).toEqual(new Set([deliveryId]));
}

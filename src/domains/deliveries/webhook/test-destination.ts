import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { TEST_MESSAGE } from "#api/delivery-rules.ts";
import { accept, type Outcome, refuse } from "#api/errors.ts";
import { deliveries } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { newId } from "#platform/ids.ts";
import { pick } from "#platform/pick-members.ts";
import { acceptsDeliveries, type Delivery, selectDeliveries } from "../delivery-store.ts";
import { findStopped } from "../destination.ts";
import type { Destination } from "../destination-store.ts";
import { destinationRefusal } from "../manage-delivery.ts";

const others = alias(deliveries, "others");

interface NewTest {
  readonly deliveryId: string;
  readonly workspaceId: string;
  readonly destinationId: string;
  readonly nowMs: number;
}

const isUnderWay = (given: Given<NewTest>) =>
  sql`from ${deliveries} as ${others} where ${others.destinationId} = ${given.destinationId}
    and ${others.nextAttemptAt} is not null and ${others.eventType} = ${TEST_MESSAGE}`;

/**
 * Inserts a test message if the webhook is enabled, has no open test message, and is below its limit of open
 * deliveries.
 */
const insertTest = statement((given: Given<NewTest>) =>
  query.insert(deliveries).selecting(
    {
      ...pick(given, "deliveryId", "workspaceId", "destinationId"),
      eventType: TEST_MESSAGE,
      reference: sql`${`${TEST_MESSAGE}:`} || ${given.deliveryId}`,
      status: "queued",
      nextAttemptAt: given.nowMs,
      createdAt: given.nowMs,
    },
    sql`where ${acceptsDeliveries(given)} and not exists (select 1 ${isUnderWay(given)})`,
  ),
);

const openTest = statement((given: Given<NewTest>) =>
  selectDeliveries().where(
    sql`${deliveries.deliveryId} = (select ${others.deliveryId} ${isUnderWay(given)} limit 1)`,
  ),
);

/**
 * Sends a webhook a test message, or returns the one already open. 422 DESTINATION_UNSUPPORTED for a store, 409
 * DESTINATION_DISABLED, DESTINATION_PAUSED and DESTINATION_LIMIT_REACHED. `guards` fail the batch for a user who has
 * left.
 */
export async function testDestination(
  db: D1Database,
  guards: readonly D1PreparedStatement[],
  destination: Destination,
  nowMs: number,
): Promise<Outcome<Delivery>> {
  if (destination.kind !== "webhook") {
    return refuse("DESTINATION_UNSUPPORTED", "The destination is a store and takes no messages.", {
      nextAction: "Send an artifact to the store instead.",
    });
  }
  const stopped = findStopped(destination);
  if (stopped !== null) return stopped;
  const { workspaceId, destinationId } = destination;
  const row = { deliveryId: newId(), workspaceId, destinationId, nowMs };
  const results = await db.batch([...guards, insertTest.bind(db, row), openTest.bind(db, row)]);
  const delivery = openTest.row(results.at(-1));
  return delivery === null ? destinationRefusal(db, destination) : accept(delivery);
}

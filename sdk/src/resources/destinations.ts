import type { ApiPromise } from "../api-promise.ts";
import type { Operations } from "../generated/operations.ts";
import { List } from "../list.ts";
import type { RequestOptions } from "../options.ts";
import { Resource } from "../transport.ts";
import type {
  Delivery,
  DeliverySummary,
  Destination,
  DestinationList,
  Given,
  SaveDestination,
  SavedDestination,
  SendArtifact,
  StartedDelivery,
  UpdateDestination,
} from "../types.ts";

/** Webhooks and stores that packs and messages are sent to. Scope of all calls: `destinations:write`. */
export class DestinationsResource extends Resource {
  /** Lists all destinations without their secrets, newest first. */
  list(options: RequestOptions = {}): ApiPromise<DestinationList> {
    return this.transport.json({ operation: "listDestinations", options });
  }

  /** Reads a destination. Throws a `NotFoundError` once it is removed. */
  get(destinationId: string, options: RequestOptions = {}): ApiPromise<Destination> {
    return this.transport.json({ operation: "getDestination", path: { destinationId }, options });
  }

  /**
   * Saves a destination, or updates the one with the same address. Only this response contains the signing secret of a
   * new webhook, so the call is not retried after a lost response.
   */
  save(destination: Given<SaveDestination>, options: RequestOptions = {}): ApiPromise<SavedDestination> {
    return this.transport.json({ operation: "saveDestination", json: destination, options });
  }

  /** Changes the given members: events, low-balance threshold, or secret of a store. The address stays. */
  update(
    destinationId: string,
    changes: Given<UpdateDestination>,
    options: RequestOptions = {},
  ): ApiPromise<Destination> {
    const path = { destinationId };
    return this.transport.json({ operation: "updateDestination", path, json: changes, options });
  }

  /** Removes a destination with its secrets and returns it. */
  remove(destinationId: string, options: RequestOptions = {}): ApiPromise<Destination> {
    return this.transport.json({ operation: "removeDestination", path: { destinationId }, options });
  }

  /** Enables a destination that was disabled because its receiver answered 410. */
  enable(destinationId: string, options: RequestOptions = {}): ApiPromise<Destination> {
    return this.transport.json({ operation: "enableDestination", path: { destinationId }, options });
  }

  /** Sends a test message to a webhook. */
  test(destinationId: string, options: RequestOptions = {}): ApiPromise<Delivery> {
    return this.transport.json({ operation: "testDestination", path: { destinationId }, options });
  }

  /** Creates a new signing secret, returned only once. The old secret also signs for a day. */
  rotateSecret(destinationId: string, options: RequestOptions = {}): ApiPromise<SavedDestination> {
    return this.transport.json({ operation: "rotateSigningSecret", path: { destinationId }, options });
  }
}

/** Past and pending deliveries. Scope of all calls: `destinations:write`. */
export class DeliveriesResource extends Resource {
  /** Lists deliveries, newest first. */
  list(
    query: Operations["listDeliveries"]["query"] = {},
    options: RequestOptions = {},
  ): List<DeliverySummary> {
    return new List((before = query.before) =>
      this.transport.json({ operation: "listDeliveries", query: { ...query, before }, options }),
    );
  }

  /** Reads a delivery, with the objects of a store. */
  get(deliveryId: string, options: RequestOptions = {}): ApiPromise<Delivery> {
    return this.transport.json({ operation: "getDelivery", path: { deliveryId }, options });
  }

  /** Sends a pack to a saved or new destination. Additional scope: `artifacts:read`. */
  send(
    artifactId: string,
    destination: Given<SendArtifact>,
    options: RequestOptions = {},
  ): ApiPromise<StartedDelivery> {
    const path = { artifactId };
    return this.transport.json({ operation: "sendArtifact", path, json: destination, options });
  }

  /** Restarts a dead or waiting delivery. */
  retry(deliveryId: string, options: RequestOptions = {}): ApiPromise<Delivery> {
    return this.transport.json({ operation: "retryDelivery", path: { deliveryId }, options });
  }
}

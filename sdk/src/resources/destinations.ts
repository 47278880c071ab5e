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

/** Webhooks and stores that packs and messages are sent to. Scope of all: `destinations:write`. */
export class DestinationsResource extends Resource {
  /** All destinations, newest first, without their secrets. */
  list(options: RequestOptions = {}): ApiPromise<DestinationList> {
    return this.transport.json({ operation: "listDestinations", options });
  }

  /** A destination; a `NotFoundError` once it is removed. */
  get(destinationId: string, options: RequestOptions = {}): ApiPromise<Destination> {
    return this.transport.json({ operation: "getDestination", path: { destinationId }, options });
  }

  /**
   * Saves a destination, or brings the one of the same address up to date. The answer has the signing secret of a new
   * webhook, which is shown this once; so the call is not sent again when its answer is lost.
   */
  save(destination: Given<SaveDestination>, options: RequestOptions = {}): ApiPromise<SavedDestination> {
    return this.transport.json({ operation: "saveDestination", json: destination, options });
  }

  /** Changes what is given of its events, its mark or its store's secret; the address stays. */
  update(
    destinationId: string,
    changes: Given<UpdateDestination>,
    options: RequestOptions = {},
  ): ApiPromise<Destination> {
    const path = { destinationId };
    return this.transport.json({ operation: "updateDestination", path, json: changes, options });
  }

  /** Removes a destination with its secrets, and shows it as it was. */
  remove(destinationId: string, options: RequestOptions = {}): ApiPromise<Destination> {
    return this.transport.json({ operation: "removeDestination", path: { destinationId }, options });
  }

  /** Lets one that its receiver's 410 has disabled be sent to again. */
  enable(destinationId: string, options: RequestOptions = {}): ApiPromise<Destination> {
    return this.transport.json({ operation: "enableDestination", path: { destinationId }, options });
  }

  /** Sends a webhook a test message. */
  test(destinationId: string, options: RequestOptions = {}): ApiPromise<Delivery> {
    return this.transport.json({ operation: "testDestination", path: { destinationId }, options });
  }

  /** A new signing secret, shown this once; the old one signs beside it for a day. */
  rotateSecret(destinationId: string, options: RequestOptions = {}): ApiPromise<SavedDestination> {
    return this.transport.json({ operation: "rotateSigningSecret", path: { destinationId }, options });
  }
}

/** What was sent to destinations, or is to be. Scope of all: `destinations:write`. */
export class DeliveriesResource extends Resource {
  /** Deliveries, newest first. */
  list(
    query: Operations["listDeliveries"]["query"] = {},
    options: RequestOptions = {},
  ): List<DeliverySummary> {
    return new List((before = query.before) =>
      this.transport.json({ operation: "listDeliveries", query: { ...query, before }, options }),
    );
  }

  /** A delivery, with the objects of a store. */
  get(deliveryId: string, options: RequestOptions = {}): ApiPromise<Delivery> {
    return this.transport.json({ operation: "getDelivery", path: { deliveryId }, options });
  }

  /** Sends a pack to a saved or new destination. Scope: `artifacts:read` too. */
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

import type { CreateJob } from "creative-packs";
import type { Draft } from "../draft/draft.ts";

/**
 * An order as the draft keeps it from before it is sent until it has ended. Sent again with its key, it makes and pays the
 * same job.
 */
export interface DraftOrder {
  readonly idempotencyKey: string;
  readonly request: CreateJob;
  /** The draft that the request was made of; absent in orders that an earlier Studio kept. */
  readonly draft?: Draft;
  /** Credits. */
  readonly cost: number;
  /** Null until the service has answered. */
  readonly jobId: string | null;
}

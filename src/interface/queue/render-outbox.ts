import type { PendingOutputs } from "./render-messages.ts";

/** Jobs of this isolate and one database whose messages are to be sent. */
export interface Outbox {
  readonly waiting: PendingOutputs[];
  /** Since when a request has been sending; null while none is. */
  sendingSinceMs: number | null;
}

export const createOutbox = (): Outbox => ({ waiting: [], sendingSinceMs: null });

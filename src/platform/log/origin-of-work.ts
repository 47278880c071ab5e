import { AsyncLocalStorage } from "node:async_hooks";

/** The request that work belongs to, and the ids of what it has written for the queues. */
interface Origin {
  readonly requestId: string | undefined;
  readonly written: Set<string>;
}

const storage = new AsyncLocalStorage<Origin>();

/** Runs the work of a request: its log lines, and the queue messages of what it writes, carry the request's id. */
export const onBehalfOf = <T>(requestId: string | undefined, work: () => T): T =>
  storage.run({ requestId, written: new Set() }, work);

/** The id of the request that the present work belongs to; undefined in a sweep. */
export const originRequestId = (): string | undefined => storage.getStore()?.requestId;

/** Notes the id of a row that the present work has written for a queue. */
export const noteWritten = (id: string): void => {
  storage.getStore()?.written.add(id);
};

/** Whether the present work has written one of these ids. */
export const hasWritten = (ids: readonly unknown[]): boolean => {
  const written = storage.getStore()?.written;
  return written !== undefined && ids.some((id) => typeof id === "string" && written.has(id));
};

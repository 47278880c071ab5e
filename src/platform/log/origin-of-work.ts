import { AsyncLocalStorage } from "node:async_hooks";

/** The request behind the current work, and ids of the rows that it wrote for queues. */
interface Origin {
  readonly requestId: string | undefined;
  readonly written: Set<string>;
}

const storage = new AsyncLocalStorage<Origin>();

/** Runs work for a request: its log lines, and queue messages for its rows, carry the request's id. */
export const onBehalfOf = <T>(requestId: string | undefined, work: () => T): T =>
  storage.run({ requestId, written: new Set() }, work);

/** The id of the current work's request; undefined in a sweep. */
export const originRequestId = (): string | undefined => storage.getStore()?.requestId;

/** Records a row that the current work has written for a queue. */
export const noteWritten = (id: string): void => {
  storage.getStore()?.written.add(id);
};

/** Whether the current work has written one of these rows. */
export const hasWritten = (ids: readonly unknown[]): boolean => {
  const written = storage.getStore()?.written;
  return written !== undefined && ids.some((id) => typeof id === "string" && written.has(id));
};

import { loadOnce } from "#platform/concurrency/load-once.ts";

/** Background work, loaded at its first event. */

export const loadConsumers = loadOnce(() => import("./consume.ts"));
export const loadSweeps = loadOnce(() => import("./sweeps/run-sweeps.ts"));

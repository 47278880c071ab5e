import type { Context } from "hono";
import type { AppEnv } from "./context.ts";

/**
 * Lets work go on when the client hangs up. Work that is cut off would never release what it holds (a slot, the mutex of
 * the isolate's memory, a reserved preview), and the next request would wait in vain.
 */
export function outliveClient<T>(c: Context<AppEnv>, work: Promise<T>): Promise<T> {
  c.executionCtx.waitUntil(
    work.then(
      () => undefined,
      () => undefined,
    ),
  );
  return work;
}

import type { Context } from "hono";
import type { AppEnv } from "./context.ts";

/**
 * Lets work go on when the client hangs up. Cut off half-way it would keep what it holds (the isolate's memory, a
 * reserved unit), and whoever comes next would wait for nobody.
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

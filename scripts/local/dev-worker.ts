import type { Env } from "#platform/bindings/env.ts";
import worker from "../../src/worker.ts";
import { operate } from "./operator-statements.ts";

export { IdempotencyLock, PreviewQuota, RateLimitWindow } from "../../src/worker.ts";

/** The worker of `npm run dev`, with database access for `npm run workspace` and `npm run shards`. */
export default {
  ...worker,
  fetch: async (request, env, context) =>
    (await operate(request, env)) ?? worker.fetch(request, env, context),
} satisfies ExportedHandler<Env>;

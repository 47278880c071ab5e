import type { Env } from "#platform/bindings/env.ts";
import { operate } from "../../../scripts/local/operator-statements.ts";
import worker from "../../../src/worker.ts";

export { IdempotencyLock, PreviewQuota, RateLimitWindow } from "../../../src/worker.ts";

/** The whole service, and a way past it to its databases: what operators do to deployed ones while they are in use. */
export default {
  fetch: async (request, env, context) =>
    (await operate(request, env)) ?? worker.fetch(request, env, context),
  queue: (batch, env) => worker.queue(batch, env),
  scheduled: (controller, env) => worker.scheduled(controller, env),
} satisfies ExportedHandler<Env>;

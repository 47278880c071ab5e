import type { Env } from "#platform/bindings/env.ts";
import { operate } from "../../../scripts/local/operator-statements.ts";
import worker from "../../../src/worker.ts";

export { IdempotencyLock, PreviewQuota, RateLimitWindow } from "../../../src/worker.ts";

/**
 * The whole service with direct access to its databases, so that tests can do what operators do to a running
 * deployment.
 */
export default {
  fetch: async (request, env, context) =>
    (await operate(request, env)) ?? worker.fetch(request, env, context),
  queue: (batch, env) => worker.queue(batch, env),
  scheduled: (controller, env) => worker.scheduled(controller, env),
} satisfies ExportedHandler<Env>;

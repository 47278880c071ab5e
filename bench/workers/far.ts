import type { Env } from "#platform/bindings/env.ts";
import { oncePer } from "#platform/concurrency/once-per-object.ts";
import worker from "../../src/worker.ts";
import { inInvocation, waitingEnv } from "./waiting-bindings.ts";

export { IdempotencyLock, PreviewQuota, RateLimitWindow } from "../../src/worker.ts";

/** The whole service, far from its storage, with six connections for each request, batch of messages and run of the clock. */

/** The same for every request, as the real one is: the service keeps things for it. */
const envOf = oncePer((env: Env) => waitingEnv(env));

export default {
  fetch: (request, env, context) => inInvocation(() => worker.fetch(request, envOf(env), context)),
  queue: (batch, env) => inInvocation(() => worker.queue(batch, envOf(env))),
  scheduled: (controller, env) => inInvocation(() => worker.scheduled(controller, envOf(env))),
} satisfies ExportedHandler<Env>;

import type { Env } from "#platform/bindings/env.ts";
import worker from "../../src/worker.ts";
import { inInvocation, waitingEnv } from "./waiting-bindings.ts";

export { IdempotencyLock, PreviewQuota, RateLimitWindow } from "../../src/worker.ts";

/** The whole service far from its storage, with six connections per request, queue batch and scheduled run. */

let waiting: Env | null = null;

/** Shared by all requests like the real environment, because the service caches state per environment. */
function envOf(env: Env): Env {
  waiting ??= waitingEnv(env);
  return waiting;
}

export default {
  fetch: (request, env, context) => inInvocation(() => worker.fetch(request, envOf(env), context)),
  queue: (batch, env) => inInvocation(() => worker.queue(batch, envOf(env))),
  scheduled: (controller, env) => inInvocation(() => worker.scheduled(controller, envOf(env))),
} satisfies ExportedHandler<Env>;

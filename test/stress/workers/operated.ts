import { env as given } from "cloudflare:workers";
import type { Env } from "#platform/bindings/env.ts";
import { clock } from "#platform/clock.ts";
import { waitingEnv } from "../../../bench/workers/waiting-bindings.ts";
import { operate } from "../../../scripts/local/operated.ts";
import worker from "../../../src/worker.ts";
import { CLOCK_AHEAD_MS, SWEEPS_FROM_AFAR } from "./operated-variables.ts";

export { IdempotencyLock, PreviewQuota, RateLimitWindow } from "../../../src/worker.ts";

/**
 * The whole service, in a later time where that is asked for, and a way past it to its databases: what operators do to deployed
 * ones while they are in use.
 */

const variables = new Map<string, unknown>(Object.entries(given));
const aheadMs = Number(variables.get(CLOCK_AHEAD_MS) ?? 0);
clock.now = () => Date.now() + aheadMs;

const sweptEnv = (env: Env): Env => (variables.has(SWEEPS_FROM_AFAR) ? waitingEnv(env) : env);

export default {
  fetch: async (request, env, context) =>
    (await operate(request, env)) ?? worker.fetch(request, env, context),
  queue: (batch, env) => worker.queue(batch, env),
  scheduled: (controller, env) => worker.scheduled(controller, sweptEnv(env)),
} satisfies ExportedHandler<Env>;

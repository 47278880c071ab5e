import { env as given } from "cloudflare:workers";
import { waitingEnv } from "../../../bench/workers/waiting-bindings.ts";
import type { Env } from "../../../src/bindings/env.ts";
import type { ShardBindings } from "../../../src/databases/databases.ts";
import { clock } from "../../../src/platform/clock.ts";
import { oncePer } from "../../../src/platform/once-per.ts";
import worker from "../../../src/worker.ts";
import { CLOCK_AHEAD_MS, OPERATED_PATH, readOperation, SWEEPS_FROM_AFAR } from "./operation.ts";

export { IdempotencyLock, PreviewQuota, RateLimitWindow } from "../../../src/worker.ts";

/**
 * The whole service, in a later time where that is asked for, and a way past it to its databases: what operators do to deployed
 * ones while they are in use.
 */

const variables = new Map<string, unknown>(Object.entries(given));
const aheadMs = Number(variables.get(CLOCK_AHEAD_MS) ?? 0);
clock.now = () => Date.now() + aheadMs;

/** The same for every sweep, as the real one is: the service keeps things for it. */
const sweptEnv = oncePer((env: Env) => (variables.has(SWEEPS_FROM_AFAR) ? waitingEnv(env) : env));

async function operate(request: Request, env: Env & ShardBindings): Promise<Response> {
  const { binding, statements } = readOperation(await request.json());
  const db = new Map(Object.entries(env)).get(binding);
  if (typeof db !== "object" || !("prepare" in db)) return new Response("no such database", { status: 404 });
  try {
    const results = await db.batch(statements.map(({ sql, values }) => db.prepare(sql).bind(...values)));
    return Response.json(results);
  } catch (thrown) {
    return new Response(thrown instanceof Error ? thrown.message : String(thrown), { status: 409 });
  }
}

export default {
  fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    return pathname === OPERATED_PATH ? operate(request, env) : worker.fetch(request, env, context);
  },
  queue: (batch, env) => worker.queue(batch, env),
  scheduled: (controller, env) => worker.scheduled(controller, sweptEnv(env)),
} satisfies ExportedHandler<Env>;

import type { Env } from "../../../src/bindings/env.ts";
import type { ShardBindings } from "../../../src/databases/databases.ts";
import worker from "../../../src/worker.ts";
import { OPERATED_PATH, readOperation } from "./operation.ts";

export { IdempotencyLock, PreviewQuota, RateLimitWindow } from "../../../src/worker.ts";

/** The whole service, and a way past it to its databases: what operators do to deployed ones while they are in use. */

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
  scheduled: (controller, env) => worker.scheduled(controller, env),
} satisfies ExportedHandler<Env>;

import type { Env } from "#platform/bindings/env.ts";
import worker from "../../src/worker.ts";

export { IdempotencyLock, PreviewQuota, RateLimitWindow } from "../../src/worker.ts";

/**
 * The whole service with counted queues. `GET /bench/messages` returns the messages received per queue. `POST
 * /bench/sweep` runs the scheduled tasks once.
 */

const handed: Record<string, number> = {};

export default {
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (pathname === "/bench/messages") return Response.json(handed);
    if (pathname !== "/bench/sweep") return worker.fetch(request, env, context);
    const scheduledTime = Date.now();
    await worker.scheduled({ scheduledTime, cron: "* * * * *", noRetry: () => undefined }, env);
    return new Response(null, { status: 204 });
  },
  queue: (batch, env) => {
    handed[batch.queue] = (handed[batch.queue] ?? 0) + batch.messages.length;
    return worker.queue(batch, env);
  },
  scheduled: (controller, env) => worker.scheduled(controller, env),
} satisfies ExportedHandler<Env>;

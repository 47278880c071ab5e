import type { Env } from "#platform/bindings/env.ts";
import worker from "../../src/worker.ts";
import { type CallCounts, countCalls, waitingEnv } from "./waiting-bindings.ts";

export { IdempotencyLock, PreviewQuota, RateLimitWindow } from "../../src/worker.ts";

/**
 * The whole service, far from its storage. A request that has `Bench-Request` has its calls counted until its answer's
 * last byte is sent; `GET /bench/calls/{value of that header}` tells them.
 */

let waiting: Env | null = null;

/** The same for every request, as the real one is: the service keeps its state for one. */
function envOf(env: Env): Env {
  waiting ??= waitingEnv(env);
  return waiting;
}

const noCalls = (): CallCounts => ({ d1: 0, object: 0, r2: 0, queued: 0 });

const counted = new Map<string, CallCounts>();
const PATH = "/bench/calls/";

/** The answer, with `end` called when all of it is read. */
function withEnd(response: Response, end: () => void): Response {
  if (response.body === null) {
    end();
    return response;
  }
  const body = response.body.pipeThrough(new TransformStream({ flush: end }));
  return new Response(body, response);
}

export default {
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith(PATH)) {
      const id = pathname.slice(PATH.length);
      const calls = counted.get(id);
      counted.delete(id);
      return calls === undefined ? new Response(null, { status: 404 }) : Response.json(calls);
    }
    const id = request.headers.get("Bench-Request");
    if (id === null) return worker.fetch(request, envOf(env), context);
    const calls = noCalls();
    const response = await countCalls(calls, () => worker.fetch(request, envOf(env), context));
    return withEnd(response, () => counted.set(id, { ...calls }));
  },
  queue: (batch, env) => countCalls(noCalls(), () => worker.queue(batch, envOf(env))),
  scheduled: (controller, env) => countCalls(noCalls(), () => worker.scheduled(controller, envOf(env))),
} satisfies ExportedHandler<Env>;

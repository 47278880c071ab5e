import { answerByGroup } from "./interface/http/answer-by-group.ts";
import { addFrontPage } from "./interface/http/front-page.ts";
import { isolateOf } from "./interface/http/isolate-state.ts";
import { addEngineFiles } from "./interface/http/studio-page.ts";
import { showVerifiedImage } from "./interface/http/verified-images.ts";
import { addMcp } from "./interface/mcp/endpoint.ts";
import { addOAuth } from "./interface/oauth/endpoints.ts";
import { addDocumentation } from "./interface/openapi/documentation.ts";
import { loadConsumers, loadSweeps } from "./interface/queue/load-on-first-event.ts";
import { loadRoutes, ROUTE_GROUPS } from "./interface/routes/index.ts";
import type { Env } from "./platform/bindings/env.ts";
import { clock } from "./platform/clock.ts";

export { IdempotencyLock } from "./domains/idempotency/idempotency-lock.ts";
export { PreviewQuota } from "./domains/previews/count-previews.ts";
export { RateLimitWindow } from "./platform/durable-objects/rate-limit-window.ts";

const answer = answerByGroup(ROUTE_GROUPS, (app) => {
  addDocumentation(app, loadRoutes);
  addFrontPage(app);
  addEngineFiles(app);
  addMcp(app);
  addOAuth(app);
});

/**
 * Each kind of event loads its code when it first occurs, so that an isolate for Durable Objects or polls starts fast.
 */
export default {
  fetch: (request: Request, env: Env, context: ExecutionContext) => {
    const isolate = isolateOf(env);
    const shown = showVerifiedImage(request, isolate);
    return shown === null
      ? answer(request, isolate, context)
      : shown.then((response) => response ?? answer(request, isolate, context));
  },
  queue: async (batch, env) => {
    const { consume } = await loadConsumers();
    return consume(batch, isolateOf(env).capabilities);
  },
  scheduled: async (_controller, env) => {
    const { runSweeps } = await loadSweeps();
    return runSweeps(isolateOf(env).capabilities, clock.now());
  },
} satisfies ExportedHandler<Env>;

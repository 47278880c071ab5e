import { readCapabilities } from "./bindings/capabilities.ts";
import type { Env } from "./bindings/env.ts";
import { answerByGroup } from "./http/answer-by-group.ts";
import { addHomePage } from "./http/home-page.ts";
import { addEngineFiles } from "./http/studio-page.ts";
import { addMcp } from "./mcp/endpoint.ts";
import { addDocumentation } from "./openapi/documentation.ts";
import { clock } from "./platform/clock.ts";
import { loadConsumers, loadSweeps } from "./queue/load.ts";
import { loadRoutes, ROUTE_GROUPS } from "./routes/index.ts";

export { IdempotencyLock } from "./durable-objects/idempotency-lock.ts";
export { PreviewQuota } from "./durable-objects/preview-quota.ts";
export { RateLimitWindow } from "./durable-objects/rate-limit-window.ts";

/** Each kind of event loads what it needs when the first comes: an isolate of an object or of a poll starts without the rest. */
export default {
  fetch: answerByGroup(ROUTE_GROUPS, (app) => {
    addDocumentation(app, loadRoutes);
    addHomePage(app);
    addEngineFiles(app);
    addMcp(app);
  }),
  queue: async (batch, env) => {
    const { consume } = await loadConsumers();
    return consume(batch, env);
  },
  scheduled: async (_controller, env) => {
    const { runSweeps } = await loadSweeps();
    return runSweeps(readCapabilities(env), clock.now());
  },
} satisfies ExportedHandler<Env>;

import { readCapabilities } from "./bindings/capabilities.ts";
import type { Env } from "./bindings/env.ts";
import { answerRequests, createApp, refuseOtherMethods } from "./http/app.ts";
import { addMcp } from "./mcp/endpoint.ts";
import { clock } from "./platform/clock.ts";
import { consume } from "./queue/consume.ts";
import { runSweeps } from "./queue/run-sweeps.ts";
import { addRoutes } from "./routes/index.ts";

export { IdempotencyLock } from "./durable-objects/idempotency-lock.ts";
export { PreviewQuota } from "./durable-objects/preview-quota.ts";
export { RateLimitWindow } from "./durable-objects/rate-limit-window.ts";

const app = createApp();
addRoutes(app);
addMcp(app);
refuseOtherMethods(app);

export default {
  fetch: answerRequests(app),
  queue: (batch, env) => consume(batch, env),
  scheduled: (_controller, env) => runSweeps(readCapabilities(env), clock.now()),
} satisfies ExportedHandler<Env>;

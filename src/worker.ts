import { createApp, refuseOtherMethods } from "./http/app.ts";
import type { Env } from "./platform/env.ts";
import { addRoutes } from "./routes/index.ts";

export { IdempotencyLock } from "./objects/idempotency-lock.ts";
export { RateLimitWindow } from "./objects/rate-limit-window.ts";

const app = createApp();
addRoutes(app);
refuseOtherMethods(app);

export default {
  fetch: app.fetch,
} satisfies ExportedHandler<Env>;

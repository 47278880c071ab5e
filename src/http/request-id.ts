import { createMiddleware } from "hono/factory";
import { LIMITS } from "../contract/limits.ts";
import { readCapabilities } from "../platform/capabilities.ts";
import { clock } from "../platform/clock.ts";
import type { AppEnv } from "./context.ts";

/** Printable ASCII (RFC 20): safe in a header and, escaped, in JSON. What a log makes of it: platform/log.ts. */
const PRINTABLE = new RegExp(`^[\\x20-\\x7e]{1,${LIMITS.requestIdCharactersMax}}$`);

/** Begins every request: its id (the caller's where it is printable and short enough), its one time, what the origin can do. */
export const beginRequest = createMiddleware<AppEnv>(async (c, next) => {
  const offered = c.req.header("X-Request-ID");
  const requestId = offered !== undefined && PRINTABLE.test(offered) ? offered : crypto.randomUUID();
  c.set("requestId", requestId);
  c.set("nowMs", clock.now());
  c.set("capabilities", readCapabilities(c.env));
  c.header("X-Request-ID", requestId);
  await next();
});

import { createMiddleware } from "hono/factory";
import { LIMITS } from "../contract/limits.ts";
import { readCapabilities } from "../platform/capabilities.ts";
import { clock } from "../platform/clock.ts";
import type { AppEnv } from "./context.ts";

/** Printable ASCII without spaces, quotes or angle brackets: safe in a header, a log line and a web page. */
const SAFE_REQUEST_ID = new RegExp(`^[A-Za-z0-9._:/+=@-]{1,${LIMITS.requestIdCharactersMax}}$`);

/**
 * An API key, an invitation's code, an email address, the value of a session's cookie, or the token of a signed link:
 * whoever sends one as an id has mistaken the header, and the id stands in logs and answers.
 */
const SECRET_INSIDE = new RegExp(
  [
    /cpk_(?:live|trial)_|cpi_|\/downloads\//,
    /@[\w-]+\./,
    /\.[A-Za-z0-9+/]{43}=$/,
    /[0-9a-f]{8}\.[\w-]+\.[\w-]+$/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

const isTakenOver = (offered: string): boolean =>
  SAFE_REQUEST_ID.test(offered) && !SECRET_INSIDE.test(offered);

/** Begins every request: its id (the caller's when safe and no secret), its one time, what the origin can do. */
export const beginRequest = createMiddleware<AppEnv>(async (c, next) => {
  const offered = c.req.header("X-Request-ID");
  const requestId = offered !== undefined && isTakenOver(offered) ? offered : crypto.randomUUID();
  c.set("requestId", requestId);
  c.set("nowMs", clock.now());
  c.set("capabilities", readCapabilities(c.env));
  c.header("X-Request-ID", requestId);
  await next();
});

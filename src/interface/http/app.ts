import { OpenAPIHono, z } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { refuse } from "#api/errors.ts";
import { clock } from "#platform/clock.ts";
import { errorNameOf } from "#platform/log/fault.ts";
import { log, withDeferredLogs } from "#platform/log/log.ts";
import { onBehalfOf } from "#platform/log/origin-of-work.ts";
import type { AppEnv } from "./context.ts";
import { refuseWith } from "./envelope.ts";
import { onError, onInvalid } from "./error-handling.ts";
import { formatZodIssue } from "./format-zod-issue.ts";
import { HARDENING, requestIdOf } from "./request-id.ts";
import { studioPageOf } from "./studio-page.ts";
import { plainAddressesOf } from "./urls-without-secrets.ts";
import { refuseStaleAnswer } from "./workspace-database.ts";

/** Sets the request's id (see `requestIdOf`), time and capabilities. */
const beginRequest = createMiddleware<AppEnv>(async (c, next) => {
  const requestId = requestIdOf(c.req.header("X-Request-ID"));
  c.set("requestId", requestId);
  c.set("nowMs", clock.now());
  c.set("capabilities", c.env.capabilities);
  c.header("X-Request-ID", requestId);
  await onBehalfOf(requestId, next);
});

/**
 * Logs one line per request: caller (by id), operation, status, duration. Never the path, which may contain a token.
 */
const logRequest = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  // `c.var` copies all variables on each access; `c.get` does not.
  const principal: AppEnv["Variables"]["principal"] | undefined = c.get("principal");
  const session: AppEnv["Variables"]["session"] | undefined = c.get("session");
  const errorCode = c.get("errorCode");
  log.line({
    event: "request",
    requestId: c.get("requestId"),
    operation: c.get("operation") ?? "unknown",
    status: c.res.status,
    durationMs: clock.now() - c.get("nowMs"),
    ...(errorCode === undefined ? {} : { code: errorCode }),
    ...(session === undefined ? {} : { accountId: session.accountId }),
    ...c.get("subject"),
    ...(principal === undefined ? {} : { workspaceId: principal.workspaceId, apiKeyId: principal.apiKeyId }),
  });
});

/** Adds the security headers and a default Cache-Control to every answer, unless the route has set them. */
const harden = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const { headers } = c.res;
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  for (const [name, value] of Object.entries(HARDENING)) if (!headers.has(name)) headers.set(name, value);
});

/** Wraps a thrown value that is not an Error: Hono would rethrow it to the runtime, which prints it. */
class ThrownValue extends Error {
  override readonly name: string;
  constructor(thrown: unknown) {
    super();
    this.name = errorNameOf(thrown);
  }
}

const throwOnlyErrors = createMiddleware<AppEnv>(async (_, next) => {
  try {
    await next();
  } catch (thrown) {
    throw thrown instanceof Error ? thrown : new ThrownValue(thrown);
  }
});

/** Creates an application with the middleware that all routes share. */
export function createApp(): OpenAPIHono<AppEnv> {
  z.config({ customError: formatZodIssue });
  const app = new OpenAPIHono<AppEnv>({ defaultHook: onInvalid });
  app.use(throwOnlyErrors);
  app.use(beginRequest);
  app.use(logRequest);
  app.use(harden);
  app.use(refuseStaleAnswer);
  app.onError(onError);
  app.notFound(
    async (c) =>
      (await studioPageOf(c)) ?? refuseWith(c, refuse("ROUTE_NOT_FOUND", "No route has this path.")),
  );
  return app;
}

/** Answers 405 with Allow for other methods on the paths added since the last call. */
export function refuseOtherMethods(app: OpenAPIHono<AppEnv>): void {
  const methodsByPath = new Map<string, Set<string>>();
  const refused = new Set(app.routes.filter(({ method }) => method === "ALL").map(({ path }) => path));
  for (const route of app.routes) {
    // OPTIONS is only a CORS preflight here, so Allow does not list it.
    if (refused.has(route.path) || route.method === "OPTIONS") continue;
    const methods = methodsByPath.get(route.path) ?? new Set<string>();
    methodsByPath.set(route.path, methods.add(route.method));
    if (route.method === "GET") methods.add("HEAD");
  }
  for (const [path, methods] of methodsByPath) {
    const allow = [...methods].sort().join(", ");
    app.all(path, (c) => {
      c.header("Allow", allow);
      return refuseWith(c, refuse("METHOD_NOT_ALLOWED", `This path takes ${allow}.`));
    });
  }
}

/**
 * Returns the worker's fetch handler. Defers the log lines of a request whose URL may contain a secret. A URL contains
 * none if each part is a known word of a path (the application's or `otherPaths`), an id or a plain query value. Call
 * after all routes are added.
 */
export function answerRequests(
  app: OpenAPIHono<AppEnv>,
  otherPaths: readonly string[],
): OpenAPIHono<AppEnv>["fetch"] {
  const isPlain = plainAddressesOf([...app.routes.map(({ path }) => path), ...otherPaths]);
  return (request, ...rest) =>
    isPlain(request.url) ? app.fetch(request, ...rest) : withDeferredLogs(() => app.fetch(request, ...rest));
}

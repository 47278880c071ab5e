import type { RouteConfig, RouteHandler, z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { ERRORS, type ErrorStatus } from "../contract/errors.ts";
import type { RouteFamily } from "../contract/limits.ts";
import { errorEnvelope, successEnvelope } from "../contract/schemas/envelope.ts";
import type { Scope } from "../contract/scopes.ts";
import type { Capability } from "../platform/capabilities.ts";
import { authenticate, type KeyMemoryUse } from "./authenticate.ts";
import type { AppEnv } from "./context.ts";
import { readJsonBody, requireJsonType } from "./json-body.ts";
import { rateLimit, rateLimitBesideRead } from "./rate-limit.ts";
import { requireCapability } from "./require-capability.ts";

/** What makes an operation: what it is called, how often it may be, and what it needs. */
interface OperationDefinition {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag:
    | "Balance"
    | "Keys"
    | "Assets"
    | "Previews"
    | "Jobs"
    | "Artifacts"
    | "Catalogue"
    | "Service"
    | "Account";
  /** Fixed window it counts in; null where it has none. */
  readonly family: RouteFamily | null;
  /** Capabilities without which it answers 501. */
  readonly needs: readonly Capability[];
  readonly takesJson?: boolean;
  /**
   * Its effect fails by itself for a key revoked meanwhile (`assertKeyActive`), so the key may be remembered.
   * Whatever else it answers, it answers after it has read the key anew (`authenticate`).
   */
  readonly isKeyCheckedInEffect?: boolean;
}

/** What only reads may take a key for what it was within the last seconds; what writes or spends asks each time. */
function keyMemoryFor(scope: Scope, { isKeyCheckedInEffect }: OperationDefinition): KeyMemoryUse {
  if (scope.endsWith(":read")) return "for-reads";
  return isKeyCheckedInEffect === true ? "for-new-effects" : "never";
}

const requireCapabilities = (needs: readonly Capability[]) =>
  createMiddleware<AppEnv>(async (c, next) => {
    for (const capability of needs) requireCapability(c, capability);
    await next();
  });

/** Who may call an operation: what lets them in, and how the documentation says it. */
export interface Access {
  /** Runs after the body has been read, before capabilities and validation. */
  readonly middleware: readonly MiddlewareHandler<AppEnv>[];
  readonly security: readonly Record<string, string[]>[];
  readonly words: string;
}

const PUBLIC: Access = { middleware: [], security: [], words: "Public." };

/** What the family `read` counts changes nothing, and so may be read for nothing. */
function countedIn(family: RouteFamily | null): readonly MiddlewareHandler<AppEnv>[] {
  if (family === null) return [];
  return [family === "read" ? rateLimitBesideRead(family) : rateLimit(family)];
}

const keyAccess = (scope: Scope, definition: OperationDefinition): Access => ({
  middleware: [authenticate(scope, keyMemoryFor(scope, definition)), ...countedIn(definition.family)],
  security: [{ bearerKey: [] }, { headerKey: [] }],
  words: `Scope: \`${scope}\`.`,
});

/**
 * The parts of a route that follow from its definition: documentation, security and the middleware in the
 * service's one order (body size and body → authenticate → scope → rate limit → capabilities → body type → validation).
 * Spread it into `createRoute`.
 */
export const operation = ({ scope, ...definition }: OperationDefinition & { readonly scope: Scope | null }) =>
  operationFor(scope === null ? PUBLIC : keyAccess(scope, definition), definition);

/** As `operation`, for callers who are let in otherwise than by an API key. */
export function operationFor(access: Access, definition: OperationDefinition) {
  const { operationId, family } = definition;
  const middleware: MiddlewareHandler<AppEnv>[] = [
    createMiddleware<AppEnv>(async (c, next) => {
      c.set("operation", operationId);
      await next();
    }),
  ];
  if (definition.takesJson) middleware.push(readJsonBody);
  middleware.push(...access.middleware, requireCapabilities(definition.needs));
  if (definition.takesJson) middleware.push(requireJsonType);
  return {
    operationId,
    summary: definition.summary,
    description: [
      definition.description,
      access.words,
      family === null ? undefined : `Route family: \`${family}\`.`,
    ]
      .filter((line) => line !== undefined)
      .join("\n\n"),
    tags: [definition.tag],
    ...(family === null ? {} : { "x-route-family": family }),
    security: [...access.security],
    middleware,
  };
}

export const RATE_LIMIT_HEADERS = {
  "X-Request-ID": {
    description: "Correlation id; the caller's own when it sent one of up to 128 printable ASCII characters.",
    schema: { type: "string" },
  },
  "X-RateLimit-Limit": {
    description: "Requests a window for the route family.",
    schema: { type: "integer" },
  },
  "X-RateLimit-Remaining": {
    description: "Requests left in the window.",
    schema: { type: "integer", minimum: 0 },
  },
  "X-RateLimit-Reset": {
    description: "When the window resets, UTC.",
    schema: { type: "string", format: "date-time" },
  },
} as const;

/** A documented success of a rate-limited route. */
export const success = <T extends z.ZodType>(resource: T, description: string) => ({
  description,
  headers: RATE_LIMIT_HEADERS,
  content: { "application/json": { schema: successEnvelope(resource) } },
});

/** A documented success without a body. */
export const successWithoutBody = (description: string) => ({ description, headers: RATE_LIMIT_HEADERS });

/** What each refused status says; the documentation's words for it. */
export const STATUS_MEANINGS: Readonly<Record<ErrorStatus, string>> = {
  400: "The body, query or a required header is invalid.",
  401: "The key or session is missing, malformed, expired, revoked or inactive.",
  402: "Paid access is insufficient for the requested sizes.",
  403: "The key or role lacks the required scope, or the access.",
  404: "Not found in the workspace.",
  405: "The path does not take this method.",
  409: "Idempotency conflict, or a state that does not allow it.",
  413: "The upload is too large.",
  415: "The content type is not one the route takes.",
  422: "A named asset, slot, size, combination or format is unsupported.",
  429: "The window or allowance is exhausted.",
  500: "The service failed. Sent again with the same Idempotency-Key, the request still has one effect.",
  501: "This origin is not configured for the service.",
  502: "The upload service is not configured, or rendering failed.",
  503: "The service is unavailable for a moment.",
};

const codesOf = (status: ErrorStatus): string =>
  Object.entries(ERRORS)
    .filter(([, rule]) => rule.status === status)
    .map(([code]) => `\`${code}\``)
    .join(", ");

/** Documented refusals. Typed as a bare object: handlers never return these, `onError` does. */
export function failures(...statuses: ErrorStatus[]): object {
  return failuresWith({}, ...statuses);
}

/** As `failures`, with headers that these refusals carry besides. */
export function failuresWith(headers: object, ...statuses: ErrorStatus[]): object {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: `${STATUS_MEANINGS[status]} Codes: ${codesOf(status)}.`,
        headers: {
          ...(status === 429
            ? {
                ...RATE_LIMIT_HEADERS,
                "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 1 } },
              }
            : { "X-Request-ID": RATE_LIMIT_HEADERS["X-Request-ID"] }),
          ...headers,
        },
        content: { "application/json": { schema: errorEnvelope } },
      },
    ]),
  );
}

/** A route and its handler, bound to this service's context; `routes/index.ts` lists them. */
export const defineRoute = <R extends RouteConfig>(route: R, handler: RouteHandler<R, AppEnv>) => ({
  route,
  handler,
});

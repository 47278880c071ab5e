import { type RouteConfig, z } from "@hono/zod-openapi";
import { ERRORS, type ErrorCode, type ErrorStatus } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import { errorEnvelope, successEnvelope } from "#api/schemas/envelope.ts";
import type { Access } from "../http/access.ts";
import { KEY_CHALLENGE } from "../http/agent-challenge.ts";
import { BOOKMARK_HEADER, bookmarkHeaders } from "../http/bookmark.ts";
import { isKeyRefusal } from "../http/envelope.ts";
import { idempotencyHeaders } from "../http/idempotency-header.ts";
import { PREFER_HEADER, PREFERENCE_APPLIED_HEADER } from "../http/prefer-wait.ts";
import { type HeaderDescriptions, pathParameters, type RouteDeclaration, windowOf } from "../http/route.ts";
import { errorCodesOf } from "./error-codes.ts";

/** Meaning of each error status. */
const STATUS_MEANINGS: Readonly<Record<ErrorStatus, string>> = {
  400: "The body, the query or a required header is invalid.",
  401: "The key or session is missing, malformed, expired or revoked, or its workspace is inactive.",
  402: "The credits or the subscription do not cover the cost.",
  403: "The key lacks a scope, the role is insufficient, or the request is not allowed.",
  404: "The resource does not exist.",
  405: "The path does not support this method.",
  409: "The Idempotency-Key or the state of the resource conflicts with the request.",
  413: "The body is too large.",
  415: "The route does not accept this content type.",
  422: "The request is well-formed, but a value in it cannot be used.",
  429: "A rate limit or an allowance is exhausted.",
  500: "The service failed. A retry with the same Idempotency-Key takes effect at most once.",
  501: "A required service is not configured on this origin.",
  502: "A provider or a rendering failed, or the upload service is not configured.",
  503: "The service is temporarily unavailable.",
};

const REQUEST_ID_HEADER = {
  "X-Request-ID": {
    description:
      `Id of the request. The caller may send its own, up to ${LIMITS.requestIdCharactersMax} printable ASCII ` +
      "characters.",
    schema: { type: "string" },
  },
};

const WINDOW_HEADERS = {
  "X-RateLimit-Limit": {
    description: "Requests per window for the route family.",
    schema: { type: "integer" },
  },
  "X-RateLimit-Remaining": {
    description: "Requests left in the window.",
    schema: { type: "integer", minimum: 0 },
  },
  "X-RateLimit-Reset": {
    description: "When the window resets, UTC. For a 429 with another cause: when `Retry-After` has passed.",
    schema: { type: "string", format: "date-time" },
  },
};

const REPLAYED_HEADER = {
  "Idempotent-Replayed": {
    description:
      "`true` if an earlier request with this Idempotency-Key created the result; otherwise absent.",
    schema: { type: "boolean" },
  },
};

const ETAG_HEADER = {
  ETag: {
    description: "Send it as `If-None-Match` to get 304 while nothing has changed.",
    schema: { type: "string" },
  },
};

const CHALLENGE_HEADER = {
  "WWW-Authenticate": {
    description: "How to authenticate (RFC 9110).",
    schema: { type: "string" },
    example: KEY_CHALLENGE,
  },
};

const retryAfterHeader = (description: string) => ({
  "Retry-After": { description, schema: { type: "integer", minimum: 1 } },
});

function describeAccess(access: Access): string {
  switch (access.kind) {
    case "public":
    case "sign-in":
      return "Public.";
    case "api-key":
      return `Scope: \`${access.scope}\`.`;
    case "member":
      if (access.scope !== null) return `Account session whose role covers \`${access.scope}\`.`;
  }
  return "Account session.";
}

function securityOf({ kind }: Access): Record<string, string[]>[] {
  if (kind === "public" || kind === "sign-in") return [];
  return kind === "api-key" ? [{ bearerKey: [] }, { headerKey: [] }] : [{ accountSession: [] }];
}

/** The documented request headers. The framework validates them in lower case. */
function requestHeaders(declaration: RouteDeclaration) {
  const { isIdempotent, isNearbyRead, takesPreferredWait, ifNoneMatch, headers } = declaration;
  return z.object({
    ...(isIdempotent && { "Idempotency-Key": idempotencyHeaders.shape["idempotency-key"] }),
    ...(isNearbyRead && bookmarkHeaders),
    ...(takesPreferredWait && { Prefer: z.string().optional().openapi(PREFER_HEADER) }),
    ...(ifNoneMatch !== undefined && {
      "If-None-Match": z.string().optional().openapi({ description: ifNoneMatch }),
    }),
    ...headers?.shape,
  });
}

const binary = z.string().openapi({ type: "string", format: "binary" });

const contentOf = (mediaTypes: readonly string[], schema: z.ZodType) =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]));

const JSON_TYPE = ["application/json"];

function successesOf(declaration: RouteDeclaration, isCounted: boolean): object {
  const { responses, isIdempotent, isNearbyRead, takesPreferredWait } = declaration;
  const described = Object.entries(responses).map(([status, { description, resource, bytes, headers }]) => {
    const hasEtag = status === "304" || (status === "200" && 304 in responses);
    const content = (resource !== undefined || bytes !== undefined) && {
      ...(resource !== undefined && contentOf(JSON_TYPE, successEnvelope(resource))),
      ...(bytes !== undefined && contentOf(bytes, binary)),
    };
    return [
      status,
      {
        description,
        headers: {
          ...REQUEST_ID_HEADER,
          ...(isCounted && WINDOW_HEADERS),
          ...(status === "200" && isIdempotent && REPLAYED_HEADER),
          ...(hasEtag && ETAG_HEADER),
          ...(isNearbyRead && BOOKMARK_HEADER),
          ...(takesPreferredWait && PREFERENCE_APPLIED_HEADER),
          ...headers,
        },
        ...(content && { content }),
      },
    ] as const;
  });
  return Object.fromEntries(described);
}

function failureHeaders(status: ErrorStatus, codes: readonly ErrorCode[]): HeaderDescriptions {
  const isWaitingUseful = codes.some((code) => "retryAfterSeconds" in ERRORS[code]);
  return {
    ...REQUEST_ID_HEADER,
    ...(codes.includes("RATE_LIMITED") && WINDOW_HEADERS),
    ...(status === 429
      ? retryAfterHeader("Seconds to wait before a retry.")
      : isWaitingUseful && retryAfterHeader("Seconds to wait before a retry, if a retry can help.")),
    ...(codes.some(isKeyRefusal) && CHALLENGE_HEADER),
  };
}

function failuresOf(declaration: RouteDeclaration, codes: readonly ErrorCode[]): object {
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))];
  const described = statuses.map((status) => {
    const ofStatus = codes.filter((code) => ERRORS[code].status === status);
    const named = ofStatus.map((code) => `\`${code}\``).join(", ");
    const examples = ofStatus.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
    return [
      status,
      {
        description: `${STATUS_MEANINGS[status]} Codes: ${named}.`,
        headers: { ...failureHeaders(status, ofStatus), ...declaration.failureHeaders?.[status] },
        content: {
          "application/json": { schema: errorEnvelope, examples: Object.fromEntries(examples) },
        },
      },
    ] as const;
  });
  return Object.fromEntries(described);
}

/** Tags by path; the first matching pattern counts. */
const TAGS: readonly (readonly [RegExp, string])[] = [
  [/^\/api\/(account\/.*\/)?billing\b/, "Billing"],
  [/^\/api\/account\/.*\/(destinations|deliveries)\b/, "Deliveries"],
  [/^\/api\/account\//, "Account"],
  [/^\/api\/v1\/contracts\b/, "Catalogue"],
  [/^\/api\/v1\/(agent|api-keys)\b/, "Keys"],
  [/^\/api\/v1\/(balance|usage)\b/, "Balance"],
  [/^\/api\/v1\/(artifacts|downloads|shared)\b/, "Artifacts"],
  [/^\/api\/v1\/assets\b/, "Assets"],
  [/^\/api\/v1\/brands\b/, "Brands"],
  [/^\/api\/v1\/jobs\b/, "Jobs"],
  [/^\/api\/v1\/previews\b/, "Previews"],
  [/^\/api\/mail\b/, "Mail"],
  [/./, "Service"],
];

const tagOf = (path: string): string => TAGS.find(([pattern]) => pattern.test(path))?.[1] ?? "";

/** The operation in the format of the generator. */
export function describeOperation(declaration: RouteDeclaration): RouteConfig {
  const { operationId, method, path, summary, description, access, query, json, bytes } = declaration;
  const window = windowOf(declaration);
  const params = pathParameters(declaration);
  const codes = errorCodesOf(declaration);
  const body = json ? contentOf(JSON_TYPE, json) : bytes && contentOf(bytes, binary);
  return {
    method,
    path,
    operationId,
    summary,
    description: [
      ...(description === undefined ? [] : [description]),
      describeAccess(access),
      ...(window === null ? [] : [`Route family: \`${window}\`.`]),
    ].join("\n\n"),
    tags: [tagOf(path)],
    ...(window !== null && { "x-route-family": window }),
    security: securityOf(access),
    request: {
      ...(params && { params }),
      ...(query && { query }),
      headers: requestHeaders(declaration),
      ...(body && { body: { required: !declaration.isJsonOptional, content: body } }),
    },
    responses: {
      ...successesOf(declaration, codes.includes("RATE_LIMITED")),
      ...failuresOf(declaration, codes),
    },
  };
}

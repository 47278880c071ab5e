import { type RouteConfig, z } from "@hono/zod-openapi";
import { ERRORS, type ErrorCode, type ErrorStatus } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import { errorEnvelope, successEnvelope } from "#api/schemas/envelope.ts";
import type { Access } from "../http/access.ts";
import { BOOKMARK_HEADER, bookmarkHeaders } from "../http/bookmark.ts";
import { isKeyRefusal, KEY_CHALLENGE } from "../http/envelope.ts";
import { idempotencyHeaders } from "../http/idempotency-header.ts";
import { PREFER_HEADER, PREFERENCE_APPLIED_HEADER } from "../http/prefer-wait.ts";
import { type HeaderDescriptions, pathParameters, type RouteDeclaration, windowOf } from "../http/route.ts";
import { errorCodesOf } from "./error-codes.ts";

/** What a failure of a status means. */
const STATUS_MEANINGS: Readonly<Record<ErrorStatus, string>> = {
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

const REQUEST_ID_HEADER = {
  "X-Request-ID": {
    description: `Correlation id; the caller's own when it sent one of up to ${LIMITS.requestIdCharactersMax} printable ASCII characters.`,
    schema: { type: "string" },
  },
};

const WINDOW_HEADERS = {
  "X-RateLimit-Limit": {
    description: "Requests a window for the route family.",
    schema: { type: "integer" },
  },
  "X-RateLimit-Remaining": {
    description: "Requests left in the window.",
    schema: { type: "integer", minimum: 0 },
  },
  "X-RateLimit-Reset": {
    description: "When the window resets, UTC; on another 429, the end of `Retry-After`.",
    schema: { type: "string", format: "date-time" },
  },
};

const REPLAYED_HEADER = {
  "Idempotent-Replayed": {
    description:
      "`true` when an earlier request with this Idempotency-Key made what is shown; absent otherwise.",
    schema: { type: "boolean" },
  },
};

const ETAG_HEADER = {
  ETag: {
    description: "Send it as `If-None-Match` to be told 304 as long as nothing has changed.",
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

/** The headers of a request, as they are written; the framework validates them in lower case. */
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
      ? retryAfterHeader("Seconds to wait.")
      : isWaitingUseful && retryAfterHeader("Seconds to wait, where waiting helps.")),
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

/** The tag of the operations on a path: the first whose pattern it matches. */
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

/** An operation of the document, as the generator takes it. */
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

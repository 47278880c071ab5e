import type { z } from "@hono/zod-openapi";
import { ERRORS, type ErrorCode } from "#api/errors.ts";
import { pathParameters, type RouteDeclaration, windowOf } from "../http/route.ts";

const isErrorCode = (code: string): code is ErrorCode => code in ERRORS;
const ERROR_CODES = Object.keys(ERRORS).filter(isErrorCode);

/** A value that every schema except plain text rejects. */
const REJECTED_TEXT = "\u0000";

/** Whether the schema can reject a parameter. */
const refusesValues = (schema: z.ZodObject | undefined): boolean =>
  Object.values(schema?.shape ?? {}).some(
    (member) => "safeParse" in member && !member.safeParse(REJECTED_TEXT).success,
  );

/** Codes that follow from the access of an operation. */
function codesOfAccess({ access, method }: RouteDeclaration): readonly ErrorCode[] {
  const ofOrigin: readonly ErrorCode[] = method === "get" ? [] : ["ORIGIN_NOT_ALLOWED"];
  switch (access.kind) {
    case "public":
      return [];
    case "sign-in":
      return ofOrigin;
    case "api-key":
      return [
        "KEY_MISSING",
        "KEY_INVALID",
        "KEY_EXPIRED",
        "KEY_REVOKED",
        "WORKSPACE_INACTIVE",
        "SCOPE_MISSING",
        ...(access.isLiveOnly ? (["TEST_KEY_REFUSED"] as const) : []),
      ];
    case "session":
      return ["SESSION_MISSING", "SESSION_INVALID", ...ofOrigin];
    default: {
      // Every role may read, even in a suspended workspace.
      const isForAll = access.kind === "member" && (access.scope?.endsWith(":read") ?? true);
      return [
        "SESSION_MISSING",
        "SESSION_INVALID",
        "WORKSPACE_NOT_FOUND",
        ...ofOrigin,
        ...(isForAll ? [] : (["ROLE_INSUFFICIENT"] as const)),
      ];
    }
  }
}

/** Codes that follow from the request's parameters and body. */
function codesOfRequest(declaration: RouteDeclaration): readonly ErrorCode[] {
  const { json, bytes, query, isIdempotent, ignoresOtherParameters } = declaration;
  const codes: ErrorCode[] = [];
  if (json || !ignoresOtherParameters || [pathParameters(declaration), query].some(refusesValues)) {
    codes.push("INVALID_REQUEST");
  }
  if (json) codes.push("INVALID_JSON", "BODY_INCOMPLETE", "UNSUPPORTED_MEDIA_TYPE");
  if (bytes) codes.push("PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE");
  if (query && "before" in query.shape) codes.push("INVALID_CURSOR");
  if (isIdempotent) codes.push("IDEMPOTENCY_KEY_REQUIRED", "IDEMPOTENCY_CONFLICT", "IDEMPOTENCY_IN_PROGRESS");
  return codes;
}

/** Whether the operation writes rows of the caller's workspace. Those writes are blocked while the workspace moves. */
const writesWorkspaceRows = ({ access, method, errors = [] }: RouteDeclaration): boolean =>
  method !== "get" &&
  ["api-key", "member", "owner"].includes(access.kind) &&
  !errors.includes("PREVIEW_UNAVAILABLE");

/** All codes that an operation may return, in the order of the error table. */
export function errorCodesOf(declaration: RouteDeclaration): readonly ErrorCode[] {
  const { access, needs = [], errors = [] } = declaration;
  const codes = new Set<ErrorCode>([
    ...codesOfAccess(declaration),
    ...codesOfRequest(declaration),
    ...(writesWorkspaceRows(declaration) ? (["SERVICE_BUSY"] as const) : []),
    ...(windowOf(declaration) === null ? [] : (["RATE_LIMITED"] as const)),
    ...(access.kind === "public" && needs.length === 0
      ? []
      : (["SERVICE_NOT_CONFIGURED", "INTERNAL_ERROR"] as const)),
    ...errors,
  ]);
  return ERROR_CODES.filter((code) => codes.has(code));
}

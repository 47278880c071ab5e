import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ZodError } from "zod";
import { refuse } from "#api/errors.ts";
import { isMovingError } from "#platform/db/batch-guard.ts";
import { log } from "#platform/log/log.ts";
import type { AppEnv } from "./context.ts";
import { RefusedRequest, refuseWith } from "./envelope.ts";
import { workspaceMoving } from "./workspace-database.ts";

/** Maximum number of reported issues; more would not help the reader. */
const ISSUES_SHOWN_MAX = 10;

/** Writes the error envelope for a thrown value. The text of an unexpected error never leaves the service. */
export function onError(thrown: Error, c: Context<AppEnv>): Response {
  if (thrown instanceof RefusedRequest) return refuseWith(c, thrown.refusal);
  // Hono's validator throws this for a body that is not JSON.
  if (thrown instanceof HTTPException && thrown.status === 400) {
    return refuseWith(c, refuse("INVALID_JSON", "The body is not valid JSON."));
  }
  // Hono's validator throws this for malformed parameters of the media type, such as `application/json;`.
  if (thrown instanceof HTTPException && thrown.status === 415) {
    return refuseWith(
      c,
      refuse("UNSUPPORTED_MEDIA_TYPE", "The body must be sent with Content-Type: application/json."),
    );
  }
  if (isMovingError(thrown)) return refuseWith(c, workspaceMoving(c));
  log.failure(
    {
      event: "request_failed",
      requestId: c.var.requestId,
      operation: c.var.operation,
    },
    thrown,
  );
  return refuseWith(c, refuse("INTERNAL_ERROR", "Something failed on our side."));
}

/** OpenAPI's names of the parts of a request, by the validator's target. */
const PLACES: Readonly<Record<string, "body" | "query" | "path" | "header">> = {
  query: "query",
  param: "path",
  header: "header",
};

interface ValidationResult {
  readonly success: boolean;
  readonly target: string;
  readonly error?: ZodError;
}

/** Refuses a request that fails its schema with 400, and names each invalid member. */
export function onInvalid(result: ValidationResult, c: Context<AppEnv>): Response | undefined {
  if (result.success || !result.error) return undefined;
  const place = PLACES[result.target] ?? "body";
  const issues = result.error.issues.slice(0, ISSUES_SHOWN_MAX).map((issue) => ({
    in: place,
    path: issue.path.map(String).join("."),
    message:
      issue.path.length === 0 && issue.code === "invalid_type"
        ? `The ${place} ${issue.message}.`
        : issue.message,
  }));
  const isKeyHeader = result.target === "header" && issues.some((issue) => issue.path === "idempotency-key");
  const isCursor = result.target === "query" && issues.some((issue) => issue.path === "before");
  const code = isKeyHeader ? "IDEMPOTENCY_KEY_REQUIRED" : isCursor ? "INVALID_CURSOR" : "INVALID_REQUEST";
  const message = issues
    .map((issue) => (issue.path === "" ? issue.message : `${issue.path}: ${issue.message}`))
    .join("; ");
  return refuseWith(c, refuse(code, message, { issues }));
}

import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ERRORS, type ErrorCode, type ErrorStatus, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import type { ErrorEnvelope } from "#api/schemas/envelope.ts";
import { API_VERSION } from "#api/version.ts";
import { clock, toTimestamp } from "#platform/clock.ts";
import { challengeOf } from "./agent-challenge.ts";
import type { AppEnv } from "./context.ts";
import { nameSubject } from "./context.ts";

/** Throws a refusal out of a handler; `onError` writes the error envelope. */
export class RefusedRequest extends Error {
  override readonly name = "RefusedRequest";
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

/** Creates the error that a handler throws to refuse its request. */
export const refused = (...refusal: Parameters<typeof refuse>): RefusedRequest =>
  new RefusedRequest(refuse(...refusal));

/** The value of an accepted outcome. Throws a `RefusedRequest` for a refused one. */
export function acceptedValue<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new RefusedRequest(outcome);
  return outcome.value;
}

/** Writes a success in its envelope. */
export function succeed<T extends object, S extends ContentfulStatusCode>(
  c: Context<AppEnv>,
  status: S,
  resource: T,
) {
  nameSubject(c, resource);
  const meta = { apiVersion: API_VERSION, requestId: c.get("requestId") };
  return c.json({ ok: true as const, data: resource, meta }, status);
}

/** Whether a code refuses a missing or unusable API key. */
export const isKeyRefusal = (code: ErrorCode): boolean =>
  code === "WORKSPACE_INACTIVE" || (code.startsWith("KEY_") && ERRORS[code].status === 401);

/** Writes a window's state in the three headers of API §4.7. */
export function writeWindow(
  c: Context<AppEnv>,
  window: { readonly limit: number; readonly remaining: number; readonly resetsAtMs: number },
): void {
  c.set("windowLimit", window.limit);
  setHeader(c, "X-RateLimit-Limit", String(window.limit));
  setHeader(c, "X-RateLimit-Remaining", String(window.remaining));
  setHeader(c, "X-RateLimit-Reset", toTimestamp(window.resetsAtMs));
}

/** Changes the headers of a finished response in place, because `c.header` would copy the response. */
function setHeader(c: Context<AppEnv>, name: string, value: string): void {
  if (c.finalized) c.res.headers.set(name, value);
  else c.header(name, value);
}

/** Window headers of a 429: no requests remain until Retry-After has passed (API §8.4). */
function windowClosedFor(c: Context<AppEnv>, status: ErrorStatus, retryAfterSeconds: number | undefined) {
  const limit = c.get("windowLimit");
  if (status !== 429 || limit === undefined || retryAfterSeconds === undefined) return undefined;
  return { limit, resetsAtMs: clock.now() + retryAfterSeconds * 1_000 };
}

/** Writes a refusal in its envelope, with the defaults of its code. */
export function refuseWith(c: Context<AppEnv>, refusal: Refusal): Response {
  const rule = ERRORS[refusal.code];
  const body: ErrorEnvelope = {
    ok: false,
    error: {
      code: refusal.code,
      message: refusal.message,
      httpStatus: rule.status,
      requestId: c.var.requestId,
      details: {
        nextAction: rule.nextAction,
        safeToRetryUnchanged: rule.safeToRetryUnchanged,
        ...refusal.details,
      },
    },
    meta: { apiVersion: API_VERSION, requestId: c.var.requestId },
  };
  c.set("errorCode", refusal.code);
  const retryAfterSeconds = refusal.retryAfterSeconds ?? rule.retryAfterSeconds;
  if (retryAfterSeconds !== undefined) {
    c.header("Retry-After", String(Math.max(1, Math.ceil(retryAfterSeconds))));
  }
  const closed = refusal.fullWindow ?? windowClosedFor(c, rule.status, retryAfterSeconds);
  if (closed !== undefined) writeWindow(c, { ...closed, remaining: 0 });
  // A 401 names the authentication scheme (RFC 9110 §11.6.1); a session's cookie has none.
  if (isKeyRefusal(refusal.code)) c.header("WWW-Authenticate", challengeOf(c, refusal.code));
  return c.json(body, rule.status);
}

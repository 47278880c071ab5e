import { createMiddleware } from "hono/factory";
import { refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { AppEnv } from "./context.ts";
import { RefusedRequest } from "./envelope.ts";
import { readLimitedText } from "./limited-body.ts";

/** What a body that is too long by mistake stays below; longer ones are broken off. */
const DISCARDED_BYTES_MAX = 1024 * 1024;

/**
 * Reads the body before the key is checked: otherwise a sender who takes minutes over a few bytes could act with a key
 * that was revoked in between. The validator uses the same bytes. One that is too long is refused before any of it is
 * parsed; 413 is for uploads (API §4.4). A body that breaks off is 400 BODY_INCOMPLETE.
 */
export const readJsonBody = createMiddleware<AppEnv>(async (c, next) => {
  const limits = { bytesMax: LIMITS.jsonBodyBytesMax, discardedBytesMax: DISCARDED_BYTES_MAX };
  if ((await readLimitedText(c, limits)) === null) {
    throw new RefusedRequest(
      refuse("INVALID_REQUEST", `The body is larger than ${LIMITS.jsonBodyBytesMax} bytes.`, {
        maxBytes: LIMITS.jsonBodyBytesMax,
      }),
    );
  }
  await next();
});

/** Clients send an empty body as none, or with a length of zero. */
const isBodyless = (request: Request): boolean =>
  request.body === null || request.headers.get("Content-Length") === "0";

/** As `requireJsonType`, where a request without a body is as good as one with an empty object. */
export const requireJsonTypeOfBody = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.header("Content-Type") === undefined && isBodyless(c.req.raw)) await next();
  else await requireJsonType(c, next);
});

/** Refuses a body that is not declared as JSON; without this an undeclared type would skip validation. */
export const requireJsonType = createMiddleware<AppEnv>(async (c, next) => {
  const contentType = c.req.header("Content-Type");
  const isJson = /^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(contentType ?? "");
  if (!isJson) {
    throw new RefusedRequest(
      contentType === undefined && isBodyless(c.req.raw)
        ? refuse("INVALID_REQUEST", "The request needs a JSON body.")
        : refuse("UNSUPPORTED_MEDIA_TYPE", "The body must be sent with Content-Type: application/json."),
    );
  }
  await next();
});

import { LIMITS } from "#api/limits.ts";

/** Headers of every answer. */

/** Printable ASCII (RFC 20): safe in a header and, escaped, in JSON. What a log makes of it: platform/log.ts. */
const PRINTABLE = new RegExp(`^[\\x20-\\x7e]{1,${LIMITS.requestIdCharactersMax}}$`);

/** The id of a request: the caller's where it is printable and short enough. */
export const requestIdOf = (offered: string | undefined): string =>
  offered !== undefined && PRINTABLE.test(offered) ? offered : crypto.randomUUID();

/** Headers of every answer, but for one that sets its own. */
export const HARDENING = {
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
} as const;

import { LIMITS } from "#api/limits.ts";

/** Printable ASCII (RFC 20), safe in a header and, escaped, in JSON. `platform/log/log.ts` may hash it for the log. */
const PRINTABLE = new RegExp(`^[\\x20-\\x7e]{1,${LIMITS.requestIdCharactersMax}}$`);

/** The caller's request id if it is printable and short enough, otherwise a new one. */
export const requestIdOf = (offered: string | undefined): string =>
  offered !== undefined && PRINTABLE.test(offered) ? offered : crypto.randomUUID();

/** Headers of every answer that does not set its own. */
export const HARDENING = {
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
} as const;

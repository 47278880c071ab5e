/** IMF-fixdate of RFC 9110 §5.6.7. `Date.parse` alone would accept "-5". */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Retry-After in seconds: a number of them, or a time (RFC 9110 §10.2.3); null when it is neither. */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const atMs = HTTP_DATE.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1_000));
}

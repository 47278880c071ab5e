/**
 * Sends requests to other people's servers. `no-store` bypasses Cloudflare's cache, which would answer a GET of a picture
 * with a copy up to two hours old and send a HEAD of one as GET, which breaks its S3 signature. All outgoing requests are
 * sent here except those to OAuth providers: better-auth 1.7 takes no fetch for them. Their addresses have no extension, so
 * the cache leaves them alone (`account-oauth.long.test.ts` lists all of them).
 */
export const httpClient = {
  fetch: (request: Request): Promise<Response> => fetch(request, { cache: "no-store" }),
};

/** The first bytes of an answer as text, at most so many; the rest is not read. */
export async function readLimited(response: Response, bytesMax: number): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytesLeft = bytesMax;
  while (bytesLeft > 0) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    const chunk = value.subarray(0, bytesLeft);
    bytesLeft -= chunk.byteLength;
    text += decoder.decode(chunk, { stream: true });
  }
  void reader.cancel().catch(() => undefined);
  return text;
}

/** Cancels a response whose body is not needed. Not awaited: a silent server could delay that for as long as it likes. */
export const discard = ({ body }: Response): void => void body?.cancel().catch(() => undefined);

/** IMF-fixdate of RFC 9110 §5.6.7. `Date.parse` alone would accept "-5". */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Retry-After in seconds: a number of them, or a time (RFC 9110 §10.2.3); null when it is neither. */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const atMs = HTTP_DATE.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1_000));
}

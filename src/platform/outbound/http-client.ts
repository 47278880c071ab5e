/**
 * Sends requests to other servers. `no-store` bypasses Cloudflare's cache, which would answer a GET of an image with a
 * copy up to two hours old, and send a HEAD as GET, which breaks its S3 signature. All outgoing requests use it except
 * those to OAuth providers, because better-auth 1.7 accepts no fetch for them. The cache ignores their addresses, which
 * have no extension (`account-oauth.long.test.ts` lists them).
 */
export const httpClient = {
  fetch: (request: Request): Promise<Response> => fetch(request, { cache: "no-store" }),
};

/** The first `bytesMax` bytes of a response as text; cancels the rest. */
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

/** Cancels an unneeded body. Not awaited, because a silent server could delay that. */
export const discard = ({ body }: Response): void => void body?.cancel().catch(() => undefined);

/** IMF-fixdate (RFC 9110 §5.6.7). `Date.parse` alone would accept "-5". */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Parses Retry-After, a number or a date, to seconds (RFC 9110 §10.2.3); null if invalid. */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const atMs = HTTP_DATE.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1_000));
}

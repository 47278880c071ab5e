const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Like `webOriginOf`, for receivers of secrets: plain http only on this machine. */
export function secureOriginOf(text: string): string | null {
  const origin = webOriginOf(text);
  if (origin === null) return null;
  const { protocol, hostname } = new URL(origin);
  return protocol === "https:" || LOOPBACK.test(hostname) ? origin : null;
}

/**
 * The origin of an http or https URL; null for other text. `localhost:8787` and `app.example:443` parse as URLs with a
 * custom scheme, whose origin is the text "null", which any sandboxed page sends.
 */
export function webOriginOf(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : null;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** As `webOriginOf`, for where secrets are sent: plain http on this machine alone. */
export function secureOriginOf(text: string): string | null {
  const origin = webOriginOf(text);
  if (origin === null) return null;
  const { protocol, hostname } = new URL(origin);
  return protocol === "https:" || LOOPBACK.test(hostname) ? origin : null;
}

/**
 * The origin of an http or https address, or null for any other text. `localhost:8787` and `app.example:443` parse as
 * addresses of schemes of those names, whose origin is the text "null": what a sandboxed page of anybody sends.
 */
export function webOriginOf(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : null;
}

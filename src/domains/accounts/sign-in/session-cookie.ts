/** Names of the cookies, and when they may travel. */

const SESSION_COOKIE = "cp_session";
export const STATE_COOKIE = "cp_oauth_state";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Cookies of an origin are Secure, except of a laptop's own, where there is no TLS and no network. */
export function isSecureOrigin(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === "https:" || !LOOPBACK.includes(hostname);
}

/**
 * A cookie's name on an origin: with `__Host-` wherever it is Secure, by which browsers take it from this host alone,
 * for all paths, over TLS (RFC 6265bis §4.1.3.2): no other host under the domain can plant a session.
 */
export const cookieNameOf = (origin: string, name = SESSION_COOKIE): string =>
  isSecureOrigin(origin) ? `__Host-${name}` : name;

/** The name as it is documented. */
export const DOCUMENTED_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`;

/** Whether a Cookie header names the cookie. */
export const hasCookie = (header: string | undefined, name: string): boolean =>
  (header ?? "").split(";").some((pair) => pair.trim().startsWith(`${name}=`));

/** The value of a cookie in a Cookie header, or null; of two with the name the first. */
export function valueOfCookie(header: string, name: string): string | null {
  const pair = header.split(";").find((part) => part.trim().startsWith(`${name}=`));
  return pair === undefined ? null : pair.trim().slice(name.length + 1);
}

/** Cookies of an answer as a Cookie header, for a read in the same request. */
export const asCookieHeader = (setCookies: readonly string[]): string =>
  setCookies.map((cookie) => cookie.split(";")[0] ?? "").join("; ");

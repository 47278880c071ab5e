/** Session cookies: names and attributes. */

const SESSION_COOKIE = "cp_session";
export const STATE_COOKIE = "cp_oauth_state";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Cookies are Secure on every origin except localhost, which has no TLS. */
export function isSecureOrigin(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === "https:" || !LOOPBACK.includes(hostname);
}

/**
 * A cookie's name on an origin. With `__Host-`, on Secure origins, browsers accept it only from this exact host over
 * TLS (RFC 6265bis §4.1.3.2), so that no other subdomain can plant a session.
 */
export const cookieNameOf = (origin: string, name = SESSION_COOKIE): string =>
  isSecureOrigin(origin) ? `__Host-${name}` : name;

/** The name in the documentation. */
export const DOCUMENTED_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`;

/** Whether a Cookie header contains the cookie. */
export const hasCookie = (header: string | undefined, name: string): boolean =>
  (header ?? "").split(";").some((pair) => pair.trim().startsWith(`${name}=`));

/** A cookie's value in a Cookie header, or null; the first one if repeated. */
export function valueOfCookie(header: string, name: string): string | null {
  const pair = header.split(";").find((part) => part.trim().startsWith(`${name}=`));
  return pair === undefined ? null : pair.trim().slice(name.length + 1);
}

/** Set-Cookie values as a Cookie header, for a read in the same request. */
export const asCookieHeader = (setCookies: readonly string[]): string =>
  setCookies.map((cookie) => cookie.split(";")[0] ?? "").join("; ");

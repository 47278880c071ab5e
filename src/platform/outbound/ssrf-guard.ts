import { accept, type Outcome, refuse } from "#api/errors.ts";
import { ADDRESS_CHARACTERS_MAX } from "#api/limits.ts";

/** Validates customers' addresses by their text alone, without DNS. */

export interface AddressRules {
  /** Allows plain HTTP and any port on this machine, for local runs. Never true in production. */
  readonly isLoopbackOpen: boolean;
}

/** RFC 1035 §2.3.4. */
const HOST_CHARACTERS_MAX = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** No top-level domain is numeric or a single letter. Only Punycode ones (`xn--`) contain hyphens. */
const TOP_LEVEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

const PORTS: readonly string[] = ["", "443", "8443"];

/**
 * Top-level names of private networks and special uses (RFC 6761, RFC 6762, RFC 8375, RFC 9476, ICANN's `internal`).
 */
const PRIVATE_TOP_LEVELS = new Set(
  (
    "localhost local localdomain internal intranet private corp home lan host arpa test invalid onion alt cluster " +
    "consul kubernetes docker domain svc intra workgroup dhcp"
  ).split(" "),
);

/** First labels of metadata services, which give a cloud machine its credentials. */
const METADATA_LABELS = new Set(["metadata", "instance-data", "instance-metadata", "imds", "kubernetes"]);
const METADATA_HOSTS = new Set(["metadata.goog", "metadata.google.com"]);

/** Public names that resolve to an address in the name, or always to the local machine. */
const EMBEDDING_DOMAINS: readonly string[] = (
  "nip.io sslip.io xip.io xip.name traefik.me backname.io rbndr.us 1u.ms plex.direct local-ip.co local-ip.sh " +
  "localtest.me lvh.me vcap.me lacolhost.com localho.st local.gd localhost.direct ipv6-literal.net lndo.site " +
  "ddev.site yoogle.com lcl.host fuf.me smackaho.st ulh.us"
).split(" ");

const isDecimalByte = (text: string): boolean => /^\d{1,3}$/.test(text) && Number(text) <= 255;

/** Whether a name contains an IPv4 address: four consecutive byte values between dots or hyphens. */
function embedsIpv4(host: string): boolean {
  let run = 0;
  for (const part of host.split(/[.-]/)) {
    run = isDecimalByte(part) ? run + 1 : 0;
    if (run === 4) return true;
  }
  return false;
}

const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** The fault of a host name that `URL` has normalized; null if valid. */
function faultOfHost(host: string): string | null {
  // `URL` normalizes every form of an IPv4 address (decimal, octal, hex, short).
  if (host.startsWith("[") || /^[\d.]+$/.test(host)) return "must name a host, not an IP address";
  if (host.endsWith(".")) return "must not end its host name in a dot";
  if (host.length > HOST_CHARACTERS_MAX) return "has a host name that is too long";
  const labels = host.split(".");
  if (!labels.every((label) => LABEL.test(label))) return "has an invalid host name";
  const topLevel = labels.at(-1) ?? "";
  if (labels.length < 2) return "must name a host of the public internet";
  if (PRIVATE_TOP_LEVELS.has(topLevel) || !TOP_LEVEL.test(topLevel)) {
    return "must name a host of the public internet";
  }
  if (METADATA_LABELS.has(labels[0] ?? "") || METADATA_HOSTS.has(host)) {
    return "must not name a metadata service";
  }
  if (embedsIpv4(host) || EMBEDDING_DOMAINS.some((domain) => isWithin(host, domain))) {
    return "must not name a host that stands for an address written in its name";
  }
  return null;
}

const LOOPBACK_HOSTS: readonly string[] = ["127.0.0.1", "[::1]", "localhost"];

/** The fault of an address; null if valid. */
function faultOf(text: string, url: URL | null, rules: AddressRules): string | null {
  if (text.length > ADDRESS_CHARACTERS_MAX) return `is longer than ${ADDRESS_CHARACTERS_MAX} characters`;
  // Text that `URL` would silently repair is refused, because another parser might read a different address.
  if (/[^\x21-\x7e]/.test(text)) return "must be ASCII without spaces; write a foreign name as `xn--…`";
  if (/[\\^`{|}<>"]/.test(text)) return "has a character that no address has";
  const written = /^(https?):\/\/([^/?#]+)(?:[/?]|$)/i.exec(text);
  const scheme = written?.[1]?.toLowerCase();
  const authority = written?.[2];
  if (url === null || scheme === undefined || authority === undefined) return "must begin with `https://`";
  if (text.includes("#")) return "must not have a fragment";
  if (authority.includes("@") || url.username !== "" || url.password !== "") {
    return "must not hold a user name or password";
  }
  if (authority.includes("%")) return "must not encode characters of its host name";
  if (rules.isLoopbackOpen && LOOPBACK_HOSTS.includes(url.hostname)) return null;
  if (scheme !== "https") return "must begin with `https://`";
  return faultOfHost(url.hostname) ?? (PORTS.includes(url.port) ? null : "must use port 443 or 8443");
}

/**
 * Parses an address that the service may send to. 422 ADDRESS_REFUSED, with a reason that quotes no part of the
 * address. DNS may still resolve the name to a private address; see docs/deliveries.md.
 */
export function checkAddress(text: string, rules: AddressRules): Outcome<URL> {
  const url = URL.canParse(text) ? new URL(text) : null;
  const fault = faultOf(text, url, rules);
  if (fault === null && url !== null) return accept(url);
  return refuse("ADDRESS_REFUSED", `The address ${fault ?? "must begin with `https://`"}.`);
}

/** Longer than any store needs; leaves room in a URL for a key of 1,024 bytes. */
export const ENDPOINT_PATH_CHARACTERS_MAX = 512;

/**
 * Unreserved characters (RFC 3986 §2.3): their canonical form is unambiguous, while stores disagree on how often to
 * encode others. `.` and `..` would change the path.
 */
const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9._~-]+$/;

/** The fault of a path, given without its last slash; null if valid. */
function faultOfPath(path: string): string | null {
  if (path.includes("?")) return "must not have a query";
  if (path.length > ENDPOINT_PATH_CHARACTERS_MAX) {
    return `must not have a path of more than ${ENDPOINT_PATH_CHARACTERS_MAX} characters`;
  }
  const segments = path.split("/").slice(1);
  const isPlain = segments.every((segment) => SEGMENT.test(segment));
  return isPlain ? null : "must have a path of plain names, of letters, digits and `._~-`";
}

/**
 * Parses the endpoint of a store for storage and signing: an origin, and the path of its S3 interface if it has one,
 * without a trailing slash. 422 ADDRESS_REFUSED, with a reason that quotes no part of the endpoint.
 */
export function checkEndpoint(text: string, rules: AddressRules): Outcome<string> {
  const url = checkAddress(text, rules);
  if (!url.ok) return url;
  // `URL` resolves `..` and `%2e%2e`, so the original text is validated.
  const path = text.replace(/^https?:\/\/[^/?#]+/i, "").replace(/\/$/, "");
  const fault = faultOfPath(path);
  if (fault !== null) return refuse("ADDRESS_REFUSED", `The endpoint of a store ${fault}.`);
  return accept(`${url.value.origin}${path}`);
}

import type { Context } from "hono";
import { CLIENT_WINDOWS, type ClientWindow, type RouteFamily } from "#api/limits.ts";
import { hmacSha256Hex } from "#platform/crypto/hashing.ts";
import type { AppEnv } from "./context.ts";
import { countRequest, refuseExhaustedWindow } from "./rate-limit.ts";

/** The networks that contain a client's address, from narrow to wide. */
export interface ClientNetworks {
  /** An IPv4 address, or the /64 of an IPv6 address: a host chooses the other 64 bits (RFC 4291 §2.5.1, RFC 8981). */
  readonly network: string;
  /** The /24 of an IPv4 address, or the /48 of an IPv6 address: a provider's customer has at most that (RFC 6177). */
  readonly site: string;
  /** The /32 of an IPv6 address, the smallest allocation of a provider. Null for IPv4. */
  readonly allocation: string | null;
}

const IPV6_GROUPS = 8;
const GROUP_BITS = 16;
/** Only these characters reach the URL parser, because others have a meaning in URLs. */
const IPV6_SIGNS = /^[0-9a-f:.]{2,45}$/i;
const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

/** The networks of a client's address. Text that is not an address counts as a network of its own. */
export function clientNetworks(address: string): ClientNetworks {
  const groups = ipv6Groups(address);
  if (groups === null) return ofIpv4(address);
  const mapped = mappedIpv4(groups);
  if (mapped !== null) return ofIpv4(mapped);
  return { network: prefix(groups, 64), site: prefix(groups, 48), allocation: prefix(groups, 32) };
}

function ofIpv4(address: string): ClientNetworks {
  const [, first, second, third] = IPV4.exec(address) ?? [];
  const site = first === undefined ? address : `${first}.${second}.${third}.0/24`;
  return { network: address, site, allocation: null };
}

const prefix = (groups: readonly number[], bits: number): string =>
  `${groups
    .slice(0, bits / GROUP_BITS)
    .map((group) => group.toString(16))
    .join(":")}::/${bits}`;

/** The eight groups of an IPv6 address, parsed by the platform's URL parser; null for other text. */
function ipv6Groups(address: string): readonly number[] | null {
  if (!address.includes(":") || !IPV6_SIGNS.test(address)) return null;
  const url = URL.parse(`http://[${address}]/`);
  if (url === null) return null;
  const [head = "", tail] = url.hostname.slice(1, -1).split("::");
  const left = groupsOf(head);
  const right = groupsOf(tail ?? "");
  const gap = IPV6_GROUPS - left.length - right.length;
  return [...left, ...new Array<number>(gap).fill(0), ...right];
}

const groupsOf = (text: string): readonly number[] =>
  text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));

function mappedIpv4(groups: readonly number[]): string | null {
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isMapped ? [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".") : null;
}

const UNKNOWN_ADDRESS = "unknown";

/** The client's address from CF-Connecting-IP, which a client cannot forge. */
export const clientAddress = (c: Context<AppEnv>): string =>
  c.req.header("CF-Connecting-IP") ?? UNKNOWN_ADDRESS;

const subjectOf = (secret: string, prefix: string): Promise<string> =>
  hmacSha256Hex(secret, `network:${prefix}`);

/** Counts a request without key or session in its route family, by a hash of its network. 429 when full. */
export async function countNetwork(c: Context<AppEnv>, secret: string, family: RouteFamily): Promise<void> {
  await countRequest(c, family, await subjectOf(secret, clientNetworks(clientAddress(c)).network));
}

/**
 * Counts a request in the windows of its network and of wider prefixes. 429 at the first full window. `windows` is
 * ordered from narrow to wide, so that requests beyond a narrow limit do not count in the wider windows, which other
 * clients share. Counts nothing if a window is known to be exhausted. `about` separates counts by subject, such as an
 * email address.
 */
export async function countClient(
  c: Context<AppEnv>,
  secret: string,
  windows: readonly ClientWindow[],
  about = "",
): Promise<void> {
  const networks = clientNetworks(clientAddress(c));
  const counted = [];
  for (const window of windows) {
    const prefix = networks[CLIENT_WINDOWS[window].by];
    if (prefix !== null) counted.push({ window, subject: about + (await subjectOf(secret, prefix)) });
  }
  for (const { window, subject } of counted) refuseExhaustedWindow(c, window, subject);
  for (const { window, subject } of counted) await countRequest(c, window, subject, false);
}

const IPV6_GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * The network that a client's address stands for: an IPv4 address itself, an IPv6 address its /64, because a host
 * chooses the rest of its address freely (RFC 4291 §2.5.1, RFC 8981). Any other text stands for itself.
 */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("::");
  const groupsOf = (text: string): string[] => (text === "" ? [] : text.split(":"));
  const left = groupsOf(head);
  const right = groupsOf(tail ?? "");
  const gap = tail === undefined ? 0 : Math.max(0, IPV6_GROUPS - left.length - right.length);
  const groups = [...left, ...new Array<string>(gap).fill("0"), ...right];
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}

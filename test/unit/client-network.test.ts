import { expect, it } from "vitest";
import { clientNetworks } from "#interface/http/client-network.ts";

/** All addresses that one host can choose map to the same network. */

it.each([
  ["203.0.113.9", "203.0.113.9", "203.0.113.0/24", null],
  ["::ffff:203.0.113.9", "203.0.113.9", "203.0.113.0/24", null],
  ["::ffff:cb00:7109", "203.0.113.9", "203.0.113.0/24", null],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48", "2001:db8::/32"],
  ["2001:db8:1:2::", "2001:db8:1:2::/64", "2001:db8:1::/48", "2001:db8::/32"],
  ["2001:0DB8:0001:0002:ffff::1", "2001:db8:1:2::/64", "2001:db8:1::/48", "2001:db8::/32"],
  ["2001:db8::1", "2001:db8:0:0::/64", "2001:db8:0::/48", "2001:db8::/32"],
  ["2001:db8::2:3:4:5:6", "2001:db8:0:2::/64", "2001:db8:0::/48", "2001:db8::/32"],
  ["::1", "0:0:0:0::/64", "0:0:0::/48", "0:0::/32"],
  ["::", "0:0:0:0::/64", "0:0:0::/48", "0:0::/32"],
  ["unknown", "unknown", "unknown", null],
  ["1:2:3", "1:2:3", "1:2:3", null],
  ["::1]/@host", "::1]/@host", "::1]/@host", null],
])("API §8.6 an address maps to its networks: %s", (address, network, site, allocation) => {
  expect(clientNetworks(address)).toEqual({ network, site, allocation });
});

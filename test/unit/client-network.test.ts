import { describe, expect, it } from "vitest";
import { networkOf } from "../../src/http/client-network.ts";

/** Guarantee: all the addresses that one host can choose stand for one network, and no two networks for one. */

describe("the network of an address", () => {
  it.each([
    ["203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002:ffff::1", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8::2:3:4:5:6", "2001:db8:0:2::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["unknown", "unknown"],
  ])("%s stands for %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

import { describe, expect, it } from "vitest";
import type { PaidAccess } from "#domains/ledger/payment.ts";
import { cacheKeyText, parseCacheKey } from "#domains/previews/cache-key.ts";
import { entitlementOf } from "#domains/previews/entitlement.ts";
import { exhaustedUntilMs } from "#domains/previews/quota-client.ts";

const access = (changes: Partial<PaidAccess> = {}): PaidAccess => ({
  hasUnlimitedAccess: false,
  subscription: null,
  credits: 0,
  ...changes,
});
const subscription = {
  subscriptionId: "s",
  status: "active" as const,
  quotaLimit: 5,
  quotaUsed: 5,
  periodStart: 0,
  periodEnd: 1,
};

describe("protection and limits follow from access", () => {
  it.each([
    ["nothing", access(), "watermarked-lowres", 30],
    ["credits", access({ credits: 1 }), "watermarked", 30],
    ["a subscription, even used up", access({ subscription }), "watermarked", 30],
    ["unlimited access", access({ hasUnlimitedAccess: true }), "none", 300],
  ] as const)("with %s", (_, paid, protection, product) => {
    expect(entitlementOf(paid, {})).toEqual({ protection, limits: { product, burst: 6 } });
  });

  it("an operator's variables replace the limits if they are positive integers", () => {
    const variables = {
      PREVIEW_DAILY: "7",
      PREVIEW_DAILY_UNLIMITED: "9",
      PREVIEW_BURST: "2",
    };
    expect(entitlementOf(access(), variables).limits).toEqual({ product: 7, burst: 2 });
    expect(entitlementOf(access({ hasUnlimitedAccess: true }), variables).limits.product).toBe(9);
    for (const useless of ["", "0", "-1", "1.5", "many", undefined]) {
      const overrides = { PREVIEW_DAILY: useless, PREVIEW_BURST: useless };
      expect(entitlementOf(access(), overrides).limits).toEqual({ product: 30, burst: 6 });
    }
  });

  it("exhaustion ends when the last exhausted counter has reset", () => {
    const counter = (remaining: number, resetsAtMs: number) => ({ limit: 1, used: 1, remaining, resetsAtMs });
    expect(exhaustedUntilMs({ product: counter(1, 900), burst: counter(1, 60) })).toBeNull();
    expect(exhaustedUntilMs({ product: counter(1, 900), burst: counter(0, 60) })).toBe(60);
    expect(exhaustedUntilMs({ product: counter(0, 900), burst: counter(0, 60) })).toBe(900);
  });
});

it("a cache key is parsed back; anything else is rejected", () => {
  const cacheKey = { previewId: "a".repeat(64), protection: "watermarked" as const };
  expect(parseCacheKey(cacheKeyText(cacheKey))).toEqual(cacheKey);
  for (const text of ["", "a.b", `${"a".repeat(64)}.clear`, `${"A".repeat(64)}.none`]) {
    expect(parseCacheKey(text)).toBeNull();
  }
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  accessTypeOf,
  choosePayment,
  hasPaidAccess,
  type PaidAccess,
  spendable,
} from "#domains/ledger/payment.ts";

const accesses: fc.Arbitrary<PaidAccess> = fc.record({
  hasUnlimitedAccess: fc.boolean(),
  credits: fc.nat(20),
  subscription: fc.option(
    fc.tuple(fc.nat(20), fc.nat(20)).map(([left, right]) => ({
      subscriptionId: "s",
      status: "active" as const,
      quotaLimit: Math.max(left, right),
      quotaUsed: Math.min(left, right),
      periodStart: 1_000,
      periodEnd: 2_000,
    })),
  ),
});
const costs = fc.integer({ min: 1, max: 25 });

const quotaLeft = ({ subscription }: PaidAccess): number =>
  subscription === null ? 0 : subscription.quotaLimit - subscription.quotaUsed;

describe("choosing the source", () => {
  it("selects the first source that covers the whole cost", () => {
    fc.assert(
      fc.property(accesses, costs, (access, cost) => {
        const expected = access.hasUnlimitedAccess
          ? "unlimited"
          : quotaLeft(access) >= cost
            ? "subscription"
            : access.credits >= cost
              ? "credits"
              : undefined;
        expect(choosePayment(access, cost)?.source).toBe(expected);
      }),
      { verbose: true },
    );
  });

  it("covers exactly the spendable amount: sources are never combined", () => {
    fc.assert(
      fc.property(accesses, (access) => {
        if (access.hasUnlimitedAccess) return;
        const most = spendable(access);
        expect(most).toBe(Math.max(quotaLeft(access), access.credits));
        if (most > 0) expect(choosePayment(access, most)).not.toBeNull();
        expect(choosePayment(access, most + 1)).toBeNull();
      }),
      { verbose: true },
    );
  });

  it("names the charged period", () => {
    const subscription = {
      subscriptionId: "s",
      status: "active" as const,
      quotaLimit: 5,
      quotaUsed: 0,
      periodStart: 10,
      periodEnd: 20,
    };
    expect(choosePayment({ hasUnlimitedAccess: false, credits: 9, subscription }, 5)).toEqual({
      source: "subscription",
      subscriptionId: "s",
      periodStart: 10,
      periodEnd: 20,
    });
  });
});

describe("paid access", () => {
  const none: PaidAccess = { hasUnlimitedAccess: false, subscription: null, credits: 0 };
  const exhausted = {
    subscriptionId: "s",
    status: "active" as const,
    quotaLimit: 5,
    quotaUsed: 5,
    periodStart: 10,
    periodEnd: 20,
  };

  it.each([
    ["nothing", none, false, "credits"],
    ["a credit", { ...none, credits: 1 }, true, "credits"],
    ["an exhausted subscription", { ...none, subscription: exhausted }, true, "subscription"],
    ["unlimited access", { ...none, hasUnlimitedAccess: true }, true, "unlimited"],
  ] as const)("follows from the means of payment: %s", (_, access, isPaid, accessType) => {
    expect(hasPaidAccess(access)).toBe(isPaid);
    expect(accessTypeOf(access)).toBe(accessType);
  });
});

/** Pure rules that choose how a workspace pays for a job. */

export interface ActiveSubscription {
  readonly subscriptionId: string;
  readonly status: "active";
  readonly quotaLimit: number;
  readonly quotaUsed: number;
  /**
   * Unix ms. For a granted subscription, the current period; for a bought plan, the paid period, even for a few days
   * after its end.
   */
  readonly periodStart: number;
  readonly periodEnd: number;
}

export interface PaidAccess {
  readonly hasUnlimitedAccess: boolean;
  readonly subscription: ActiveSubscription | null;
  readonly credits: number;
}

export type Payment =
  | { readonly source: "unlimited" }
  | {
      readonly source: "subscription";
      readonly subscriptionId: string;
      readonly periodStart: number;
      readonly periodEnd: number;
    }
  | { readonly source: "credits" };

const remainingQuota = (access: PaidAccess): number =>
  access.subscription === null ? 0 : access.subscription.quotaLimit - access.subscription.quotaUsed;

/**
 * The source that pays the whole cost: unlimited access, then a subscription with enough quota left in its period, then
 * credits; null when none suffices. A job never mixes sources.
 */
export function choosePayment(access: PaidAccess, cost: number): Payment | null {
  if (access.hasUnlimitedAccess) return { source: "unlimited" };
  if (access.subscription !== null && remainingQuota(access) >= cost) {
    const { subscriptionId, periodStart, periodEnd } = access.subscription;
    return { source: "subscription", subscriptionId, periodStart, periodEnd };
  }
  return access.credits >= cost ? { source: "credits" } : null;
}

/** The highest cost that one job may have now. */
export const spendable = (access: PaidAccess): number =>
  access.hasUnlimitedAccess ? Number.MAX_SAFE_INTEGER : Math.max(remainingQuota(access), access.credits);

/** True when the workspace has unlimited access, a subscription or credits. */
export const hasPaidAccess = (access: PaidAccess): boolean =>
  access.hasUnlimitedAccess || access.subscription !== null || access.credits > 0;

/** The access type that the balance reports. */
export const accessTypeOf = (access: PaidAccess): "unlimited" | "subscription" | "credits" =>
  access.hasUnlimitedAccess ? "unlimited" : access.subscription !== null ? "subscription" : "credits";

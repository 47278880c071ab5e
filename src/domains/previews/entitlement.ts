import { LIMITS } from "#api/limits.ts";
import type { PreviewLimits, PreviewProtection } from "#api/preview-quota.ts";
import { type Env, overridden } from "#platform/bindings/env.ts";
import { hasPaidAccess, type PaidAccess } from "../ledger/payment.ts";

/** Protection and allowances of previews that follow from a workspace's access. */
export interface PreviewEntitlement {
  readonly protection: PreviewProtection;
  readonly limits: PreviewLimits;
}

/** Variables that override the allowances. */
export type PreviewOverrides = Pick<Env, "PREVIEW_DAILY" | "PREVIEW_DAILY_UNLIMITED" | "PREVIEW_BURST">;

/**
 * Previews have no watermark with unlimited access, and a watermark with other paid access. Without paid access they
 * have a watermark and a small size. Trial keys cannot create previews.
 */
export function entitlementOf(access: PaidAccess, overrides: PreviewOverrides): PreviewEntitlement {
  const { standard, unlimited } = LIMITS.previewsPerDay;
  const burst = overridden(overrides.PREVIEW_BURST, LIMITS.previewsPerBurst);
  if (access.hasUnlimitedAccess) {
    return {
      protection: "none",
      limits: { product: overridden(overrides.PREVIEW_DAILY_UNLIMITED, unlimited), burst },
    };
  }
  return {
    protection: hasPaidAccess(access) ? "watermarked" : "watermarked-lowres",
    limits: { product: overridden(overrides.PREVIEW_DAILY, standard), burst },
  };
}

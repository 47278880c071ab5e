import { LIMITS } from "../contract/limits.ts";
import type { PreviewCounts, PreviewLimits, PreviewProtection } from "../contract/preview-allowance.ts";
import { hasPaidAccess, type PaidAccess } from "../ledger/payment.ts";
import type { Env } from "../platform/env.ts";

/** What a workspace's access gives it of previews. */
export interface PreviewAllowance {
  readonly protection: PreviewProtection;
  readonly limits: PreviewLimits;
}

/** The allowance and where its counters stand. */
export interface PreviewQuotaState extends PreviewCounts {
  readonly protection: PreviewProtection;
}

type Overrides = Pick<Env, "PREVIEW_DAILY" | "PREVIEW_DAILY_UNLIMITED" | "PREVIEW_BURST">;

/** An operator's variable where it is a whole number above zero, else the default. */
function overridden(variable: unknown, otherwise: number): number {
  const limit = Number(variable);
  return Number.isSafeInteger(limit) && limit > 0 ? limit : otherwise;
}

/** Unlimited access is unprotected; paid access is marked; none is marked and small. No trial key reaches previews. */
export function allowanceOf(access: PaidAccess, overrides: Overrides): PreviewAllowance {
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

/** When every exhausted counter has reset, Unix ms; null when none is exhausted. */
export function exhaustedUntilMs({ product, burst }: PreviewCounts): number | null {
  const exhausted = [product, burst].filter((counter) => counter.remaining === 0);
  return exhausted.length === 0 ? null : Math.max(...exhausted.map((counter) => counter.resetsAtMs));
}

import type { z } from "zod";
import type { jobSchema } from "../../src/api/schemas/job.ts";
import type { previewQuotaSchema, previewSchema } from "../../src/api/schemas/preview.ts";

/** What the routes answer, where src/api/schemas names no type of its own. */

export type JobBody = z.infer<typeof jobSchema>;
export type PreviewBody = z.infer<typeof previewSchema>;
export type PreviewQuotaBody = z.infer<typeof previewQuotaSchema>;

export interface BalanceBody {
  readonly accessType: "credits" | "subscription" | "unlimited";
  readonly credits: { readonly available: number };
}

export interface LedgerEventBody {
  readonly eventId: string;
  readonly type: string;
  readonly amount: number;
  readonly balanceAfter: number;
  readonly description: string;
}

export interface LedgerPage {
  readonly items: readonly LedgerEventBody[];
}

import type { Context } from "hono";
import type { z } from "zod";
import { PREVIEW_PROTECTIONS } from "#api/preview-quota.ts";
import { previewQuotaSchema } from "#api/schemas/preview.ts";
import type { AppEnv } from "#interface/http/context.ts";

type Quota = z.infer<typeof previewQuotaSchema>;

/** Writes the headers of both preview routes; Retry-After until every exhausted counter has reset (API §4.30). */
export function writePreviewHeaders(c: Context<AppEnv>, quota: Quota, nowMs: number): void {
  const { product, burst, protection } = quota;
  c.header("X-Preview-Protection", protection);
  c.header("X-Preview-Quota-Limit", String(product.limit));
  c.header("X-Preview-Quota-Used", String(product.used));
  c.header("X-Preview-Quota-Remaining", String(product.remaining));
  c.header("X-Preview-Quota-Reset", product.resetsAt);
  const resets = [product, burst]
    .filter((counter) => counter.remaining === 0)
    .map((counter) => Date.parse(counter.resetsAt));
  if (resets.length === 0) return;
  c.header("Retry-After", String(Math.max(1, Math.ceil((Math.max(...resets) - nowMs) / 1_000))));
}

/** The quota that a refusal carries in its details, or null. */
export function quotaOf(details: Readonly<Record<string, unknown>> | undefined): Quota | null {
  const parsed = previewQuotaSchema.safeParse(details?.quota);
  return parsed.success ? parsed.data : null;
}

const count = (description: string) => ({
  description,
  schema: { type: "integer" as const, minimum: 0 },
});

/** The same headers as they are documented. */
export const PREVIEW_HEADERS = {
  "X-Preview-Protection": {
    description: "How previews of the workspace are protected.",
    schema: { type: "string" as const, enum: [...PREVIEW_PROTECTIONS] },
  },
  "X-Preview-Quota-Limit": count("Previews a UTC day for the workspace."),
  "X-Preview-Quota-Used": count("Previews used today."),
  "X-Preview-Quota-Remaining": count("Previews left today."),
  "X-Preview-Quota-Reset": {
    description: "When the day's allowance resets, UTC.",
    schema: { type: "string" as const, format: "date-time" },
  },
  "Retry-After": {
    description: "Seconds until every exhausted counter has reset; present when one is.",
    schema: { type: "integer" as const, minimum: 1 },
  },
};

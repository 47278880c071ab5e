import type { z } from "zod";
import type { PreviewCounter } from "../contract/preview-allowance.ts";
import type { KeptPreview, previewQuotaSchema, previewSchema } from "../contract/schemas/preview.ts";
import { toTimestamp } from "../platform/clock.ts";
import type { PreviewQuotaState } from "./allowance.ts";

const presentCounter = ({ limit, used, remaining, resetsAtMs }: PreviewCounter) => ({
  limit,
  used,
  remaining,
  resetsAt: toTimestamp(resetsAtMs),
});

/** The quota body of the interface. */
export const presentQuota = ({
  product,
  burst,
  protection,
}: PreviewQuotaState): z.infer<typeof previewQuotaSchema> => ({
  product: presentCounter(product),
  burst: presentCounter(burst),
  protection,
});

/** A preview of the interface, with the allowance as it stands after it. */
export const presentPreview = (
  kept: KeptPreview,
  isCached: boolean,
  quota: PreviewQuotaState,
): z.infer<typeof previewSchema> => ({ ...kept, cached: isCached, quota: presentQuota(quota) });

import type { z } from "zod";
import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { PreviewCounter, PreviewCounts, PreviewProtection } from "#api/preview-quota.ts";
import type { previewQuotaSchema } from "#api/schemas/preview.ts";
import type { Env } from "#platform/bindings/env.ts";
import type { DrawnPicture } from "#platform/bindings/preview-quota-rpc.ts";
import { clock, toTimestamp } from "#platform/clock.ts";
import { log } from "#platform/log/log.ts";
import type { PreviewEntitlement } from "./entitlement.ts";

type Quotas = NonNullable<Env["PREVIEW_QUOTA"]>;
type QuotaStub = ReturnType<Quotas["get"]>;

/** The caller of the preview routes with its workspace's entitlement. */
export interface PreviewClient {
  readonly quotas: Quotas;
  readonly workspaceId: string;
  /** Id of the burst counter: the key's, or the account's for a session key. */
  readonly apiKeyId: string;
  readonly entitlement: PreviewEntitlement;
}

/** A Durable Object that is being moved breaks the call; a new stub reaches it. */
const ATTEMPTS_MAX = 2;

export const UNAVAILABLE = refuse(
  "PREVIEW_UNAVAILABLE",
  "The preview allowance cannot be reached at the moment.",
);

/** Both counters, and the protection (watermark and size) of the workspace's previews. */
export interface PreviewQuotaState extends PreviewCounts {
  readonly protection: PreviewProtection;
}

/**
 * Calls the workspace's counters. Every call is idempotent and may be retried. 503 PREVIEW_UNAVAILABLE when they are
 * unreachable.
 */
export async function callQuota<T>(
  client: Pick<PreviewClient, "quotas" | "workspaceId">,
  call: (stub: QuotaStub) => Promise<T>,
): Promise<Outcome<T>> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    try {
      return accept(await call(client.quotas.get(client.quotas.idFromName(client.workspaceId))));
    } catch (thrown) {
      log.failure(
        {
          event: "preview_quota_unreachable",
          workspaceId: client.workspaceId,
          attempt,
        },
        thrown,
      );
    }
  }
  return UNAVAILABLE;
}

/** Arguments of a call to the counters. Reads the clock each time, because the request may have waited. */
export const callOf = (client: PreviewClient) => ({
  apiKeyId: client.apiKeyId,
  limits: client.entitlement.limits,
  nowMs: clock.now(),
});

export const stateOf = (client: PreviewClient, counts: PreviewCounts): PreviewQuotaState => ({
  product: counts.product,
  burst: counts.burst,
  protection: client.entitlement.protection,
});

/** Reads both counters without reserving or counting. */
export async function readQuota(client: PreviewClient): Promise<Outcome<PreviewQuotaState>> {
  const counts = await callQuota(client, (stub) => stub.read(callOf(client)));
  return counts.ok ? accept(stateOf(client, counts.value)) : counts;
}

const presentCounter = ({ resetsAtMs, ...counts }: PreviewCounter) => ({
  ...counts,
  resetsAt: toTimestamp(resetsAtMs),
});

export const presentQuota = (state: PreviewQuotaState): z.infer<typeof previewQuotaSchema> => ({
  product: presentCounter(state.product),
  burst: presentCounter(state.burst),
  protection: state.protection,
});

/** The time (Unix ms) at which the last exhausted counter resets; null when none is exhausted. */
export function exhaustedUntilMs({ product, burst }: PreviewCounts): number | null {
  const exhausted = [product, burst].filter((counter) => counter.remaining === 0);
  return exhausted.length === 0 ? null : Math.max(...exhausted.map((counter) => counter.resetsAtMs));
}

/**
 * Counts a picture of a workspace without paid access. 429 with the quota when too many of the day's pictures look
 * alike.
 */
export async function countAlike(client: PreviewClient, picture: DrawnPicture): Promise<Outcome<void>> {
  if (client.entitlement.protection !== "watermarked-lowres") return accept(undefined);
  const call = { ...callOf(client), ...picture };
  const counted = await callQuota(client, (stub) => stub.countAlike(call));
  if (!counted.ok) return counted;
  const { isAllowed, counts } = counted.value;
  if (isAllowed) return accept(undefined);
  const limit = LIMITS.similarPreviewsPerDay;
  const message = `The workspace has had previews of ${limit} other pictures today that look like this one.`;
  return {
    ...refuse("PREVIEW_QUOTA_EXCEEDED", message, { quota: presentQuota(stateOf(client, counts)) }),
    retryAfterSeconds: (counts.product.resetsAtMs - call.nowMs) / 1_000,
  };
}

/** 429 with the quota. The daily counter's error code takes precedence, because that counter resets later. */
export function exhausted(state: PreviewQuotaState, nowMs: number): Refusal {
  const isProduct = state.product.remaining === 0;
  return {
    ...refuse(
      isProduct ? "PREVIEW_QUOTA_EXCEEDED" : "PREVIEW_RATE_LIMITED",
      isProduct
        ? `The workspace has used its ${state.product.limit} previews for today.`
        : `The key has requested more than its ${state.burst.limit} previews a minute.`,
      { quota: presentQuota(state) },
    ),
    retryAfterSeconds: ((exhaustedUntilMs(state) ?? nowMs) - nowMs) / 1_000,
  };
}

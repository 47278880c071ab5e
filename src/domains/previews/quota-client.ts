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

/** The caller of the preview routes, and what its workspace is entitled to. */
export interface PreviewClient {
  readonly quotas: Quotas;
  readonly workspaceId: string;
  /** Whose burst it is: the key's, or the account's of a session's key. */
  readonly apiKeyId: string;
  readonly entitlement: PreviewEntitlement;
}

/** A second attempt: an object that is just being moved breaks the call, and a fresh stub reaches it again. */
const ATTEMPTS_MAX = 2;

export const UNAVAILABLE = refuse(
  "PREVIEW_UNAVAILABLE",
  "The preview allowance cannot be reached at the moment.",
);

/** Both counters, and how previews are protected. */
export interface PreviewQuotaState extends PreviewCounts {
  readonly protection: PreviewProtection;
}

/**
 * Calls the workspace's counters, which take every call twice without harm; 503 PREVIEW_UNAVAILABLE when they
 * cannot be reached.
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

/** What a call to the counters carries. The time is read for each call: the request may have waited since the last. */
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

/** Reads both counters; nothing is reserved or counted. */
export async function readQuota(client: PreviewClient): Promise<Outcome<PreviewQuotaState>> {
  const counts = await callQuota(client, (stub) => stub.read(callOf(client)));
  return counts.ok ? accept(stateOf(client, counts.value)) : counts;
}

const presentCounter = ({ resetsAtMs, ...counts }: PreviewCounter) => ({
  ...counts,
  resetsAt: toTimestamp(resetsAtMs),
});

/** The quota as the API shows it. */
export const presentQuota = (state: PreviewQuotaState): z.infer<typeof previewQuotaSchema> => ({
  product: presentCounter(state.product),
  burst: presentCounter(state.burst),
  protection: state.protection,
});

/** When every exhausted counter has reset, Unix ms; null when none is exhausted. */
export function exhaustedUntilMs({ product, burst }: PreviewCounts): number | null {
  const exhausted = [product, burst].filter((counter) => counter.remaining === 0);
  return exhausted.length === 0 ? null : Math.max(...exhausted.map((counter) => counter.resetsAtMs));
}

/** Counts a picture of a workspace that never paid. 429 with the quota where too many of the day look like it. */
export async function countAlike(client: PreviewClient, picture: DrawnPicture): Promise<Outcome<void>> {
  if (client.entitlement.protection !== "watermarked-lowres") return accept(undefined);
  const call = { ...callOf(client), ...picture };
  const counted = await callQuota(client, (stub) => stub.countAlike(call));
  if (!counted.ok) return counted;
  const { isAllowed, counts } = counted.value;
  if (isAllowed) return accept(undefined);
  const limit = LIMITS.alikePreviewsPerDay;
  const message = `The workspace has had previews of ${limit} other pictures today that look like this one.`;
  return {
    ...refuse("PREVIEW_QUOTA_EXCEEDED", message, { quota: presentQuota(stateOf(client, counts)) }),
    retryAfterSeconds: (counts.product.resetsAtMs - call.nowMs) / 1_000,
  };
}

/** 429 with the quota: the code of the day's counter when that is exhausted, for it lasts longer. */
export function exhausted(state: PreviewQuotaState, nowMs: number): Refusal {
  const isProduct = state.product.remaining === 0;
  return {
    ...refuse(
      isProduct ? "PREVIEW_QUOTA_EXCEEDED" : "PREVIEW_RATE_LIMITED",
      isProduct
        ? `The workspace has had its ${state.product.limit} previews of today.`
        : `The key has asked for more than its ${state.burst.limit} previews a minute.`,
      { quota: presentQuota(state) },
    ),
    retryAfterSeconds: ((exhaustedUntilMs(state) ?? nowMs) - nowMs) / 1_000,
  };
}

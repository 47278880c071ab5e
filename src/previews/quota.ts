import { accept, type Outcome, type Refusal, refuse } from "../contract/errors.ts";
import type { PreviewCounts } from "../contract/preview-allowance.ts";
import { clock } from "../platform/clock.ts";
import type { Env } from "../platform/env.ts";
import { errorNameOf, log } from "../platform/log.ts";
import { exhaustedUntilMs, type PreviewAllowance, type PreviewQuotaState } from "./allowance.ts";
import { presentQuota } from "./present-preview.ts";

type Quotas = NonNullable<Env["PREVIEW_QUOTA"]>;
type QuotaStub = ReturnType<Quotas["get"]>;

/** Who asks for previews, and what its workspace is allowed. */
export interface PreviewClient {
  readonly quotas: Quotas;
  readonly workspaceId: string;
  readonly apiKeyId: string;
  readonly allowance: PreviewAllowance;
}

/** Asked twice: an object that is just being moved breaks the call, and a fresh stub reaches it again. */
const ASKS_MAX = 2;

export const UNAVAILABLE = refuse(
  "PREVIEW_UNAVAILABLE",
  "The preview allowance cannot be reached at the moment.",
);

/**
 * Asks the workspace's counters, which take every question twice without harm; 503 PREVIEW_UNAVAILABLE when they
 * cannot be reached.
 */
export async function ask<T>(
  client: Pick<PreviewClient, "quotas" | "workspaceId">,
  question: (stub: QuotaStub) => Promise<T>,
): Promise<Outcome<T>> {
  for (let attempt = 1; attempt <= ASKS_MAX; attempt += 1) {
    try {
      return accept(await question(client.quotas.get(client.quotas.idFromName(client.workspaceId))));
    } catch (thrown) {
      log.failure({
        event: "preview_quota_unreachable",
        workspaceId: client.workspaceId,
        attempt,
        errorName: errorNameOf(thrown),
      });
    }
  }
  return UNAVAILABLE;
}

/** What a question to the counters carries. One's own time is asked anew: a request may have waited for its turn. */
export const questionOf = (client: PreviewClient) => ({
  apiKeyId: client.apiKeyId,
  limits: client.allowance.limits,
  nowMs: clock.now(),
});

export const stateOf = (client: PreviewClient, counts: PreviewCounts): PreviewQuotaState => ({
  product: counts.product,
  burst: counts.burst,
  protection: client.allowance.protection,
});

/** The allowance as it stands; nothing is reserved or counted. */
export async function readQuota(client: PreviewClient): Promise<Outcome<PreviewQuotaState>> {
  const counts = await ask(client, (stub) => stub.read(questionOf(client)));
  return counts.ok ? accept(stateOf(client, counts.value)) : counts;
}

/** 429 with the quota: the product allowance's code when that is exhausted, for it lasts longer. */
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

import type { Outcome } from "#api/errors.ts";
import type { CreatePreviewRequest } from "#api/schemas/preview.ts";
import { idsOf } from "#domains/assets/ready-inputs.ts";
import { assetsByIds } from "#domains/assets/store.ts";
import { findRecordWith } from "#domains/idempotency/store.ts";
import {
  type IdempotencyLocks,
  type IdempotentResult,
  withIdempotency,
} from "#domains/idempotency/with-idempotency.ts";
import { findScopeRefusal } from "#domains/keys/principal.ts";
import { readPaidAccess } from "#domains/ledger/service.ts";
import {
  admitRequest,
  type CreatePreviewDeps,
  createPreview,
  replayPreview,
  type ShownPreview,
} from "#domains/previews/create-preview.ts";
import { entitlementOf, type PreviewOverrides } from "#domains/previews/entitlement.ts";
import { type PreviewClient, type PreviewQuotaState, readQuota } from "#domains/previews/quota-client.ts";
import { markSeedOf } from "#domains/previews/watermark-seed.ts";
import { hmacSha256Hex } from "#platform/crypto/hashing.ts";
import type { Caller } from "./caller.ts";

const OPERATION = "POST /api/v1/previews";

/** Dependencies for a workspace's preview allowances. */
export interface AllowanceDeps {
  readonly db: D1Database;
  readonly quotas: PreviewClient["quotas"];
  readonly overrides: PreviewOverrides;
}

export interface DrawPreviewDeps extends AllowanceDeps, Omit<CreatePreviewDeps, "markSeed"> {
  readonly locks: IdempotencyLocks;
  readonly keyPepper: string;
}

/** The caller, with the preview protection and allowances that its workspace is entitled to. */
async function clientOf(
  { db, quotas, overrides }: AllowanceDeps,
  { workspaceId, countedAs, nowMs }: Caller,
): Promise<PreviewClient> {
  const access = await readPaidAccess(db, workspaceId, nowMs);
  return { quotas, workspaceId, apiKeyId: countedAs, entitlement: entitlementOf(access, overrides) };
}

/** The caller's remaining allowances. Returns 503 PREVIEW_UNAVAILABLE if the counters cannot be read. */
export const readAllowance = async (
  deps: AllowanceDeps,
  caller: Caller,
): Promise<Outcome<PreviewQuotaState>> => readQuota(await clientOf(deps, caller));

/**
 * Draws a request's preview once per Idempotency-Key. Returns the refusals of `admitRequest` and `createPreview`, and
 * 403 for a key that may not read the request's assets.
 */
export async function drawPreview(
  deps: DrawPreviewDeps,
  caller: Caller,
  request: CreatePreviewRequest,
  idempotencyKey: string,
): Promise<Outcome<IdempotentResult<ShownPreview>>> {
  const { db, locks, keyPepper } = deps;
  const { workspaceId } = caller;
  const client = await clientOf(deps, caller);
  const quota = await admitRequest(client);
  if (!quota.ok) return quota;
  const assetIds = idsOf(request.assetIds);
  const refusal =
    assetIds.length === 0 && request.brandId === undefined
      ? null
      : findScopeRefusal(caller, "assets:read", "the body names assets");
  if (refusal !== null) return refusal;
  const { protection } = client.entitlement;
  const markSeed = markSeedOf(workspaceId, protection, await hmacSha256Hex(keyPepper, "mark"));
  const drawing = { ...deps, markSeed };
  const identity = { operation: OPERATION, idempotencyKey };
  return withIdempotency(
    db,
    { caller, identity, body: request },
    {
      locks,
      read: (claim) =>
        findRecordWith(db, claim, assetsByIds, { workspaceId, assetIds: JSON.stringify(assetIds) }),
      execute: (claim, assets) => createPreview(drawing, client, quota.value, claim, request, assets),
      replay: (remembered) => replayPreview(drawing, client, quota.value, remembered, request),
    },
  );
}

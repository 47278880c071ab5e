import { accept, type Outcome, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { CreateJobRequest } from "#api/schemas/job.ts";
import type { OpenStorage } from "#domains/artifacts/read-archive.ts";
import { withIdempotency } from "#domains/idempotency/with-idempotency.ts";
import { linkInvalid } from "#domains/images/image-link.ts";
import {
  assertNewImageAllowed,
  assertSecretActive,
  type ImageJob,
  latestImageJob,
} from "#domains/images/image-store.ts";
import type { ImageId } from "#domains/images/stored-image.ts";
import { type CreateJobDeps, createJob } from "#domains/jobs/create-job.ts";
import { getJob } from "#domains/jobs/read-jobs.ts";
import type { Job } from "#domains/jobs/store.ts";
import { clock } from "#platform/clock.ts";
import { isGuardViolation } from "#platform/db/batch-guard.ts";
import { latest } from "#platform/db/reader.ts";
import { type OrderRules, orderReads, readOrder } from "./order-facts.ts";

const OPERATION = "GET /i/{signature}/{file}";
const { newImagesPerMinute } = LIMITS;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** The image of a verified URL. */
export interface RequestedImage extends ImageId {
  /** The secret that signed the URL. */
  readonly imageSecretId: string;
  readonly request: CreateJobRequest;
  readonly nowMs: number;
}

export interface DrawImageDeps extends Omit<CreateJobDeps, "writes" | "livemode"> {
  readonly openStorage: OpenStorage;
  readonly rules: OrderRules;
  readonly newImagesPerDay: number;
}

/**
 * Earliest time of the next attempt at a failed image. The delay grows fourfold with each attempt, up to
 * `imageRetryMsMax`.
 */
const retryAtMs = ({ attempts, finishedAtMs }: ImageJob): number =>
  (finishedAtMs ?? 0) + Math.min(LIMITS.imageRetryMs * 4 ** (attempts - 1), LIMITS.imageRetryMsMax);

const hasFailed = ({ status }: ImageJob): boolean => status === "failed" || status === "canceled";

/**
 * Orders an image. It is charged once, however often it is requested: the attempt number is part of the
 * Idempotency-Key, and increases only after an attempt has failed and was refunded. Returns before the image is drawn;
 * `untilDrawn` waits for it. Returns any refusal of an order, 403 LINK_INVALID for a revoked secret, and 429
 * RATE_LIMITED above the workspace's limits of new images per minute and per day.
 */
export async function drawImage(deps: DrawImageDeps, image: RequestedImage): Promise<Outcome<void>> {
  const found = await latestImageJob.first(latest(deps.db), image);
  if (found !== null && !(hasFailed(found) && image.nowMs >= retryAtMs(found))) return accept(undefined);
  const ordered = await orderImage(deps, image, (found?.attempts ?? 0) + 1);
  return ordered.ok ? accept(undefined) : ordered;
}

async function orderImage(
  deps: DrawImageDeps,
  image: RequestedImage,
  attempt: number,
): Promise<Outcome<unknown>> {
  const { db, rules, newImagesPerDay } = deps;
  const { workspaceId, imageHash, imageSecretId, request, nowMs } = image;
  const idempotencyKey = `image:${imageHash}:${attempt}`;
  const writes = latest(db);
  const reads = orderReads({ idempotencyKey, assetIds: request.assetIds }, rules, nowMs);
  const guards = [
    assertSecretActive.bind(writes, { workspaceId, imageSecretId }),
    assertNewImageAllowed.bind(writes, { workspaceId, sinceMs: nowMs - DAY_MS, limit: newImagesPerDay }),
    assertNewImageAllowed.bind(writes, {
      workspaceId,
      sinceMs: nowMs - MINUTE_MS,
      limit: newImagesPerMinute,
    }),
  ];
  return withIdempotency<Job, Parameters<typeof createJob>[3]>(
    db,
    {
      caller: { workspaceId, apiKeyId: null, nowMs },
      identity: { operation: OPERATION, idempotencyKey },
      body: request,
    },
    {
      locks: null,
      writes,
      read: async () => {
        const { remembered, facts } = await readOrder(db, reads, { workspaceId, apiKeyId: "" });
        return { remembered, facts: facts.preconditions };
      },
      execute: async (claim, preconditions) => {
        try {
          const created = await createJob(
            { ...deps, writes, livemode: true },
            claim,
            request,
            preconditions,
            {
              imageHash,
              guards,
            },
          );
          // Here KEY_REVOKED refers to the image secret, because the same guard checks it.
          return !created.ok && created.code === "KEY_REVOKED" ? linkInvalid() : created;
        } catch (thrown) {
          if (isGuardViolation(thrown, "workspace_limit")) return tooManyImages(newImagesPerDay);
          throw thrown;
        }
      },
      replay: (jobId) => getJob(db, deps.openStorage, { workspaceId, jobId, livemode: true }),
    },
  );
}

const tooManyImages = (perDay: number) => ({
  ...refuse(
    "RATE_LIMITED",
    `The workspace has drawn ${newImagesPerMinute} new images by URL in a minute, or ${perDay} in 24 hours.`,
    {
      nextAction: "Wait for Retry-After; check what signs new URLs. Images that are drawn already are shown.",
    },
  ),
  retryAfterSeconds: MINUTE_MS / 1_000,
});

/** Delays between reads of a job, 8 s in total. Most images are drawn within two seconds; browsers wait for ten. */
const WAITS_MS = [300, 400, 600, 900, 1_300, 1_900, 2_600] as const;

/**
 * Waits some seconds until an image is drawn. 503 IMAGE_NOT_READY if it is not; 502 IMAGE_FAILED if its job failed or
 * was canceled.
 */
export async function untilDrawn(
  db: D1Database,
  image: ImageId & { readonly nowMs: number },
): Promise<Outcome<void>> {
  let job: ImageJob | null = null;
  for (const waitMs of [0, ...WAITS_MS]) {
    if (waitMs > 0) await clock.wait(waitMs);
    job = await latestImageJob.first(latest(db), image);
    if (job?.finishedAtMs != null) break;
  }
  if (job?.status === "succeeded") return accept(undefined);
  if (job === null || !hasFailed(job)) return refuse("IMAGE_NOT_READY", "The image is being drawn.");
  const message = job.failureMessage ?? "The job of the image was canceled and refunded.";
  return {
    ...refuse("IMAGE_FAILED", message),
    retryAfterSeconds: (retryAtMs(job) - image.nowMs) / 1_000,
  };
}

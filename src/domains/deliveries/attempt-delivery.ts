import { ARTIFACT_DELIVERY, TEST_MESSAGE } from "#api/delivery-rules.ts";
import type { LinkKeys } from "#platform/bindings/capabilities.ts";
import { clock } from "#platform/clock.ts";
import { type EncryptionKeys, unseal } from "#platform/crypto/sealed-secret.ts";
import type { Lease } from "#platform/db/leased-rows.ts";
import type { S3Settings } from "#platform/db/schema/index.ts";
import type { RowOf } from "#platform/db/statement.ts";
import type { LeasedWork } from "#platform/leased-work/leased-work.ts";
import { DONE, EXHAUSTED, type MessageResult, retryAfter } from "#platform/leased-work/message-result.ts";
import { log } from "#platform/log/log.ts";
import { type AddressRules, checkAddress, checkEndpoint } from "#platform/outbound/ssrf-guard.ts";
import { pick } from "#platform/pick-members.ts";
import type { DetailedArtifact } from "../artifacts/artifact.ts";
import { issueDownloadLinks, readDetailedArtifact } from "../artifacts/service.ts";
import { restoreJob } from "../jobs/archived-jobs.ts";
import { presentJob } from "../jobs/present-job.ts";
import { jobOfWorkspace } from "../jobs/store.ts";
import { type AttemptFailure, attemptFailed } from "./delivery.ts";
import {
  claimDelivery,
  deliveryRows,
  endExhausted,
  SERVICE_FAULT_MESSAGE,
  settleAttempt,
  settlePaused,
} from "./delivery-attempt-store.ts";
import { type Delivery, deliveryById, filesOfDelivery } from "./delivery-store.ts";
import { destinationById, disableGone } from "./destination-store.ts";
import { secondsToNextDelivery } from "./retry-schedule.ts";
import { checksumsOf } from "./s3/s3-checksums.ts";
import type { S3Secrets } from "./s3/s3-client.ts";
import { type AttemptOutcome, sendToS3 } from "./s3/send-to-s3.ts";
import { artifactMessage, eventMessage, sendWebhook } from "./webhook/send-webhook.ts";
import { signingSecretsOf, type WebhookSecrets } from "./webhook/webhook-signature.ts";

export interface DeliveryServices {
  readonly db: D1Database;
  readonly bucket: R2Bucket;
  readonly encryption: EncryptionKeys;
  readonly addressRules: AddressRules;
  readonly linkKeys: LinkKeys;
}

type ClaimedDelivery = RowOf<typeof claimDelivery> & Lease;

/** Deliveries as leased work. */
export const deliveryWork: LeasedWork<DeliveryServices, RowOf<typeof claimDelivery>, AttemptOutcome> = {
  logKey: "deliveryId",
  rows: deliveryRows,
  claim: claimDelivery,
  endings: (db, attempt) => [endExhausted.bind(db, attempt)],
  attempt: attemptSafely,
  logged: ({ workspaceId }, result) => ({
    workspaceId,
    ...(result.kind === "failed" && { code: result.code }),
  }),
  settle,
};

/** Attempts a delivery. An exception counts as a failed attempt, with the same retry schedule. */
async function attemptSafely(services: DeliveryServices, claimed: ClaimedDelivery): Promise<AttemptOutcome> {
  const delivery = await deliveryById.first(services.db, { deliveryId: claimed.id });
  if (delivery === null) throw new Error("a claimed delivery cannot be read");
  try {
    return await attemptDelivery(services, claimed, delivery);
  } catch (thrown) {
    const { workspaceId, deliveryId } = delivery;
    log.failure({ event: "delivery_fault", deliveryId, workspaceId }, thrown);
    return attemptFailed("SERVICE_FAULT", SERVICE_FAULT_MESSAGE);
  }
}

/** Writes the outcome of an attempt, unless its lease is lost. */
async function settle(
  { db }: DeliveryServices,
  { id, leaseId, destinationId, attempts }: ClaimedDelivery,
  result: AttemptOutcome,
): Promise<MessageResult> {
  const nowMs = clock.now();
  const lease = { id, leaseId, nowMs };
  const ended = { ...lease, finishedAtMs: nowMs, nextAttemptAtMs: null };
  switch (result.kind) {
    case "lost":
      return DONE;
    case "paused":
      await settlePaused.run(db, lease);
      return retryAfter(0);
    case "delivered": {
      const { receiverStatus } = result;
      const failure = { failureCode: null, failureMessage: null };
      await settleAttempt.run(db, { ...ended, status: "succeeded", ...failure, receiverStatus });
      return DONE;
    }
    case "failed": {
      const { code: failureCode, message: failureMessage, receiverStatus } = result;
      const failure = { failureCode, failureMessage, receiverStatus };
      const seconds = secondsToNextDelivery(result, attempts);
      const nextAttemptAtMs = nowMs + (seconds ?? 0) * 1_000;
      const writes = [
        settleAttempt.bind(
          db,
          seconds === null
            ? { ...ended, status: "dead", ...failure }
            : { ...lease, status: "retrying", finishedAtMs: null, nextAttemptAtMs, ...failure },
        ),
      ];
      // The receiver answered 410.
      if (failureCode === "RECEIVER_GONE") writes.push(disableGone.bind(db, { destinationId, nowMs }));
      await db.batch(writes);
      return seconds === null ? EXHAUSTED : retryAfter(seconds * 1_000);
    }
  }
}

/** Attempts a delivery once; may be repeated. Throws when a service of ours fails. */
async function attemptDelivery(
  services: DeliveryServices,
  lease: Lease,
  delivery: Delivery,
): Promise<AttemptOutcome> {
  const destination = await destinationById.first(services.db, delivery);
  if (destination === null || destination.sealed === null || destination.disabledAtMs !== null) {
    return attemptFailed("DESTINATION_UNAVAILABLE", "The destination is disabled, paused or removed.");
  }
  const plain = await unseal(services.encryption, destination, destination.sealed);
  if (plain === null) {
    return attemptFailed(
      "DESTINATION_UNAVAILABLE",
      "The destination's secrets can no longer be read; save it again.",
    );
  }
  const { settings } = destination;
  return "endpoint" in settings
    ? toS3(services, lease, delivery, settings, JSON.parse(plain) as S3Secrets)
    : toWebhook(services, delivery, JSON.parse(plain) as WebhookSecrets);
}

async function toWebhook(
  services: DeliveryServices,
  delivery: Delivery,
  secrets: WebhookSecrets,
): Promise<AttemptOutcome> {
  const url = checkAddress(secrets.url, services.addressRules);
  if (!url.ok) return attemptFailed("ADDRESS_REFUSED", url.message);
  const payload = await payloadOf(services, delivery);
  if (typeof payload !== "string") return payload;
  const nowMs = clock.now();
  return sendWebhook({
    url: url.value,
    messageId: delivery.deliveryId,
    payload,
    signingSecrets: signingSecretsOf(secrets, nowMs),
    nowMs,
  });
}

async function toS3(
  services: DeliveryServices,
  lease: Lease,
  delivery: Delivery,
  settings: S3Settings,
  secrets: S3Secrets,
): Promise<AttemptOutcome> {
  const endpoint = checkEndpoint(settings.endpoint, services.addressRules);
  if (!endpoint.ok) return attemptFailed("ADDRESS_REFUSED", endpoint.message);
  const artifact = await artifactOf(services, delivery);
  if ("kind" in artifact) return artifact;
  return sendToS3(lease, {
    ...pick(services, "db", "bucket"),
    store: {
      settings,
      secrets,
      checksums: checksumsOf(services.db, delivery.destinationId, settings.refusedChecksums),
    },
    artifact,
    files: await filesOfDelivery.all(services.db, delivery),
  });
}

/** The payload, created for each attempt because its links are short-lived. */
async function payloadOf(services: DeliveryServices, delivery: Delivery): Promise<string | AttemptFailure> {
  if (delivery.eventType === "balance.low") {
    return eventMessage(delivery, { unit: "credit", ...delivery.facts });
  }
  if (delivery.eventType === "share.commented") return eventMessage(delivery, delivery.facts ?? {});
  if (delivery.eventType === TEST_MESSAGE) return eventMessage(delivery, {});
  if (delivery.eventType !== ARTIFACT_DELIVERY) {
    // A finished job never changes.
    const job = await jobOfWorkspace.first(services.db, {
      workspaceId: delivery.workspaceId,
      jobId: delivery.jobId ?? "",
    });
    if (job === null) throw new Error("a message is about a job that is not there");
    const shown = presentJob(await restoreJob(() => services.bucket, job));
    return eventMessage(delivery, { livemode: job.livemode, job: shown });
  }
  const artifact = await artifactOf(services, delivery);
  if ("kind" in artifact) return artifact;
  const links = await issueDownloadLinks(
    artifact,
    services.linkKeys,
    clock.now(),
    (token) => `${delivery.origin}/api/v1/downloads/${token}`,
  );
  return artifactMessage(delivery, artifact, links);
}

async function artifactOf(
  { db, bucket }: DeliveryServices,
  { workspaceId, artifactId }: Delivery,
): Promise<DetailedArtifact | AttemptFailure> {
  const deps = { db, nowMs: clock.now() };
  const artifact = await readDetailedArtifact(deps, bucket, workspaceId, artifactId ?? "");
  return artifact.ok ? artifact.value : attemptFailed("ARTIFACT_UNAVAILABLE", artifact.message);
}

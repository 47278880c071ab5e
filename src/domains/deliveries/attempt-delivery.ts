import { ARTIFACT_DELIVERY, TEST_MESSAGE } from "#api/delivery-rules.ts";
import { clock } from "#platform/clock.ts";
import { type EncryptionKeys, unseal } from "#platform/crypto/sealed-secret.ts";
import type { LinkKeys } from "#platform/databases/shard-name.ts";
import type { S3Settings } from "#platform/db/schema/index.ts";
import { type AddressRules, checkAddress, checkEndpoint } from "#platform/outbound/ssrf-guard.ts";
import type { DetailedArtifact } from "../artifacts/artifact.ts";
import { issueDownloadLinks, readDetailedArtifact } from "../artifacts/service.ts";
import { restoreJob } from "../jobs/archived-jobs.ts";
import { presentJob } from "../jobs/present-job.ts";
import { jobOfWorkspace } from "../jobs/store.ts";
import { type AttemptFailure, attemptFailed } from "./delivery.ts";
import type { Attempt } from "./delivery-lease.ts";
import { type Delivery, filesOfDelivery } from "./delivery-store.ts";
import { destinationById } from "./destination-store.ts";
import { checksumsOf } from "./s3/s3-checksums.ts";
import type { S3Secrets } from "./s3/s3-client.ts";
import { type AttemptOutcome, sendToS3 } from "./s3/send-to-s3.ts";
import { artifactMessage, eventMessage, sendWebhook } from "./webhook/send-webhook.ts";
import { signingSecretsOf, type WebhookSecrets } from "./webhook/webhook-signature.ts";

/** What an attempt needs. */
export interface DeliveryServices {
  readonly db: D1Database;
  readonly bucket: R2Bucket;
  readonly encryption: EncryptionKeys;
  readonly addressRules: AddressRules;
  readonly linkKeys: LinkKeys;
}

/** Attempts a delivery once. Throws when a service of ours fails; all of it may be repeated. */
export async function attemptDelivery(
  services: DeliveryServices,
  attempt: Attempt,
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
    ? toS3(services, attempt, delivery, settings, JSON.parse(plain) as S3Secrets)
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
  attempt: Attempt,
  delivery: Delivery,
  settings: S3Settings,
  secrets: S3Secrets,
): Promise<AttemptOutcome> {
  const endpoint = checkEndpoint(settings.endpoint, services.addressRules);
  if (!endpoint.ok) return attemptFailed("ADDRESS_REFUSED", endpoint.message);
  const artifact = await artifactOf(services, delivery);
  if ("kind" in artifact) return artifact;
  return sendToS3(attempt, {
    bucket: services.bucket,
    store: {
      settings,
      secrets,
      checksums: checksumsOf(services.db, delivery.destinationId, settings.refusedChecksums),
    },
    artifact,
    files: await filesOfDelivery.all(services.db, delivery),
  });
}

/** The payload, made for this attempt: its links are short-lived. */
async function payloadOf(services: DeliveryServices, delivery: Delivery): Promise<string | AttemptFailure> {
  if (delivery.eventType === "balance.low") {
    return eventMessage(delivery, { unit: "credit", ...delivery.facts });
  }
  if (delivery.eventType === "share.commented") return eventMessage(delivery, delivery.facts ?? {});
  if (delivery.eventType === TEST_MESSAGE) return eventMessage(delivery, {});
  if (delivery.eventType !== ARTIFACT_DELIVERY) {
    // A job that has ended never changes.
    const job = await jobOfWorkspace.first(services.db, {
      workspaceId: delivery.workspaceId,
      jobId: delivery.jobId ?? "",
    });
    if (job === null) throw new Error("a message is about a job that is not there");
    return eventMessage(delivery, { job: presentJob(await restoreJob(() => services.bucket, job)) });
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

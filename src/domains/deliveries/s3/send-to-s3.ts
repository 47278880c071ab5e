import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import type { DetailedArtifact } from "#domains/artifacts/artifact.ts";
import { verifyFile } from "#domains/artifacts/stored-file.ts";
import { clock } from "#platform/clock.ts";
import type { Lease } from "#platform/db/leased-rows.ts";
import { type AttemptResult, attemptFailed, MANIFEST_NAME, manifestBytes } from "../delivery.ts";
import { completeFile, storeUploadId } from "../delivery-attempt-store.ts";
import type { DeliveryFile } from "../delivery-store.ts";
import { abortUpload } from "./multipart-upload.ts";
import { type PutResult, putBytes, putFile, putFileMultipart } from "./put-object.ts";
import type { S3Store } from "./s3-client.ts";

/** A pack to put into a store. */
export interface S3Delivery {
  readonly db: D1Database;
  readonly bucket: R2Bucket;
  readonly store: S3Store;
  readonly artifact: DetailedArtifact;
  /** In the order they are put, the manifest last. */
  readonly files: readonly DeliveryFile[];
}

/** `lost`: another attempt has the lease. `paused`: this attempt reached its limits, and the next one continues. */
export type AttemptOutcome = AttemptResult | { readonly kind: "lost" } | { readonly kind: "paused" };

/** The object key of a file. Deterministic, so that a retry overwrites the object with identical bytes. */
const objectKeyOf = (prefix: string, artifactId: string, fileName: string): string =>
  [...(prefix === "" ? [] : [prefix]), artifactId, fileName].join("/");

/**
 * Puts the remaining objects one after another; each is verified in the store before it counts as put. The manifest is
 * last: if it exists, the pack is complete.
 */
export async function sendToS3(lease: Lease, delivery: S3Delivery): Promise<AttemptOutcome> {
  const startedAtMs = clock.now();
  let count = 0;
  for (const file of delivery.files) {
    if (file.deliveredAtMs !== null) continue;
    const isLong = clock.now() - startedAtMs > DELIVERY_LIMITS.attemptMs;
    if (count > 0 && (isLong || count >= DELIVERY_LIMITS.objectsPerAttemptMax)) return { kind: "paused" };
    count += 1;
    const failure = await putOne(lease, delivery, file);
    if (failure !== null) return failure;
    if (!(await completeFile(delivery.db, lease, file.position, clock.now()))) return { kind: "lost" };
  }
  return { kind: "delivered", receiverStatus: 200 };
}

async function putOne(
  { id, leaseId }: Lease,
  { db, bucket, store, artifact, files }: S3Delivery,
  file: DeliveryFile,
): Promise<PutResult> {
  const key = objectKeyOf(store.settings.prefix, artifact.artifactId, file.fileName);
  const isManifest = file.fileName === MANIFEST_NAME && file === files.at(-1);
  if (isManifest) return putBytes(store, key, manifestBytes(artifact), "application/json");
  const stored = artifact.files.find(({ fileName }) => fileName === file.fileName);
  if (stored === undefined) throw new Error("a delivery names a file that its artifact lacks");
  const verified = await verifyFile(bucket, stored);
  if (!verified.ok) return attemptFailed("ARTIFACT_UNAVAILABLE", verified.message);
  const source = { bucket, verified: verified.value };
  if (stored.byteLength <= DELIVERY_LIMITS.singlePutBytesMax) return putFile(store, key, source);
  if (file.uploadId !== null) await abortUpload(store, key, file.uploadId);
  return putFileMultipart(store, key, source, async (uploadId) => {
    await storeUploadId.run(db, { id, leaseId, position: file.position, uploadId });
  });
}

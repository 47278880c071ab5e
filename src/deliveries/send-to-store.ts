import type { Artifact } from "../artifacts/artifact.ts";
import { verifyFile } from "../artifacts/stored-file.ts";
import { DELIVERY_LIMITS } from "../contract/deliveries.ts";
import { clock } from "../platform/clock.ts";
import { storeUploadId } from "./attempt-store.ts";
import { manifestBytes } from "./create-delivery.ts";
import { type AttemptResult, attemptFailed, MANIFEST_NAME } from "./delivery.ts";
import type { DeliveryFile } from "./delivery-store.ts";
import { type PutResult, putBytes, putFile, putFileInParts } from "./put-object.ts";
import type { Store } from "./s3-client.ts";
import { type Attempt, completeFile } from "./settle-delivery.ts";
import { abortUpload } from "./upload-parts.ts";

/** A pack on its way to a store. */
export interface StoreDelivery {
  readonly bucket: R2Bucket;
  readonly store: Store;
  readonly artifact: Artifact;
  /** In the order they are put; the manifest is the last. */
  readonly files: readonly DeliveryFile[];
}

/** `lost` when another attempt has taken the lease; `paused` when this one did its share and the next goes on. */
export type StoreResult = AttemptResult | { readonly kind: "lost" } | { readonly kind: "paused" };

/** Where a file lies in the store: the same for every attempt and every delivery, so that repeats overwrite alike. */
const objectKeyOf = (prefix: string, artifactId: string, fileName: string): string =>
  [...(prefix === "" ? [] : [prefix]), artifactId, fileName].join("/");

/**
 * Puts what is not there yet, one object after the other, each checked on the far side before it counts. The
 * manifest comes last: where it lies, the pack is whole. What was done stays done in the next attempt.
 */
export async function sendToStore(attempt: Attempt, delivery: StoreDelivery): Promise<StoreResult> {
  const startedAtMs = clock.now();
  let count = 0;
  for (const file of delivery.files) {
    if (file.deliveredAtMs !== null) continue;
    const isLong = clock.now() - startedAtMs > DELIVERY_LIMITS.attemptMs;
    if (count > 0 && (isLong || count >= DELIVERY_LIMITS.objectsPerAttemptMax)) return { kind: "paused" };
    count += 1;
    const failure = await putOne(attempt, delivery, file);
    if (failure !== null) return failure;
    if (!(await completeFile(attempt, file.position, clock.now()))) return { kind: "lost" };
  }
  return { kind: "delivered", receiverStatus: 200 };
}

async function putOne(
  attempt: Attempt,
  { bucket, store, artifact, files }: StoreDelivery,
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
  return putFileInParts(store, key, source, async (uploadId) => {
    const { db, deliveryId, leaseId } = attempt;
    await storeUploadId.run(db, { deliveryId, leaseId, position: file.position, uploadId });
  });
}

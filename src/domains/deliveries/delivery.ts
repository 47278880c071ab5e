import type { DELIVERY_STATUSES, DeliveryFailureCode } from "#api/delivery-rules.ts";
import { type DetailedArtifact, presentArtifact } from "../artifacts/artifact.ts";

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Name of the object that is put last: if it exists, the pack is complete. */
export const MANIFEST_NAME = "manifest.json";

/** The manifest as put into a store. Deterministic. */
export const manifestBytes = (artifact: DetailedArtifact): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify({ ...presentArtifact(artifact), status: "ready" }, null, 2)}\n`);

export interface AttemptFailure {
  readonly kind: "failed";
  readonly code: DeliveryFailureCode;
  /** Shown to the workspace's members. Contains nothing that the receiver sent. */
  readonly message: string;
  readonly receiverStatus: number | null;
  /** The response's Retry-After. */
  readonly retryAfterSeconds: number | null;
}

export type AttemptResult = { readonly kind: "delivered"; readonly receiverStatus: number } | AttemptFailure;

export const attemptFailed = (
  code: DeliveryFailureCode,
  message: string,
  receiverStatus: number | null = null,
  retryAfterSeconds: number | null = null,
): AttemptFailure => ({ kind: "failed", code, message, receiverStatus, retryAfterSeconds });

/** The reference model: the service's expected state after each command, stored as simply as possible. */

/** Uploaded bytes: a logo, an empty logo that cannot be rendered, or a file that inspection rejects. */
export type SentBytes = "good" | "empty" | "bad";

export interface ModelAsset {
  readonly assetId: string;
  readonly uploadId: string;
  readonly expiresAtMs: number;
  /** The latest bytes sent. */
  bytes: "none" | SentBytes;
  status: "processing" | "ready" | "rejected";
  /** Why the asset was rejected: its bytes failed the inspection, or its upload expired. */
  rejectedFor: "bytes" | "time" | null;
  isDeleted: boolean;
}

export interface ModelJob {
  readonly jobId: string;
  readonly cost: number;
  readonly source: "credits" | "subscription" | "unlimited";
  readonly createdAtMs: number;
  /** If false, the job can only fail or be canceled. */
  readonly isDrawable: boolean;
  status: "queued" | "running" | "succeeded" | "failed" | "canceled";
}

export interface ModelKey {
  readonly apiKeyId: string;
  readonly secret: string;
  isRevoked: boolean;
}

/** The success response that a replay must return. */
export interface Remembered {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly resourceId: string;
}

export interface ModelWorkspace {
  readonly workspaceId: string;
  readonly isUnlimited: boolean;
  /** Null without a subscription. */
  readonly quotaLimit: number | null;
  quotaUsed: number;
  credits: number;
  /** Null if the workspace is no trial. */
  readonly expiresAtMs: number | null;
  readonly assets: ModelAsset[];
  readonly jobs: ModelJob[];
  readonly keys: ModelKey[];
  readonly remembered: Map<string, Remembered>;
  readonly grants: Set<string>;
}

export interface Model {
  readonly startMs: number;
  readonly workspaces: ModelWorkspace[];
  /** Expiry of trials, by client. */
  readonly trials: Map<string, number>;
  commandCount: number;
}

export const newModelWorkspace = (
  known: Pick<
    ModelWorkspace,
    "workspaceId" | "isUnlimited" | "quotaLimit" | "credits" | "expiresAtMs" | "keys"
  >,
): ModelWorkspace => ({
  ...known,
  quotaUsed: 0,
  assets: [],
  jobs: [],
  remembered: new Map(),
  grants: new Set(),
});

/** The element that a random number selects, or null for an empty list. */
export const pick = <T>(items: readonly T[], at: number): T | null => items[at % items.length] ?? null;

/** The payment source of a job (API reference: unlimited, then quota, then credits), or null. */
export function payingSource(workspace: ModelWorkspace, cost: number): ModelJob["source"] | null {
  if (workspace.isUnlimited) return "unlimited";
  if (workspace.quotaLimit !== null && workspace.quotaLimit - workspace.quotaUsed >= cost)
    return "subscription";
  return workspace.credits >= cost ? "credits" : null;
}

/** Charges the cost of a new job. */
export function pay(workspace: ModelWorkspace, cost: number, source: ModelJob["source"]): void {
  if (source === "credits") workspace.credits -= cost;
  if (source === "subscription") workspace.quotaUsed += cost;
}

/** Ends a job and refunds its cost. */
export function refund(workspace: ModelWorkspace, job: ModelJob, status: "failed" | "canceled"): void {
  job.status = status;
  if (job.source === "credits") workspace.credits += job.cost;
  if (job.source === "subscription") workspace.quotaUsed -= job.cost;
}

export const isOpen = (job: ModelJob): boolean => job.status === "queued" || job.status === "running";

/** Ends an upload without a ready asset. */
export function reject(asset: ModelAsset, rejectedFor: "bytes" | "time"): void {
  asset.status = "rejected";
  asset.rejectedFor = rejectedFor;
}

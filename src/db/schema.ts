import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * Tables. Times are Unix milliseconds. Ids are UUIDv7 text. JSON is text.
 * STRICT and the ledger's triggers are added by hand in the migrations, because drizzle-kit knows neither.
 */

export const workspaces = sqliteTable(
  "workspaces",
  {
    workspaceId: text("workspace_id").primaryKey(),
    name: text("name").notNull(),
    kind: text("kind", { enum: ["standard", "trial"] }).notNull(),
    /** Σ of the ledger's amounts whose source is `credits`; only the ledger's trigger changes it. */
    credits: integer("credits").notNull().default(0),
    hasUnlimitedAccess: integer("has_unlimited_access", { mode: "boolean" }).notNull().default(false),
    createdAt: integer("created_at").notNull(),
    /** Trial workspaces end; others do not. */
    expiresAt: integer("expires_at"),
  },
  (table) => [
    check("credits_never_negative", sql`${table.credits} >= 0`),
    index("workspaces_expiring").on(table.expiresAt).where(sql`expires_at IS NOT NULL`),
    // The sweep of ended trials looks here every minute: it must not meet those that are swept already.
    index("workspaces_expiring_credits")
      .on(table.expiresAt)
      .where(sql`expires_at IS NOT NULL AND credits > 0`),
  ],
);

export const subscriptions = sqliteTable(
  "subscriptions",
  {
    subscriptionId: text("subscription_id").primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    status: text("status", { enum: ["active", "canceled"] }).notNull(),
    period: text("period", { enum: ["day", "month"] }).notNull(),
    quotaLimit: integer("quota_limit").notNull(),
    /** Used in the period that began at `periodStart`; only the ledger's trigger and the roll-over change it. */
    quotaUsed: integer("quota_used").notNull().default(0),
    periodStart: integer("period_start").notNull(),
    periodEnd: integer("period_end").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("subscriptions_one_active").on(table.workspaceId).where(sql`status = 'active'`),
    check("quota_within_limit", sql`${table.quotaUsed} >= 0 AND ${table.quotaUsed} <= ${table.quotaLimit}`),
  ],
);

export const apiKeys = sqliteTable(
  "api_keys",
  {
    apiKeyId: text("api_key_id").primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    name: text("name").notNull(),
    /** First characters of the secret, to tell keys apart. */
    prefix: text("prefix").notNull(),
    /** HMAC-SHA-256 of the secret under the server's pepper, hex. */
    secretHash: text("secret_hash").notNull(),
    /** JSON array of scopes. */
    scopes: text("scopes").notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
    expiresAt: integer("expires_at"),
    revokedAt: integer("revoked_at"),
  },
  (table) => [
    uniqueIndex("api_keys_secret_hash").on(table.secretHash),
    index("api_keys_by_workspace").on(table.workspaceId, table.apiKeyId),
  ],
);

export const ledgerEvents = sqliteTable(
  "ledger_events",
  {
    eventId: integer("event_id").primaryKey({ autoIncrement: true }),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    type: text("type", { enum: ["grant", "consumption", "refund", "expiry", "adjustment"] }).notNull(),
    /** Signed credits: negative takes, positive gives. */
    amount: integer("amount").notNull(),
    source: text("source", { enum: ["credits", "subscription", "unlimited"] }).notNull(),
    /** Balance of the source after the event; null where the source has none (unlimited). */
    balanceAfter: integer("balance_after"),
    jobId: text("job_id"),
    /** Which subscription was charged, and in which period: a late refund must not enter a new period. */
    subscriptionId: text("subscription_id"),
    subscriptionPeriodStart: integer("subscription_period_start"),
    /** Says what the event is for; unique, so that one cause has one event. */
    reference: text("reference").notNull(),
    description: text("description").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("ledger_events_reference").on(table.reference),
    index("ledger_events_by_workspace").on(table.workspaceId, table.eventId),
    index("ledger_events_by_job").on(table.jobId).where(sql`job_id IS NOT NULL`),
  ],
);

export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    workspaceId: text("workspace_id").notNull(),
    idempotencyKey: text("idempotency_key").notNull(),
    /** Method and route, e.g. `POST /api/v1/jobs`. */
    operation: text("operation").notNull(),
    /** SHA-256 of method, path and canonical body, hex. */
    requestHash: text("request_hash").notNull(),
    /** The thing the request made: an upload, asset or job id. */
    resourceId: text("resource_id").notNull(),
    createdAt: integer("created_at").notNull(),
    /** Null: never (jobs). */
    expiresAt: integer("expires_at"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.idempotencyKey] }),
    index("idempotency_keys_expiring").on(table.expiresAt).where(sql`expires_at IS NOT NULL`),
  ],
);

export const assets = sqliteTable(
  "assets",
  {
    assetId: text("asset_id").primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    slotId: text("slot_id").notNull(),
    status: text("status", { enum: ["processing", "ready", "rejected"] }).notNull(),
    fileName: text("file_name").notNull(),
    mimeType: text("mime_type").notNull(),
    byteLength: integer("byte_length").notNull(),
    /** Upright pixels, as read from the file once it is ready; as declared before. */
    width: integer("width"),
    height: integer("height"),
    sha256: text("sha256"),
    rejectionCode: text("rejection_code"),
    rejectionMessage: text("rejection_message"),
    objectKey: text("object_key").notNull(),
    createdAt: integer("created_at").notNull(),
    readyAt: integer("ready_at"),
    deletedAt: integer("deleted_at"),
    /** When its stored bytes may be removed; null while they are of use, and again once they are gone. */
    purgeAfter: integer("purge_after"),
  },
  (table) => [
    index("assets_to_purge").on(table.purgeAfter).where(sql`purge_after IS NOT NULL`),
    // Creation times are unique in a workspace, so that a time alone is a cursor that skips nothing.
    uniqueIndex("assets_by_workspace").on(table.workspaceId, table.createdAt),
    index("assets_by_workspace_slot").on(table.workspaceId, table.slotId, table.createdAt),
  ],
);

export const uploads = sqliteTable(
  "uploads",
  {
    uploadId: text("upload_id").primaryKey(),
    assetId: text("asset_id")
      .notNull()
      .references(() => assets.assetId),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    status: text("status", { enum: ["pending", "completed", "rejected", "expired"] }).notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    /** The Idempotency-Key that completed it; another key on a completed upload is a conflict. */
    completedWithKey: text("completed_with_key"),
    completedAt: integer("completed_at"),
  },
  (table) => [
    uniqueIndex("uploads_by_asset").on(table.assetId),
    index("uploads_pending").on(table.expiresAt).where(sql`status = 'pending'`),
  ],
);

export const jobs = sqliteTable(
  "jobs",
  {
    jobId: text("job_id").primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    status: text("status", { enum: ["queued", "running", "succeeded", "failed", "canceled"] }).notNull(),
    contractId: text("contract_id").notNull(),
    motion: text("motion", { enum: ["static", "animated"] }).notNull(),
    outputFormat: text("output_format").notNull(),
    /** JSON: the request's own order. */
    selectedSizeIds: text("selected_size_ids").notNull(),
    /** JSON: slot → asset id. */
    assetIds: text("asset_ids").notNull(),
    copy: text("copy").notNull(),
    brand: text("brand").notNull(),
    /** JSON: slot → { objectKey, mimeType, sha256 }, fixed at creation so that a later delete changes nothing. */
    renderInputs: text("render_inputs").notNull(),
    costCredits: integer("cost_credits").notNull(),
    renderFingerprint: text("render_fingerprint").notNull(),
    /** Made with the job, shown once the job has succeeded. */
    artifactId: text("artifact_id").notNull(),
    failureCode: text("failure_code"),
    failureMessage: text("failure_message"),
    createdAt: integer("created_at").notNull(),
    startedAt: integer("started_at"),
    finishedAt: integer("finished_at"),
    /** When its messages were last sent to the queue; null until then. The sweep sends what is overdue. */
    dispatchedAt: integer("dispatched_at"),
    /** Set when a job fails: from then on its stored files may be removed. Null once they are. */
    purgeAfter: integer("purge_after"),
  },
  (table) => [
    uniqueIndex("jobs_artifact").on(table.artifactId),
    // Creation times are unique in a workspace, so that a time alone is a cursor that skips nothing.
    uniqueIndex("jobs_by_workspace").on(table.workspaceId, table.createdAt),
    index("jobs_by_status").on(table.workspaceId, table.status, table.createdAt),
    index("jobs_by_fingerprint").on(table.workspaceId, table.renderFingerprint, table.createdAt),
    index("jobs_open").on(table.dispatchedAt).where(sql`status IN ('queued', 'running')`),
    index("jobs_purging").on(table.purgeAfter).where(sql`purge_after IS NOT NULL`),
  ],
);

export const jobOutputs = sqliteTable(
  "job_outputs",
  {
    jobId: text("job_id")
      .notNull()
      .references(() => jobs.jobId),
    position: integer("position").notNull(),
    sizeId: text("size_id").notNull(),
    status: text("status", { enum: ["queued", "running", "done", "failed"] }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    leaseId: text("lease_id"),
    leaseUntil: integer("lease_until"),
    /** JSON array of the files it made, written when it is done; see artifacts/artifact.ts. */
    files: text("files"),
  },
  (table) => [
    primaryKey({ columns: [table.jobId, table.position] }),
    uniqueIndex("job_outputs_by_size").on(table.jobId, table.sizeId),
  ],
);

export const artifacts = sqliteTable(
  "artifacts",
  {
    artifactId: text("artifact_id").primaryKey(),
    jobId: text("job_id")
      .notNull()
      .references(() => jobs.jobId),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    status: text("status", { enum: ["ready", "expired"] }).notNull(),
    engineVersion: text("engine_version").notNull(),
    totalBytes: integer("total_bytes").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    /** When the files were removed from storage after expiry. */
    purgedAt: integer("purged_at"),
  },
  (table) => [
    uniqueIndex("artifacts_by_job").on(table.jobId),
    index("artifacts_expiring").on(table.expiresAt).where(sql`purged_at IS NULL`),
  ],
);

export const artifactFiles = sqliteTable(
  "artifact_files",
  {
    fileId: text("file_id").primaryKey(),
    artifactId: text("artifact_id")
      .notNull()
      .references(() => artifacts.artifactId),
    position: integer("position").notNull(),
    sizeId: text("size_id").notNull(),
    role: text("role", { enum: ["primary", "backup"] }).notNull(),
    fileName: text("file_name").notNull(),
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    contentType: text("content_type").notNull(),
    byteLength: integer("byte_length").notNull(),
    sha256: text("sha256").notNull(),
    objectKey: text("object_key").notNull(),
    /** JSON. */
    compliance: text("compliance").notNull(),
    layout: text("layout").notNull(),
    /** JSON { frames, durationMs, loops } or null. */
    animation: text("animation"),
  },
  (table) => [
    uniqueIndex("artifact_files_by_artifact").on(table.artifactId, table.position),
    uniqueIndex("artifact_files_by_name").on(table.artifactId, table.fileName),
  ],
);

export const trialClaims = sqliteTable(
  "trial_claims",
  {
    /** HMAC of address, user agent and client marker; nothing else of the client is kept. */
    identityHash: text("identity_hash").primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    claimedAt: integer("claimed_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("trial_claims_expiring").on(table.expiresAt)],
);

/** Kept previews by their object in storage, for the sweep; everything else of them lies in the object. */
export const previews = sqliteTable(
  "previews",
  {
    objectKey: text("object_key").primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    /** When the object may be removed. */
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("previews_expiring").on(table.expiresAt)],
);

/** People. The library that signs them in calls this table `user`; see accounts/library-tables.ts. */
export const accounts = sqliteTable(
  "accounts",
  {
    accountId: text("account_id").primaryKey(),
    name: text("name").notNull(),
    /** Lower case. */
    email: text("email").notNull(),
    isEmailVerified: integer("is_email_verified", { mode: "boolean" }).notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [uniqueIndex("accounts_email").on(table.email)],
);

/** What an account signs in with: its password's hash, or its id at a provider. No provider's token is kept. */
export const accountCredentials = sqliteTable(
  "account_credentials",
  {
    credentialId: text("credential_id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.accountId),
    providerId: text("provider_id").notNull(),
    providerAccountId: text("provider_account_id").notNull(),
    passwordHash: text("password_hash"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("account_credentials_by_provider").on(table.providerId, table.providerAccountId),
    index("account_credentials_by_account").on(table.accountId),
  ],
);

/** Sessions. The token alone opens nothing: the cookie also carries its signature under AUTH_SECRET. */
export const accountSessions = sqliteTable(
  "account_sessions",
  {
    sessionId: text("session_id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.accountId),
    token: text("token").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("account_sessions_token").on(table.token),
    index("account_sessions_by_account").on(table.accountId, table.createdAt),
    index("account_sessions_expiring").on(table.expiresAt),
  ],
);

/** Who may enter a workspace, and as what. */
export const workspaceMembers = sqliteTable(
  "workspace_members",
  {
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.accountId),
    role: text("role", { enum: ["owner", "member"] }).notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.accountId] }),
    index("workspace_members_by_account").on(table.accountId, table.workspaceId),
    check("role_known", sql`${table.role} IN ('owner', 'member')`),
  ],
);

/** Open invitations; one that is taken up or withdrawn leaves no row. */
export const workspaceInvitations = sqliteTable(
  "workspace_invitations",
  {
    invitationId: text("invitation_id").primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    /** SHA-256 of the code, hex; the code has 256 random bits. */
    codeHash: text("code_hash").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("workspace_invitations_code").on(table.codeHash),
    index("workspace_invitations_by_workspace").on(table.workspaceId),
    index("workspace_invitations_expiring").on(table.expiresAt),
  ],
);

/** Where artifacts and messages are sent. Addresses and secrets stand encrypted in `sealed`. */
export const destinations = sqliteTable(
  "destinations",
  {
    destinationId: text("destination_id").primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    kind: text("kind", { enum: ["webhook", "s3"] }).notNull(),
    /** Hash of what makes it the same destination; there is one of each. */
    identity: text("identity").notNull(),
    /** JSON: what may be shown. */
    settings: text("settings").notNull(),
    /** Encrypted JSON: what may not; null once it is removed. */
    sealed: text("sealed"),
    /** JSON array of the event types it is told. */
    events: text("events").notNull(),
    /** Credits under which `balance.low` is told. */
    lowBalanceBelow: integer("low_balance_below"),
    createdAt: integer("created_at").notNull(),
    disabledAt: integer("disabled_at"),
    disabledCode: text("disabled_code"),
    deletedAt: integer("deleted_at"),
  },
  (table) => [
    uniqueIndex("destinations_by_workspace").on(table.workspaceId, table.createdAt),
    uniqueIndex("destinations_one_each").on(table.workspaceId, table.identity).where(sql`deleted_at IS NULL`),
  ],
);

/** What is sent there: an artifact, or a message. Messages are written by triggers; see migrations/0006. */
export const deliveries = sqliteTable(
  "deliveries",
  {
    /** The cursor of lists. */
    deliveryNumber: integer("delivery_number").primaryKey({ autoIncrement: true }),
    /** Also the message's own id to a webhook, the same in every attempt. */
    deliveryId: text("delivery_id").notNull(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    destinationId: text("destination_id")
      .notNull()
      .references(() => destinations.destinationId),
    eventType: text("event_type", {
      enum: ["artifact.delivery", "job.succeeded", "job.failed", "job.canceled", "balance.low"],
    }).notNull(),
    /** Names what is told to whom, so that it is told once. */
    reference: text("reference").notNull(),
    artifactId: text("artifact_id"),
    jobId: text("job_id"),
    /** JSON: what is told, where no row keeps it. */
    facts: text("facts"),
    /** Origin of the links in it. */
    origin: text("origin"),
    status: text("status", { enum: ["queued", "running", "retrying", "succeeded", "dead"] }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** When it may be taken up: its turn, or the end of the lease that holds it. Null once it has ended. */
    nextAttemptAt: integer("next_attempt_at"),
    leaseId: text("lease_id"),
    /** When its message was last sent to the queue; null until then. */
    dispatchedAt: integer("dispatched_at"),
    failureCode: text("failure_code"),
    failureMessage: text("failure_message"),
    /** HTTP status of the receiver's last answer. */
    receiverStatus: integer("receiver_status"),
    createdAt: integer("created_at").notNull(),
    finishedAt: integer("finished_at"),
  },
  (table) => [
    uniqueIndex("deliveries_by_id").on(table.deliveryId),
    uniqueIndex("deliveries_reference").on(table.reference),
    index("deliveries_by_workspace").on(table.workspaceId, table.deliveryNumber),
    index("deliveries_by_status").on(table.workspaceId, table.status, table.deliveryNumber),
    index("deliveries_open").on(table.nextAttemptAt).where(sql`next_attempt_at IS NOT NULL`),
    index("deliveries_ended").on(table.finishedAt).where(sql`finished_at IS NOT NULL`),
    uniqueIndex("deliveries_one_open")
      .on(table.artifactId, table.destinationId)
      .where(sql`artifact_id IS NOT NULL AND finished_at IS NULL`),
  ],
);

/** The objects that a delivery to a store puts there, and which of them are there. */
export const deliveryFiles = sqliteTable(
  "delivery_files",
  {
    deliveryId: text("delivery_id").notNull(),
    position: integer("position").notNull(),
    fileName: text("file_name").notNull(),
    byteLength: integer("byte_length").notNull(),
    /** The store's id of an upload in parts that has begun, so that a later attempt can end it. */
    uploadId: text("upload_id"),
    deliveredAt: integer("delivered_at"),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.position] })],
);

import type { RefusalDetails } from "./schemas/error-details.ts";

/**
 * All errors: code → status, next action, and whether the same request may be sent again. The zod enum, the OpenAPI
 * document and the docs derive from this table (API §7.8).
 */

interface ErrorRule {
  readonly status: 400 | 401 | 402 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 501 | 502 | 503;
  /** Default next safe action. A single error may give a more precise one. */
  readonly nextAction: string;
  /** Whether the same request with the same Idempotency-Key may be sent again unchanged. */
  readonly safeToRetryUnchanged: boolean;
  /** Default seconds of the Retry-After header. */
  readonly retryAfterSeconds?: number;
}

const rule = (status: ErrorRule["status"], nextAction: string): ErrorRule => ({
  status,
  nextAction,
  safeToRetryUnchanged: false,
});

/** Errors after which the same request may be sent again, once the cause is gone. */
const retryable = (status: ErrorRule["status"], nextAction: string): ErrorRule => ({
  ...rule(status, nextAction),
  safeToRetryUnchanged: true,
});

/** Temporary errors: the same request is likely to succeed a moment later. */
const temporary = (status: ErrorRule["status"], nextAction: string): ErrorRule => ({
  ...retryable(status, nextAction),
  retryAfterSeconds: 2,
});

export const ERRORS = {
  INVALID_REQUEST: rule(400, "Correct the named part of the request and send it again."),
  INVALID_JSON: rule(400, "Send a body that is valid JSON with Content-Type: application/json."),
  BODY_INCOMPLETE: retryable(400, "Send the same request again, with its whole body."),
  IDEMPOTENCY_KEY_REQUIRED: rule(400, "Add an Idempotency-Key header of 1 to 200 characters."),
  INVALID_CURSOR: rule(400, "Use `nextBefore` of the previous page as `before`, or leave it out."),
  SIGNATURE_INVALID: rule(
    400,
    "Sign the exact bytes of the body with the current secret, at the current time.",
  ),
  UPLOAD_INTENT_INVALID: rule(
    400,
    "Correct the named member as the message says, and create the intent again.",
  ),

  KEY_MISSING: rule(401, "Send the API key as `Authorization: Bearer <key>` or `X-API-Key: <key>`."),
  KEY_INVALID: rule(401, "Check that the whole key was copied, or create a new one."),
  KEY_EXPIRED: rule(401, "Create a new key; this one has passed its expiry."),
  KEY_REVOKED: rule(401, "Use another key; this one was revoked."),
  WORKSPACE_INACTIVE: rule(401, "Claim a new trial or use the key of an active workspace."),

  CREDENTIALS_INVALID: rule(401, "Check the address and the password, or sign up first."),
  OAUTH_REFUSED: rule(401, "Begin the sign-in with the provider again, or use another way to sign in."),
  SESSION_MISSING: rule(401, "Sign in at POST /api/account/sign-in and send the cookie it sets."),
  SESSION_INVALID: rule(401, "Sign in again; this session has ended."),

  PAYMENT_REQUIRED: rule(402, "Add credits or a subscription, or select fewer sizes."),

  BUDGET_EXHAUSTED: rule(
    402,
    "Wait until `details.resetsAt`, use another key, or have the key's budget raised by its workspace's owner.",
  ),

  EMAIL_NOT_CONFIRMED: rule(
    403,
    "Open the link of the mail that was sent at sign-up, or ask for another one.",
  ),
  SCOPE_MISSING: rule(403, "Use a key that holds the named scope."),
  SCOPE_NOT_GRANTABLE: rule(403, "Ask only for scopes that the creating key itself holds."),
  TEST_KEY_REFUSED: rule(403, "Use a live key (`cpk_live_…`), or leave out what only a live key may do."),
  PAID_ACCESS_REQUIRED: rule(403, "Add credits, a subscription or unlimited access first."),
  ORIGIN_NOT_ALLOWED: rule(403, "Send the request from this origin, with its own Origin header."),
  ROLE_INSUFFICIENT: rule(403, "Ask an owner of the workspace to do this."),
  LINK_INVALID: rule(403, "Request a new link; this one is altered or expired."),

  ROUTE_NOT_FOUND: rule(404, "Check the path against the documentation at /docs."),
  ASSET_NOT_FOUND: rule(404, "List the workspace's assets and use one of their ids."),
  BRAND_NOT_FOUND: rule(404, "List the workspace's brands and use one of their ids."),
  API_KEY_NOT_FOUND: rule(404, "List the workspace's keys and use one of their ids."),
  UPLOAD_NOT_FOUND: rule(404, "Create a new upload intent."),
  JOB_NOT_FOUND: rule(404, "List the workspace's jobs and use one of their ids."),
  ARTIFACT_NOT_FOUND: rule(404, "Read the job and use its artifactId once it has succeeded."),
  FILE_NOT_FOUND: rule(404, "Read the artifact's manifest and use one of its file ids."),
  WORKSPACE_NOT_FOUND: rule(404, "List the account's workspaces and use one of their ids."),
  MEMBER_NOT_FOUND: rule(404, "List the workspace's members and use one of their ids."),
  INVITATION_NOT_FOUND: rule(404, "Ask an owner of the workspace for a new invitation."),
  CONTRACT_NOT_FOUND: rule(404, "List the contracts and use one of their ids."),
  DESTINATION_NOT_FOUND: rule(404, "List the workspace's destinations and use one of their ids."),
  DELIVERY_NOT_FOUND: rule(404, "List the workspace's deliveries and use one of their ids."),

  IMAGE_SECRET_NOT_FOUND: rule(404, "Create a signing secret first, or use the id of one that is listed."),
  SHARE_NOT_FOUND: rule(404, "List the pack's share links and use one of their ids."),
  COMMENT_NOT_FOUND: rule(404, "Read the link's comments and use the id of one that is no reply."),

  METHOD_NOT_ALLOWED: rule(405, "Use one of the methods in the Allow header."),

  IDEMPOTENCY_CONFLICT: rule(409, "Use a new Idempotency-Key, or repeat the first request exactly."),
  IDEMPOTENCY_IN_PROGRESS: temporary(409, "Wait for Retry-After, then send the same request again."),
  UPLOAD_ALREADY_COMPLETED: rule(409, "Use the asset as it is, or create a new upload intent."),
  UPLOAD_EXPIRED: rule(409, "Create a new upload intent; this one has passed its expiry."),
  ASSET_NOT_READY: retryable(409, "Complete the asset's upload, then send the request again."),
  ASSET_IMPORT_IN_PROGRESS: temporary(
    409,
    "Wait for Retry-After, then send the same request with the same Idempotency-Key; nothing is charged or imported twice.",
  ),
  ASSET_LIMIT_REACHED: retryable(
    409,
    "Delete assets that are no longer needed, then create the intent again.",
  ),
  BRAND_LIMIT_REACHED: retryable(
    409,
    "Delete a brand that is no longer needed, then send the request again.",
  ),
  API_KEY_LIMIT_REACHED: retryable(
    409,
    "Revoke a key that is no longer needed, then send the request again.",
  ),
  IMAGE_SECRET_LIMIT_REACHED: retryable(
    409,
    "Revoke a signing secret that is no longer needed, then send the request again.",
  ),
  WORKSPACE_LIMIT_REACHED: rule(409, "Use one of the workspaces that the account owns."),
  MEMBER_LIMIT_REACHED: rule(409, "Remove members or withdraw invitations that are no longer needed."),
  OWNER_NOT_REMOVABLE: rule(409, "A workspace keeps its owner; remove another member."),
  JOB_RUNNING: rule(409, "Wait until the job has finished; a running job cannot be canceled."),
  ARTIFACT_NOT_READY: rule(409, "Create the job again; the files of this artifact are no longer kept."),
  FILE_CORRUPT: rule(409, "Create the job again; the stored file failed its checks and was not sent."),
  DESTINATION_DISABLED: rule(409, "Mend the receiver, enable the destination, then send the request again."),
  DESTINATION_PAUSED: rule(409, "Ask an owner of the workspace to enable the destination, or remove it."),
  DESTINATION_LIMIT_REACHED: retryable(
    409,
    "Remove destinations that are no longer needed, then send the request again.",
  ),
  OFFER_UNKNOWN: rule(422, "Choose an offerId that the workspace's billing lists."),
  PLAN_ACTIVE: rule(
    409,
    "Change or cancel the present plan at the payment provider's page (billing/portal).",
  ),
  PAYMENT_DISPUTED: rule(
    409,
    "Settle the dispute with whoever opened it at their bank; nothing can be bought until it is closed.",
  ),
  NOTHING_BOUGHT: rule(409, "Buy credits or a plan first; only then is there something to manage."),
  PAYMENT_METHOD_REQUIRED: rule(
    409,
    "Buy credits once at the payment provider's page, which keeps the card.",
  ),
  SHARE_LIMIT_REACHED: rule(
    409,
    "Use one of the pack's share links; links that ended long ago are deleted in time.",
  ),
  COMMENT_LIMIT_REACHED: rule(409, "Ask the sender of the link for a new one."),
  DELIVERY_NOT_RETRYABLE: rule(
    409,
    "Read the delivery; only one that is dead or waiting can be tried again.",
  ),

  PAYLOAD_TOO_LARGE: rule(413, "Send fewer bytes; the limit is in the message."),
  UNSUPPORTED_MEDIA_TYPE: rule(415, "Send one of the content types that the route takes."),

  UPLOAD_MISMATCH: retryable(422, "Send exactly the bytes and Content-Type that the intent names."),
  UPLOAD_CLOSED: rule(422, "Use the asset if it is ready, or create a new upload intent."),
  ASSET_IMPORT_FAILED: rule(
    422,
    "Do what `details.rejection` says, then send the order with another address; the Idempotency-Key is free again.",
  ),
  ASSET_REJECTED: rule(422, "Fix or replace the file and create a new upload intent."),
  CONTRACT_UNSUPPORTED: rule(422, "Choose a contractId that GET /api/v1/contracts lists."),
  SIZE_UNSUPPORTED: rule(422, "Choose size ids that the contract lists."),
  FORMAT_UNSUPPORTED: rule(422, "Choose an output format that the contract lists for this motion."),
  LOOK_UNSUPPORTED: rule(422, "Choose one of the looks that `details.looks` lists, or leave `look` out."),
  SLOT_UNSUPPORTED: rule(422, "Put each asset in the slot it was uploaded for."),
  SLOT_COMBINATION_UNSUPPORTED: rule(422, "Remove one of the named slots, or add the one that is required."),
  PLACEMENT_UNSUPPORTED: rule(422, "Place only pictures of slots that `assetIds` fills."),
  OVERRIDE_UNSUPPORTED: rule(
    422,
    "Override only sizes that `selectedSizeIds` names, or select the named ones.",
  ),
  CLICK_URL_UNSUPPORTED: rule(
    422,
    "Send `clickUrl` with `outputFormat` `html5`, as an `https:` address or a macro that `details.macros` lists.",
  ),
  SCALE_UNSUPPORTED: rule(422, "Ask for `scale` 2 only of sizes that `details.scale2SizeIds` lists."),
  ASSET_UNKNOWN: rule(422, "Use ids of assets in this workspace that are not deleted."),
  JOB_UNKNOWN: rule(422, "Use the id of a job in this workspace, or leave `versionOf` out."),
  BRAND_UNKNOWN: rule(422, "Use the id of a brand in this workspace, or leave `brandId` out."),
  VISUAL_ASSET_REQUIRED: rule(422, "Name at least one picture or logo in assetIds."),
  DESTINATION_UNKNOWN: rule(
    422,
    "Name a webhook that is saved in the workspace (an account lists them), or leave `notify` out.",
  ),
  DESTINATION_UNSUPPORTED: rule(422, "Name a webhook; a store takes no messages. Or leave `notify` out."),
  COPY_UNSUPPORTED: rule(422, "Remove the named characters, or upload a font that has them."),
  COPY_DOES_NOT_FIT: rule(
    422,
    "Shorten the headline to what `details.misfits` says, give the named sizes one of their own in `overrides`, or leave " +
      "them out.",
  ),
  AGENT_REFUSED: rule(
    422,
    "Begin to connect the agent again, from the agent; if that does not help, tell its maker.",
  ),
  ADDRESS_REFUSED: rule(422, "Use an https address of a public host on port 443 or 8443."),

  MAIL_LIMIT_REACHED: retryable(429, "Look for the mails that were sent, or wait for Retry-After."),
  SERVICE_BUSY: temporary(429, "Wait for Retry-After, then send the same request again."),
  RATE_LIMITED: retryable(429, "Wait until X-RateLimit-Reset, then send the same request again."),
  SIGN_IN_BUSY: retryable(429, "Wait until X-RateLimit-Reset, then send the same request again."),
  TEST_LIMIT_REACHED: retryable(
    429,
    "Wait until X-RateLimit-Reset (midnight UTC), or order with a live key.",
  ),
  TRIAL_ALREADY_CLAIMED: retryable(429, "Use the trial key you have, or wait until X-RateLimit-Reset."),
  PREVIEW_RATE_LIMITED: retryable(
    429,
    "Wait until Retry-After has passed, then send the same request again.",
  ),
  PREVIEW_QUOTA_EXCEEDED: retryable(429, "Wait until the product allowance resets, or create a paid job."),

  INTERNAL_ERROR: retryable(500, "Send the same request again; if it fails again, report the request id."),

  SERVICE_NOT_CONFIGURED: rule(501, "Ask the operator of this origin to configure the named service."),

  UPLOAD_SERVICE_NOT_CONFIGURED: rule(502, "Ask the operator of this origin to configure file storage."),
  IMAGE_FAILED: retryable(502, "Change what the message names and sign a new URL, or wait for Retry-After."),
  PREVIEW_RENDER_FAILED: rule(502, "Change the inputs as the message says; no allowance was taken."),

  PAYMENT_PROVIDER_FAILED: rule(502, "Tell the operator of this origin; nothing was bought or charged."),

  IMAGE_NOT_READY: temporary(503, "Wait for Retry-After, then load the same URL again."),
  PREVIEW_UNAVAILABLE: temporary(503, "Wait for Retry-After, then send the same request again."),
  SERVICE_UNAVAILABLE: temporary(503, "Wait for Retry-After, then send the same request again."),
} as const satisfies Record<string, ErrorRule>;

export type ErrorCode = keyof typeof ERRORS;
export type ErrorStatus = ErrorRule["status"];

/** An error that a service returns. Nothing was created, charged or lost. */
export interface Refusal {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly message: string;
  /** Members of `error.details`. A `nextAction` replaces the default of the code. */
  readonly details?: RefusalDetails;
  /** Seconds of the Retry-After header. */
  readonly retryAfterSeconds?: number;
  /** An exhausted window other than the route family's. The X-RateLimit headers then describe this window. */
  readonly fullWindow?: { readonly limit: number; readonly resetsAtMs: number };
}

export type Outcome<T> = { readonly ok: true; readonly value: T } | Refusal;

export const refuse = (code: ErrorCode, message: string, details?: RefusalDetails): Refusal =>
  details === undefined ? { ok: false, code, message } : { ok: false, code, message, details };

export const accept = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

/** 400 INVALID_REQUEST about one member of the body or one parameter of the query. */
export const refuseMember = (place: "body" | "query", path: string, message: string): Refusal =>
  refuse("INVALID_REQUEST", `${path}: ${message}`, { issues: [{ in: place, path, message }] });

/** 400 INVALID_CURSOR about the cursor `before`. */
export const refuseCursor = (message: string): Refusal =>
  refuse("INVALID_CURSOR", `before: ${message}`, { issues: [{ in: "query", path: "before", message }] });

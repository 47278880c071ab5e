import type { ErrorCode } from "#api/errors.ts";
import type { RefusalDetails } from "#api/schemas/error-details.ts";
import { assetLimitReached } from "#domains/assets/asset-limit.ts";

/** An example of each error code: a message as the service writes it, and its `details`. */

interface ErrorExample {
  readonly message: string;
  readonly details?: RefusalDetails;
}

const quota = (productUsed: number, burstUsed: number) => ({
  product: {
    limit: 30,
    used: productUsed,
    remaining: 30 - productUsed,
    resetsAt: "2026-06-19T00:00:00.000Z",
  },
  burst: { limit: 6, used: burstUsed, remaining: 6 - burstUsed, resetsAt: "2026-06-18T12:01:00.000Z" },
  protection: "watermarked" as const,
});

const OTHER_PIXELS = {
  code: "DIMENSIONS_DIFFER" as const,
  message: "The file is 1185x1600 pixels; the intent says 1200x1600.",
};

const says = (message: string, details?: RefusalDetails): ErrorExample =>
  details === undefined ? { message } : { message, details };

export const ERROR_EXAMPLES: Readonly<Record<ErrorCode, ErrorExample>> = {
  INVALID_REQUEST: says("selectedSizeIds: must have at least 1 item", {
    issues: [{ in: "body", path: "selectedSizeIds", message: "must have at least 1 item" }],
  }),
  INVALID_JSON: says("The body is not valid JSON."),
  BODY_INCOMPLETE: says("The connection ended before the body was complete, or the body came too slowly."),
  IDEMPOTENCY_KEY_REQUIRED: says("idempotency-key: is required", {
    issues: [{ in: "header", path: "idempotency-key", message: "is required" }],
  }),
  INVALID_CURSOR: says("before: must be `nextBefore` of the previous page, or the id of an event", {
    issues: [
      {
        in: "query",
        path: "before",
        message: "must be `nextBefore` of the previous page, or the id of an event",
      },
    ],
  }),
  SIGNATURE_INVALID: says("The event is not signed with the current secret, or was signed too long ago."),
  UPLOAD_INTENT_INVALID: says("`person` takes image/png, image/webp.", {
    field: "mimeType",
    accepts: ["image/png", "image/webp"],
  }),

  KEY_MISSING: says("The request carries no API key."),
  KEY_INVALID: says("This is not an API key of this service."),
  KEY_EXPIRED: says("This API key has expired."),
  KEY_REVOKED: says("This API key was revoked."),
  WORKSPACE_INACTIVE: says("The trial workspace of this API key has ended."),

  CREDENTIALS_INVALID: says("The address or the password is wrong."),
  OAUTH_REFUSED: says("The sign-in with the provider did not succeed."),
  SESSION_MISSING: says("The request carries no session."),
  SESSION_INVALID: says("The session is altered or has ended."),

  PAYMENT_REQUIRED: says("The job costs 12 credits and the workspace can spend 5.", {
    required: 12,
    available: 5,
  }),

  BUDGET_EXHAUSTED: says("The job costs 12 credits and the key may spend 4 more today.", {
    required: 12,
    available: 4,
    resetsAt: "2026-06-19T00:00:00.000Z",
  }),

  EMAIL_NOT_CONFIRMED: says("The address of the workspace's owner is not confirmed."),
  SCOPE_MISSING: says("The key lacks the scope jobs:write.", { requiredScope: "jobs:write" }),
  TEST_KEY_REFUSED: says("A test key can create only test keys."),
  SCOPE_NOT_GRANTABLE: says("The creating key does not hold jobs:write.", { missingScopes: ["jobs:write"] }),
  PAID_ACCESS_REQUIRED: says("The workspace has neither paid access nor credits."),
  ORIGIN_NOT_ALLOWED: says("The request comes from a page of another origin."),
  ROLE_INSUFFICIENT: says("Only an owner of the workspace may do this.", { requiredRole: "owner" }),
  LINK_INVALID: says("The download link is altered, incomplete or expired."),

  ROUTE_NOT_FOUND: says("No route has this path."),
  ASSET_NOT_FOUND: says("The workspace has no asset with this id."),
  BRAND_NOT_FOUND: says("The workspace has no brand with this id."),
  API_KEY_NOT_FOUND: says("The workspace has no API key with this id."),
  UPLOAD_NOT_FOUND: says("The workspace has no upload with this id."),
  JOB_NOT_FOUND: says("The workspace has no job with this id."),
  ARTIFACT_NOT_FOUND: says("The workspace has no artifact with this id."),
  FILE_NOT_FOUND: says("The artifact has no file with this id."),
  WORKSPACE_NOT_FOUND: says("The account has no workspace with this id."),
  MEMBER_NOT_FOUND: says("The workspace has no member with this id."),
  INVITATION_NOT_FOUND: says("The invitation does not exist, was used or withdrawn, or has expired."),
  CONTRACT_NOT_FOUND: says("There is no contract with this id."),
  DESTINATION_NOT_FOUND: says("The workspace has no destination with this id."),
  DELIVERY_NOT_FOUND: says("The workspace has no delivery with this id."),
  COMMENT_NOT_FOUND: says("The link has no comment with this id that can be answered or resolved."),
  IMAGE_SECRET_NOT_FOUND: says("The workspace has no signing secret with this id."),
  SHARE_NOT_FOUND: says("The pack has no share link with this id."),

  METHOD_NOT_ALLOWED: says("This path takes GET, HEAD."),

  IDEMPOTENCY_CONFLICT: says(
    "This Idempotency-Key was used with another method, path or body, or with a key of the other mode.",
  ),
  IDEMPOTENCY_IN_PROGRESS: says("The first request with this Idempotency-Key is still in progress."),
  UPLOAD_ALREADY_COMPLETED: says("The upload was completed; its asset is ready."),
  UPLOAD_EXPIRED: says("The upload expired at 2026-06-18T12:15:00.000Z."),
  ASSET_NOT_READY: says("The asset named for `media` is processing.", { slots: ["media"] }),
  ASSET_IMPORT_IN_PROGRESS: says("Still being imported: `media`.", { slots: ["media"] }),
  ASSET_LIMIT_REACHED: says(assetLimitReached("standard").message),
  BRAND_LIMIT_REACHED: says("A workspace has at most 200 brands."),
  API_KEY_LIMIT_REACHED: says("The workspace already has 100 active keys."),
  IMAGE_SECRET_LIMIT_REACHED: says("The workspace already has 5 signing secrets."),
  WORKSPACE_LIMIT_REACHED: says("An account owns at most 20 workspaces."),
  MEMBER_LIMIT_REACHED: says("A workspace has at most 50 members and open invitations."),
  OWNER_NOT_REMOVABLE: says("The owner of a workspace cannot be removed."),
  JOB_RUNNING: says("The job is being drawn and can no longer be canceled."),
  ARTIFACT_NOT_READY: says("The artifact has expired and its files are gone."),
  FILE_CORRUPT: says("The stored file `iab-300x250.png` differs from its checksum; none of it was sent.", {
    fileName: "iab-300x250.png",
  }),
  DESTINATION_DISABLED: says("The destination's receiver answered 410 Gone."),
  DESTINATION_PAUSED: says(
    "The destination is paused: the member who made it is no longer in the workspace.",
  ),
  DESTINATION_LIMIT_REACHED: says(
    "The workspace already has 50 destinations, or 500 with removed ones that deliveries still name.",
  ),
  OFFER_UNKNOWN: says("There is no offer `credits-1000`."),
  PLAN_ACTIVE: says("The workspace has a plan."),
  PAYMENT_DISPUTED: says("A payment of the workspace is disputed."),
  NOTHING_BOUGHT: says("The workspace has bought nothing yet."),
  PAYMENT_METHOD_REQUIRED: says("The payment provider has no saved card for this workspace."),
  SHARE_LIMIT_REACHED: says("A pack has at most 50 share links."),
  COMMENT_LIMIT_REACHED: says("A link takes at most 300 comments."),
  DELIVERY_NOT_RETRYABLE: says(
    "The delivery has succeeded, is still open or has a newer open attempt, or its destination has too many open " +
      "deliveries.",
  ),

  PAYLOAD_TOO_LARGE: says("The body is larger than 482113 bytes.", { maxBytes: 482_113 }),
  UNSUPPORTED_MEDIA_TYPE: says("The body must be sent with Content-Type: application/json."),

  UPLOAD_MISMATCH: says("The body has fewer bytes than the 482113 of the intent.", {
    expected: { byteLength: 482_113 },
  }),
  UPLOAD_CLOSED: says("The upload was completed; its asset is ready."),
  ASSET_IMPORT_FAILED: says(`The file for \`media\` was not imported. ${OTHER_PIXELS.message}`, {
    slots: ["media"],
    rejection: OTHER_PIXELS,
  }),
  ASSET_REJECTED: says(OTHER_PIXELS.message, { rejection: OTHER_PIXELS }),
  CONTRACT_UNSUPPORTED: says("There is no contract `display.v9`."),
  SIZE_UNSUPPORTED: says("The contract `display.v1` has no size `iab-300x251`. Did you mean `iab-300x250`?", {
    sizeIds: ["iab-300x251"],
  }),
  FORMAT_UNSUPPORTED: says("A pack with motion `static` takes `png`, `jpg`, `webp`, not `gif`.", {
    motion: "static",
    formats: ["png", "jpg", "webp"],
  }),
  LOOK_UNSUPPORTED: says("There is no look `blod`. Did you mean `bold`?", {
    looks: ["classic", "bold", "editorial", "minimal", "retail", "premium", "playful"],
  }),
  SLOT_UNSUPPORTED: says(
    "An asset fills only its own slot: the asset named for `logo` was uploaded for `media`.",
    { slots: ["logo"] },
  ),
  SLOT_COMBINATION_UNSUPPORTED: says("`media` cannot be combined with `product`.", {
    slots: ["media", "product"],
  }),
  PLACEMENT_UNSUPPORTED: says("`placements` places `secondaryMedia`, and `assetIds` has no picture there.", {
    slots: ["secondaryMedia"],
  }),
  OVERRIDE_UNSUPPORTED: says("`overrides` names `iab-320x50`, which `selectedSizeIds` does not select.", {
    sizeIds: ["iab-320x50"],
  }),
  CLICK_URL_UNSUPPORTED: says("`clickUrl` is neither an `https:` address nor a click macro of `xandr`.", {
    macros: [`$\{CLICK_URL}`, `$\{CLICK_URL_ENC}`],
  }),
  SCALE_UNSUPPORTED: says(
    "No network documents `scale` 2 for `gads-300x250`. Sizes that take it: `iab-300x250`.",
    { sizeIds: ["gads-300x250"], scale2SizeIds: ["iab-300x250"] },
  ),
  ASSET_UNKNOWN: says("No asset of this workspace has the id named for `media`.", { slots: ["media"] }),
  JOB_UNKNOWN: says("The workspace has no job with the id named in `versionOf`."),
  BRAND_UNKNOWN: says("The workspace has no brand with the id named in `brandId`."),
  VISUAL_ASSET_REQUIRED: says("The request names no picture or logo to draw."),
  DESTINATION_UNKNOWN: says("The workspace has no destination with the id named in `notify`."),
  DESTINATION_UNSUPPORTED: says("The destination named in `notify` is a store and takes no messages."),
  COPY_UNSUPPORTED: says("No font has a glyph for ក (U+1780).", { characters: ["ក"] }),
  COPY_DOES_NOT_FIT: says(
    "The headline cannot be set legibly in `iab-320x50` (at most “Light enough”, 12 characters).",
    { misfits: [{ sizeId: "iab-320x50", charactersMax: 12, longest: "Light enough" }] },
  ),
  AGENT_REFUSED: says("The client did not register this redirect_uri."),
  ADDRESS_REFUSED: says("The address must begin with `https://`."),

  MAIL_LIMIT_REACHED: says("Too many such emails were sent to ada@example.com."),
  SERVICE_BUSY: says("Too many requests wait for memory."),
  RATE_LIMITED: says("More than 60 requests in this window.", { family: "jobs", limit: 60 }),
  SIGN_IN_BUSY: says("Too many sign-ins are in progress."),
  TEST_LIMIT_REACHED: says(
    "Test keys of a workspace order 100 outputs a UTC day, an animated one counted as 3; this job has 6.",
    { limit: 100 },
  ),
  TRIAL_ALREADY_CLAIMED: says("This client already has an active trial."),
  PREVIEW_RATE_LIMITED: says("The key has requested more than its 6 previews a minute.", {
    quota: quota(8, 6),
  }),
  PREVIEW_QUOTA_EXCEEDED: says("The workspace has used its 30 previews for today.", { quota: quota(30, 1) }),

  INTERNAL_ERROR: says("Something failed on our side."),

  SERVICE_NOT_CONFIGURED: says("The database is not configured on this origin: KEY_PEPPER is missing.", {
    settings: ["KEY_PEPPER"],
  }),

  UPLOAD_SERVICE_NOT_CONFIGURED: says("File storage is not configured on this origin: BUCKET is missing.", {
    settings: ["BUCKET"],
  }),
  IMAGE_FAILED: says("The job of the image was canceled and refunded."),
  PREVIEW_RENDER_FAILED: says("The picture in `logo` is empty: all of it is transparent.", {
    reason: "ASSET_EMPTY",
  }),

  PAYMENT_PROVIDER_FAILED: says("The payment provider refused the request."),

  IMAGE_NOT_READY: says("The image is being drawn."),
  PREVIEW_UNAVAILABLE: says("The preview allowance cannot be reached at the moment."),
  SERVICE_UNAVAILABLE: says("The database does not answer."),
};

/** Every limit that a caller can reach, with its reason. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Maximum length of URLs that customers send: about as long as browsers and proxies accept. */
export const ADDRESS_CHARACTERS_MAX = 2_048;

export const LIMITS = {
  /** API §8.1. */
  uploadBytesMax: 26_214_400,
  imageEdgePxMax: 8_192,
  imageAreaPxMax: 48_000_000,
  pageSizeMax: 100,
  /** Fits one screen and one D1 read. */
  pageSizeDefault: 20,
  idempotencyKeyCharactersMax: 200,
  /** Bodies are usually a few hundred bytes long; 64 KiB leaves room for all size ids and long text. */
  jsonBodyBytesMax: 65_536,
  /** Events of the payment provider are about 10 kB long; this leaves room for long invoices. */
  billingEventBytesMax: 262_144,
  /** Longest file name of common file systems; also fits any Content-Disposition. */
  fileNameCharactersMax: 255,
  /**
   * Assets that are not deleted or rejected, to bound storage. 200 are more than a trial can use in its hour. `unpaid`:
   * a workspace that never had credits, a subscription or unlimited access; anyone can sign up and create one.
   */
  assetsPerWorkspaceMax: { standard: 10_000, unpaid: 200, trial: 200 },
  /**
   * Like `assetsPerWorkspaceMax`, but including deleted and rejected assets that still have a row, so that
   * create-delete loops stay bounded.
   */
  assetRowsPerWorkspaceMax: { standard: 20_000, unpaid: 1_000, trial: 1_000 },
  /**
   * Bytes of assets in an unpaid workspace, including deleted ones until their bytes are removed. An account has up to
   * 20 such workspaces for free, and `assetsPerWorkspaceMax` alone would allow 5 GB in each.
   */
  assetBytesUnpaidMax: 524_288_000,
  /** How long a deleted or rejected asset keeps its row; longer than replays of its upload are recognised. */
  deadAssetRetentionMs: 8 * DAY_MS,
  keyNameCharactersMax: 100,
  /** Enough for an agency that keeps its customers in one workspace. */
  brandsPerWorkspaceMax: 200,
  brandNameCharactersMax: 100,
  jobNameCharactersMax: 120,
  clientMarkerCharactersMax: 200,
  requestIdCharactersMax: 128,
  /**
   * How long an isolate caches a key for reads. A revoked key may read for this long; writes, spending and replays
   * check the database and stop at once.
   */
  keyMemoryMs: 10 * SECOND_MS,
  /**
   * Refused lookups of API keys per minute and isolate: by network for invented keys, otherwise by key. No other window
   * counts these requests.
   */
  refusedKeysPerWindowMax: 60,
  /** How long the audit log keeps events. */
  auditRetentionMs: 400 * 24 * HOUR_MS,
  /** Lifetime of a Studio page's key: long enough to work, short enough to limit the damage of a leak. */
  sessionKeyLifetimeMs: HOUR_MS,
  /** Keys per session and workspace, one per open page. A further key revokes the oldest. */
  keysPerSessionMax: 5,
  /** Share links of a pack, including expired and revoked ones: rounds of approval with different people. */
  sharesPerArtifactMax: 50,
  shareNameCharactersMax: 100,
  /** Comments and verdicts per share link. Anyone with the link can write them. */
  commentsPerShareMax: 300,
  commentCharactersMax: 1_000,
  visitorNameCharactersMax: 80,
  /** How long an expired or revoked share link is stored, with its comments, which contain names. */
  shareRetentionMs: 90 * DAY_MS,
  /** Agents that an account connects to a workspace: one per program and machine. */
  agentsPerMemberMax: 20,
  /** Time to return from the consent page (RFC 6749 §4.1.2 allows ten times as much). */
  agentCodeLifetimeMs: MINUTE_MS,
  /** Lifetime of an access token, which limits the damage of a leak. The client refreshes it without its user. */
  agentTokenLifetimeMs: HOUR_MS,
  /** An unused connection expires after this; each use extends it. */
  agentRefreshLifetimeMs: 30 * DAY_MS,
  /**
   * How long an exchanged refresh token returns the same tokens again, since responses get lost, and two processes may
   * share a token.
   */
  agentRefreshGraceMs: 30 * SECOND_MS,
  /** Maximum length of an authorization request's query: a client id of at most 8 KiB, and a state. */
  agentRequestCharactersMax: 12_000,
  /** More keys than people can keep track of. */
  activeKeysPerWorkspaceMax: 100,
  /** Maximum of a key's budget in credits, against typing errors. */
  keyBudgetCreditsMax: 1_000_000_000,
  /** Days in a leap year. */
  usageSummaryDaysMax: 366,
  /** Rows per page. A year of daily rows fits on one page. */
  usageSummaryRows: 1_000,
  /** Payments listed in a monthly statement; its totals include all. */
  statementPaymentsMax: 500,
  /** Maximum length of a chain of keys that create keys. Each key stores its ancestors. A longer chain is a mistake. */
  keyGenerationsMax: 16,
  /** Signing secrets of image URLs: one in use, one for rotation, and some for other programs. */
  imageSecretsPerWorkspaceMax: 5,
  /**
   * How long an isolate caches a signing secret. A revoked secret may still serve stored images for this long;
   * rendering checks the database and stops at once.
   */
  imageSecretMemoryMs: MINUTE_MS,
  /** New images per workspace in 24 hours. Bounds the cost of a program that signs a new URL per visitor. */
  newImagesPerDay: 1_000,
  /** New images per workspace and minute: the same limit as for jobs of an API key. */
  newImagesPerMinute: 60,
  /**
   * Requests per minute and isolate for an image that is not rendered yet, such as when many people open the same
   * email.
   */
  undrawnImageRequestsMax: 600,
  /** Maximum length of an image URL with its origin. Browsers, proxies and email programs accept this length. */
  imageUrlCharactersMax: 8_192,
  /** How long browsers and proxies cache an image, even after its secret was revoked. */
  imageCacheSeconds: 3_600,
  /** Pause before a failed image is rendered again; four times as long after each further failure. */
  imageRetryMs: 10 * MINUTE_MS,
  imageRetryMsMax: DAY_MS,
  /** Maximum length of the `version` parameter of an image URL. */
  imageVersionCharactersMax: 64,
  /** All sizes of the largest contract, with room to grow. Bounds one D1 batch. */
  sizesPerJobMax: 100,
  copyHeadlineCharactersMax: 90,
  copySubheadlineCharactersMax: 140,
  copyCtaCharactersMax: 28,
  copyDisclaimerCharactersMax: 200,
  /** A price: a number with its currency and a word, such as "from 1.299,00 € a month". */
  copyPriceCharactersMax: 24,
  /** A badge is read at a glance. */
  copyBadgeCharactersMax: 24,
  /**
   * Maximum number of library font files for the text of all sizes in one request. A rare character may need its own
   * file; real advertisements need up to 12 files. Each file is fetched and parsed before the job is charged.
   */
  libraryFontsMax: 96,
  /** RFC 5646 §4.4.1: the length that every implementation must support. */
  languageTagCharactersMax: 35,

  /** NIST SP 800-63B requires at least 8; passwords are the only factor here. */
  passwordCharactersMin: 10,
  /** Longer than any passphrase; bounds the hashing work. */
  passwordCharactersMax: 128,
  /**
   * Concurrent requests that hash passwords (sign-up, sign-in, change) per isolate. A hash blocks the thread for 0.2 s
   * and a change needs two, so other requests wait at most two seconds.
   */
  passwordRequestsAtOnceMax: 4,
  /** RFC 5321 §4.5.3.1.3: a path of 256 octets with its two brackets. */
  emailCharactersMax: 254,
  accountNameCharactersMax: 100,
  workspaceNameCharactersMax: 100,
  /** Workspaces that an account may own; each has its own assets. */
  workspacesPerAccountMax: 20,
  /** Workspaces that an account may be a member of, including its own. The list of them has no pages. */
  membershipsPerAccountMax: 100,
  /** Members and open invitations of a workspace. */
  membersPerWorkspaceMax: 50,
  /** Sessions of an account. A new session ends the oldest. */
  sessionsPerAccountMax: 50,
  /** An unused session expires after this; each day of use extends it. */
  sessionLifetimeMs: 7 * DAY_MS,
  /** Time to hand over a code and to sign up; limits the damage of a leak. */
  invitationLifetimeMs: 3 * DAY_MS,
  /** Time to read the mailbox. */
  confirmationLifetimeMs: DAY_MS,
  /** A password reset is used at once or not at all. */
  passwordResetLifetimeMs: 30 * MINUTE_MS,
  /** Known browsers of an account; a further one replaces the one seen least recently. */
  devicesPerAccountMax: 20,
  /** A browser without a sign-in for this long counts as new. */
  deviceRetentionMs: 365 * DAY_MS,
  /** Sign-in attempts are counted over a longer window than other requests, since guessing may be slow. */
  signInWindowMs: 15 * MINUTE_MS,

  /** Purchases that a workspace may begin per day. Each writes an order and creates a page at the payment provider. */
  ordersPerDayMax: 100,
  /** How long unpaid orders, and events without effect, are stored: longer than any payment takes. */
  unusedOrderRetentionMs: 90 * DAY_MS,
  trialCredits: 5,
  trialLifetimeMs: HOUR_MS,
  /** Long enough for 25 MB on a slow connection, short enough to limit the damage of a leak. */
  uploadIntentLifetimeMs: 15 * MINUTE_MS,
  /** How long a deleted asset keeps its bytes, so that a job being created can still refer to them. */
  deletedAssetRetentionMs: DAY_MS,
  /** Timeout of an import's whole request, including redirects and body: 25 MB on a slow connection. */
  importTimeoutMs: MINUTE_MS,
  /**
   * Timeout to an import's first byte, including redirects. In each later period of this length, at least
   * `importBytesPerWindowMin` bytes must arrive.
   */
  importWindowMs: 10 * SECOND_MS,
  /** 64 KiB per second. */
  importBytesPerWindowMin: 655_360,
  /** Shared links usually redirect once or twice. */
  importRedirectsMax: 3,
  /** The same number as for a part of a job. `IMPORT_BACKOFF_SECONDS` has the delays between the attempts. */
  importAttemptsMax: 5,
  /** Much longer than all attempts take. Ends imports that cannot begin, such as in a suspended workspace. */
  importLifetimeMs: HOUR_MS,
  /** Length of an import's lease: longer than a request and a wait for memory. */
  importLeaseMs: 10 * MINUTE_MS,
  /** Concurrent requests to external servers per workspace, so that imports cannot be used to attack them. */
  importsAtOncePerWorkspaceMax: 3,
  /** The same limit for trials and unpaid workspaces, which anyone can create. */
  importsAtOnceUnpaidMax: 1,
  /** How long a job request waits for its imports: enough for an image server, and not too long for the caller. */
  orderImportsWaitMsMax: 10 * SECOND_MS,
  /**
   * Longest wait that `Prefer: wait` grants. Most packs are rendered by then, and proxies keep connections open longer.
   */
  preferredWaitSecondsMax: 30,
  /** Retry-After of an import that has not ended. */
  importPollAfterSeconds: 2,
  downloadLinkLifetimeMs: 5 * MINUTE_MS,
  /** Lifetime of links given to agents, which show them to people who open them later. */
  agentLinkLifetimeMs: HOUR_MS,
  /**
   * Maximum number of stills of a finished pack that an agent receives, and of their total bytes: in base64 they are
   * below the 1 MB that clients accept.
   */
  agentPicturesMax: 4,
  agentPicturesBytesMax: 524_288,
  /** Maximum size of a file in an MCP message: enough for a logo or a web image. Larger files are imported by URL. */
  agentFileBytesMax: 1_048_576,
  /** `agentFileBytesMax` in base64 (4 characters for 3 bytes), plus `jsonBodyBytesMax`. */
  agentMessageBytesMax: 1_463_640,
  /**
   * How long a pack's files are stored, by its means of payment. `expiresAt` is set when the pack is finished, so later
   * changes of access do not shorten it.
   */
  artifactRetentionMs: {
    credits: 30 * DAY_MS,
    subscription: 90 * DAY_MS,
    unlimited: 365 * DAY_MS,
    test: DAY_MS,
  },
  /**
   * How long a test job's row is stored and its replays are recognised: longer than its files and the retries of
   * webhooks.
   */
  testJobRetentionMs: 2 * DAY_MS,
  /**
   * Outputs that test keys of a workspace may order per UTC day; an animated output counts as its price in credits.
   * Enough for a test suite and a day of development. A still takes 0.3 s of CPU and a video up to 15 s, so the 20
   * workspaces of an unpaid account use about ten CPU minutes a day, which cost one cent.
   */
  testOutputsPerDay: 100,
  /** How long replays are recognised, except those of jobs, which never expire. */
  idempotencyRetentionMs: 7 * DAY_MS,
  /** How long an expired pack keeps its rows after its files were deleted; then they are archived. */
  oldPackRetentionMs: 30 * DAY_MS,
  /** How long a duplicate request waits for the first. */
  idempotencyWaitMsMax: 10 * SECOND_MS,
  rateLimitWindowMs: MINUTE_MS,
  /** Retry-After of a job that has not ended: most packs are rendered by then, and polling is cheap. */
  jobPollAfterSeconds: 2,

  /** Previews rendered per workspace and UTC day. Overridden by the PREVIEW_DAILY… variables. */
  previewsPerDay: { standard: 30, unlimited: 300 },
  /** Similar previews per UTC day in an unpaid workspace. Averaging more could remove the watermark. */
  similarPreviewsPerDay: 10,
  /** Previews rendered per key and burst window: a person's pace, not a pipeline's. Overridden by PREVIEW_BURST. */
  previewsPerBurst: 6,
  previewBurstWindowMs: MINUTE_MS,
  /**
   * Preview requests per burst window, rendered or cached, as a multiple of `previewsPerBurst`. Cached previews are
   * cheap, but not free.
   */
  previewRequestsPerBurstUnit: 20,
  /** How long a cached preview is returned for identical requests. */
  previewCacheMs: 7 * DAY_MS,
  /** How long a preview's replay is recognised. Cached previews are deleted this long after they stop being served. */
  previewIdempotencyMs: DAY_MS,
  /**
   * How long the reservation of a crashed request counts as used. Renewed when rendering begins, which takes far less
   * time.
   */
  previewLeaseMs: 5 * MINUTE_MS,
  /** How long the second of two identical preview requests waits for the first before it gets an error. */
  previewWaitMsMax: 30 * SECOND_MS,

  /** Static outputs per part of a job. Parts render in parallel; each part decodes every source once. */
  staticOutputsPerPart: 4,
  animatedOutputsPerPart: 1,
  /**
   * Render messages in the queue, shared fairly by workspaces (src/domains/jobs/fair-queue-store.ts): as many as
   * consumers run (`max_concurrency` in wrangler.toml), and the same number waiting. Overridden by
   * RENDER_MESSAGES_QUEUED.
   */
  queuedMessagesMax: 160,
  /**
   * How long a dispatched job keeps its slot in the queue: longer than messages wait there. By then its messages are
   * lost or being retried.
   */
  queueSlotMs: 5 * MINUTE_MS,
  /**
   * Length of a part's lease: longer than any output takes (7 s of CPU in the benchmark case `most-expensive`), because
   * the lease is not renewed while an output renders.
   */
  partLeaseMs: 2 * MINUTE_MS,
  /** How often an attempt renews its lease; most packs are rendered before the first renewal. */
  partLeaseRenewalMs: 30 * SECOND_MS,
  /**
   * How long an attempt renews its lease. A message has 5 min of CPU time and may wait for memory; an attempt that
   * takes longer hangs.
   */
  partRenewedMsMax: 10 * MINUTE_MS,
  /** Attempts at a part before its job fails and is refunded; the queue's `max_retries` is lower. */
  partAttemptsMax: 5,
} as const;

/** Delays between the attempts of an import. */
export const IMPORT_BACKOFF_SECONDS = [5, 30, 120, 600] as const;

/**
 * Fixed-window limits per route family; each can be overridden by a variable. The window is a minute, except for
 * sign-up, sign-in and password reset (15 minutes) and for families that count emails (a day). `trial` and the families
 * without a key count by client network, `sign-in-email` by the address that signs in. The limit of `sign-in-email` is
 * higher than that of `sign-in`, so that one network cannot lock a person out.
 */
export const ROUTE_FAMILIES = {
  read: 600,
  write: 120,
  "upload-bytes": 240,
  jobs: 60,
  /** Requests of a workspace that wait for a job to end (`Prefer: wait`). Further requests do not wait. */
  waits: 60,
  downloads: 600,
  keys: 30,
  /** Totals over a month or a year are expensive reads, meant for people and nightly scripts. */
  reports: 30,
  trial: 30,
  /**
   * Registrations and token requests of agents, by network: an agent's vendor refreshes the tokens of all its users
   * from one network.
   */
  oauth: 600,
  "sign-up": 10,
  "sign-in": 20,
  "sign-in-email": 60,
  /** Emails requested without a session, by network. */
  "password-reset": 10,
  /**
   * Emails per day to one address that clients without a session can request, whether or not it has an account. Below
   * the limit per address (api/mail-rules.ts), so that a browser in which the account has signed in can still request
   * emails.
   */
  "mail-address": 12,
  /** Emails per day that a workspace sends to others. */
  "workspace-mail": 30,
  /** Emails per day to others from all workspaces that an account owns. */
  "account-mail": 40,
  /** Invitations per day from an account to one address. */
  "recipient-mail": 5,
  /** By network: a page of 100 images, opened several times. */
  visits: 600,
  /** By network: the pace of a person who pins comments. */
  comments: 20,
} as const;
export type RouteFamily = keyof typeof ROUTE_FAMILIES;

/** Families with a longer window, against password guessing and unwanted emails. */
const SLOW_FAMILIES: readonly RouteFamily[] = [
  ...(["sign-up", "sign-in", "sign-in-email"] as const),
  "password-reset",
];

/** Families that count emails; their window is a day. */
const DAY_FAMILIES: readonly RouteFamily[] = [
  ...(["mail-address", "workspace-mail", "account-mail", "recipient-mail"] as const),
];

export function familyWindowMs(family: RouteFamily): number {
  if (DAY_FAMILIES.includes(family)) return DAY_MS;
  return SLOW_FAMILIES.includes(family) ? LIMITS.signInWindowMs : LIMITS.rateLimitWindowMs;
}

/**
 * Additional windows for clients without a key. A client can choose its address within its network, and often its
 * network within an assigned prefix: an IPv4 /24, an IPv6 /48 (a `site`, RFC 6177) or, for a provider, an IPv6 /32 (an
 * `allocation`). Many people share an address (an office, a carrier's NAT), but few of them act in the same hour, so
 * each wider prefix gets a small multiple of the limit. The windows `mail-address-…` and `link-…` count per prefix and
 * per email address or link, so that one customer of a provider cannot exhaust the limit for all addresses or links.
 */
export const CLIENT_WINDOWS = {
  /** New trials, with 5 credits each. Enough for a team in one office; a farm of clients gets 150 credits a day. */
  "trial-hour": { limit: 10, windowMs: HOUR_MS, by: "network" },
  "trial-day": { limit: 30, windowMs: DAY_MS, by: "network" },
  "trial-site-hour": { limit: 40, windowMs: HOUR_MS, by: "site" },
  "trial-site-day": { limit: 120, windowMs: DAY_MS, by: "site" },
  "trial-allocation-hour": { limit: 400, windowMs: HOUR_MS, by: "allocation" },
  "trial-allocation-day": { limit: 1_200, windowMs: DAY_MS, by: "allocation" },
  /** Accounts are permanent and may own workspaces that store files, so new ones are also limited per day. */
  "sign-up-day": { limit: 40, windowMs: DAY_MS, by: "network" },
  "sign-up-site-day": { limit: 160, windowMs: DAY_MS, by: "site" },
  "sign-up-allocation-day": { limit: 1_600, windowMs: DAY_MS, by: "allocation" },
  /** Sign-in attempts. Wide enough that one guesser does not lock out a company. */
  "sign-in-site": { limit: 200, windowMs: LIMITS.signInWindowMs, by: "site" },
  "sign-in-allocation": { limit: 2_000, windowMs: LIMITS.signInWindowMs, by: "allocation" },
  /**
   * Emails per day to one address that clients in one prefix can request. They also count in `mail-address`, so it
   * takes six sites to exhaust that limit.
   */
  "mail-address-site": { limit: 2, windowMs: DAY_MS, by: "site" },
  "mail-address-allocation": { limit: 4, windowMs: DAY_MS, by: "allocation" },
  /** Visits of a share link. No window counts all visitors together, so no visitor can lock out the others. */
  "link-visits-site": { limit: 1_200, windowMs: LIMITS.rateLimitWindowMs, by: "site" },
  "link-visits-allocation": { limit: 6_000, windowMs: LIMITS.rateLimitWindowMs, by: "allocation" },
  /** Downloads through the links of a pack. The window `downloads` is shared by all clients. */
  "link-downloads-site": { limit: 120, windowMs: LIMITS.rateLimitWindowMs, by: "site" },
  "link-downloads-allocation": { limit: 240, windowMs: LIMITS.rateLimitWindowMs, by: "allocation" },
  /** Comments on a share link, which accepts `commentsPerShareMax` in total. */
  "link-comments-site": { limit: 60, windowMs: DAY_MS, by: "site" },
  "link-comments-allocation": { limit: 120, windowMs: DAY_MS, by: "allocation" },
} as const satisfies Record<
  string,
  {
    readonly limit: number;
    readonly windowMs: number;
    readonly by: "network" | "site" | "allocation";
  }
>;
export type ClientWindow = keyof typeof CLIENT_WINDOWS;

/**
 * Refunded jobs of a workspace within the last hour. A failed job is refunded, but may have cost as much CPU time as a
 * paid one. A canceled job leaves rows in the database. Counted from the jobs' rows, so no count is lost.
 */
export const JOB_WINDOWS = {
  "failed-jobs": { limit: 20, windowMs: HOUR_MS },
  "canceled-jobs": { limit: 200, windowMs: HOUR_MS },
} as const;
export type JobWindow = keyof typeof JOB_WINDOWS;

export type WindowName = RouteFamily | ClientWindow | JobWindow;
export const WINDOW_NAMES: readonly string[] = [
  ...Object.keys(ROUTE_FAMILIES),
  ...Object.keys(CLIENT_WINDOWS),
  ...Object.keys(JOB_WINDOWS),
];

/** Windows that each isolate counts on its own. */
export const ISOLATE_WINDOWS = ["refused-keys", "agent-messages", "undrawn-images"] as const;

/** Name of the variable that overrides a window's limit, such as RATE_LIMIT_TRIAL_HOUR. */
export const windowVariable = (window: string): `RATE_LIMIT_${string}` =>
  `RATE_LIMIT_${window.toUpperCase().replaceAll("-", "_")}`;

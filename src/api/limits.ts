/** Every limit a caller can meet, in one place, each with its reason. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Of an address that a customer gives: about what browsers and proxies take. */
export const ADDRESS_CHARACTERS_MAX = 2_048;

export const LIMITS = {
  /** API §8.1. */
  uploadBytesMax: 26_214_400,
  imageEdgePxMax: 8_192,
  imageAreaPxMax: 48_000_000,
  pageSizeMax: 100,
  /** A page that fits a screen and one D1 read. */
  pageSizeDefault: 20,
  idempotencyKeyCharactersMax: 200,
  /** JSON bodies are a few hundred bytes; 64 KiB leaves room for every size id and long copy. */
  jsonBodyBytesMax: 65_536,
  /** An event of the payment provider is some ten kilobytes; an invoice of many lines has room. */
  billingEventBytesMax: 262_144,
  /** Longest name a file system takes, and enough for any Content-Disposition. */
  fileNameCharactersMax: 255,
  /**
   * Live assets at a time, so that storage stays bounded; 200 are more than a trial's hour can use. Whoever signs up
   * has workspaces: one that never had credits, a subscription or unlimited access keeps no more than a trial.
   */
  assetsPerWorkspaceMax: { standard: 10_000, unpaid: 200, trial: 200 },
  /** The same with deleted and rejected assets that still have a row, so that making and deleting fills no database. */
  assetRowsPerWorkspaceMax: { standard: 20_000, unpaid: 1_000, trial: 1_000 },
  /**
   * Bytes of assets, deleted ones counted until theirs are removed: everything that a trial or somebody who is looking
   * around needs. Anybody can have twenty workspaces without paying; without this each would hold five gigabytes for good.
   */
  assetBytesUnpaidMax: 524_288_000,
  /** How long a deleted or rejected asset is remembered; longer than a replay of its upload is recognised. */
  deadAssetRetentionMs: 8 * DAY_MS,
  keyNameCharactersMax: 100,
  /** An agency's customers in one workspace; a larger one gives each customer its own. */
  brandsPerWorkspaceMax: 200,
  brandNameCharactersMax: 100,
  jobNameCharactersMax: 120,
  clientMarkerCharactersMax: 200,
  requestIdCharactersMax: 128,
  /**
   * How long an isolate takes a key for what it last read of it, where nothing is written or spent. For so long after
   * its revocation, a key may still read; it spends, writes, makes and replays nothing from that moment on.
   */
  keyMemoryMs: 10 * SECOND_MS,
  /**
   * Lookups in a minute, an isolate and a network of keys that turn out not to exist, and of one key that is of no use any
   * more. They count in no other window, as it is not known whose.
   */
  refusedKeysPerWindowMax: 60,
  /** How long the audit log keeps its events. */
  auditRetentionMs: 400 * 24 * HOUR_MS,
  /** The key of a page: long enough to work with, short enough that one that leaks is soon of no use. */
  sessionKeyLifetimeMs: HOUR_MS,
  /** Pages of one session in one workspace at a time that each keep a key; one more ends the oldest's. */
  keysPerSessionMax: 5,
  /** Links to a pack, ended ones too: rounds of approval, each with its own people. */
  sharesPerArtifactMax: 50,
  shareNameCharactersMax: 100,
  /** Comments and verdicts of a link. Whoever has it may write, so that it must fill neither a page nor a database. */
  commentsPerShareMax: 300,
  commentCharactersMax: 1_000,
  visitorNameCharactersMax: 80,
  /** How long a link that has ended is listed with its comments, which name people. */
  shareRetentionMs: 90 * DAY_MS,
  /** Agents that one account has connected to a workspace at a time: one for each program and machine. */
  agentsPerMemberMax: 20,
  /** Time to come back from the page of consent (RFC 6749 §4.1.2 allows ten times as much). */
  agentCodeLifetimeMs: MINUTE_MS,
  /** An access token that leaks is soon of no use; its client refreshes it without the person. */
  agentTokenLifetimeMs: HOUR_MS,
  /** A connection that is not used ends after this; each use puts its end off. */
  agentRefreshLifetimeMs: 30 * DAY_MS,
  /** How long a refresh token that was exchanged gives the same tokens again: answers get lost, and two processes share one. */
  agentRefreshGraceMs: 30 * SECOND_MS,
  /** The query of an authorization request: a client's id of 8 KiB at the most, and a state. */
  agentRequestCharactersMax: 12_000,
  /** A workspace that needs more keys than this has lost count of them. */
  activeKeysPerWorkspaceMax: 100,
  /** Credits of a key's budget: a mistyped one should not become a fortune. */
  keyBudgetCreditsMax: 1_000_000_000,
  /** A year, and the day with which it is compared. */
  usageSummaryDaysMax: 366,
  /** Rows of a page of such sums: a year by day fits one. */
  usageSummaryRows: 1_000,
  /** Payments that a month's statement lists; its totals are of all. */
  statementPaymentsMax: 500,
  /** How often a key's key may make a key: whom each comes of is kept with it, and longer chains are made by accident. */
  keyGenerationsMax: 16,
  /** Signing secrets of image URLs: one in use, one to change over to, and some for programs of their own. */
  imageSecretsPerWorkspaceMax: 5,
  /**
   * How long an isolate takes a signing secret for what it last read of it. So long after its revocation, images that are
   * stored already may still be sent; none is drawn from that moment on.
   */
  imageSecretMemoryMs: MINUTE_MS,
  /** New images of a workspace in 24 hours: a program that signs a new URL for every visitor spends no more than this. */
  newImagesPerDay: 1_000,
  /** The same in a minute: as many as an API key may order. */
  newImagesPerMinute: 60,
  /** Requests a minute and isolate for an image that is not drawn: people who open one mail at once, and no more. */
  undrawnImageRequestsMax: 600,
  /** An image URL, with its origin: what browsers, proxies and mail programs take. */
  imageUrlCharactersMax: 8_192,
  /** How long browsers and proxies keep an image, and so show one whose secret was revoked. */
  imageCacheSeconds: 3_600,
  /** The pause before an image that failed is drawn again; four times as long after each further failure. */
  imageRetryMs: 10 * MINUTE_MS,
  imageRetryMsMax: DAY_MS,
  /** Characters of `version` of an image URL. */
  imageVersionCharactersMax: 64,
  /** All sizes of the largest contract, with room to grow; bounds one D1 batch. */
  sizesPerJobMax: 100,
  copyHeadlineCharactersMax: 90,
  copySubheadlineCharactersMax: 140,
  copyCtaCharactersMax: 28,
  copyDisclaimerCharactersMax: 200,
  /** Of a price and of an old one: a sum with its currency and a word, as "from 1.299,00 € a month". */
  copyPriceCharactersMax: 24,
  /** A badge is read at a glance. */
  copyBadgeCharactersMax: 24,
  /**
   * Files of the font library that the words of all sizes of a request may be set in, together: a rare character may need
   * one of its own. Advertisements take up to 12; each is fetched and opened before anything is paid.
   */
  libraryFontsMax: 96,
  /** RFC 5646 §4.4.1: what any program must be able to keep of a language tag. */
  languageTagCharactersMax: 35,

  /** NIST SP 800-63B asks for 8 at the least; passwords are the only factor here. */
  passwordCharactersMin: 10,
  /** Longer than any passphrase; bounds what is hashed. */
  passwordCharactersMax: 128,
  /**
   * Requests that hash passwords (sign up, sign in, change) at once in an isolate. A hash holds its thread for 0.2 s, and a
   * change makes two: so no other request waits longer than two seconds for them all, and no person for his turn.
   */
  passwordRequestsAtOnceMax: 4,
  /** RFC 5321 §4.5.3.1.3: a path of 256 with its two brackets. */
  emailCharactersMax: 254,
  accountNameCharactersMax: 100,
  workspaceNameCharactersMax: 100,
  /** Workspaces an account may own; each may hold its own assets. */
  workspacesPerAccountMax: 20,
  /** Workspaces an account may be in, its own and others': what one list shows. */
  membershipsPerAccountMax: 100,
  /** Members and open invitations of a workspace. */
  membersPerWorkspaceMax: 50,
  /** Sessions of an account; the oldest end when a new one begins. */
  sessionsPerAccountMax: 50,
  /** A session that is not used ends after this; each day of use puts its end off. */
  sessionLifetimeMs: 7 * DAY_MS,
  /** Time to hand a code over and to sign up; a leaked one is soon worthless. */
  invitationLifetimeMs: 3 * DAY_MS,
  /** Time to look into a mailbox that one does not read every hour. */
  confirmationLifetimeMs: DAY_MS,
  /** A link that resets a password is used at once or not at all. */
  passwordResetLifetimeMs: 30 * MINUTE_MS,
  /** Browsers of an account that are known; of one more, the one that was not seen for longest is forgotten. */
  devicesPerAccountMax: 20,
  /** A browser that did not sign in for so long is a new one. */
  deviceRetentionMs: 365 * DAY_MS,
  /** Guesses are counted over this, longer than the other windows: a password is guessed slowly, too. */
  signInWindowMs: 15 * MINUTE_MS,

  /** Purchases that a workspace may begin in a day: each writes an order, and has the payment provider make a page. */
  ordersPerDayMax: 100,
  /** Orders that were not paid, and events of the payment provider without effect: longer than any payment is under way. */
  unusedOrderRetentionMs: 90 * DAY_MS,
  trialCredits: 5,
  trialLifetimeMs: HOUR_MS,
  /** Long enough for 25 MB on a slow line, short enough to be worthless when leaked. */
  uploadIntentLifetimeMs: 15 * MINUTE_MS,
  /** A deleted asset's bytes stay this long: a job that is being created has time to name them. */
  deletedAssetRetentionMs: DAY_MS,
  /** Time for an import's whole request, redirects and body included: 25 MB on a slow line. */
  importTimeoutMs: MINUTE_MS,
  /** Time to an import's first byte, redirects included; each later window must bring `importBytesPerWindowMin`. */
  importWindowMs: 10 * SECOND_MS,
  /** 64 KiB a second. */
  importBytesPerWindowMin: 655_360,
  /** A share link takes one or two. */
  importRedirectsMax: 3,
  /** As often as an output; `IMPORT_BACKOFF_SECONDS` lies between. */
  importAttemptsMax: 5,
  /** Much longer than all its attempts: an import that cannot begin (a suspended workspace) ends by this. */
  importLifetimeMs: HOUR_MS,
  /** Longer than a request and a wait for memory; after it another consumer may take over. */
  importLeaseMs: 10 * MINUTE_MS,
  /** Requests to other people's servers at once for a workspace, so that it is no lever against them. */
  importsAtOncePerWorkspaceMax: 3,
  /** The same in a trial or a workspace that never paid: anybody can make those. */
  importsAtOnceUnpaidMax: 1,
  /** How long an order waits for the files that it names by address: what a server of pictures needs, and a caller waits for. */
  orderImportsWaitMsMax: 10 * SECOND_MS,
  /** The longest wait that `Prefer: wait` is granted: most packs are drawn by then, and proxies keep a connection for longer. */
  preferredWaitSecondsMax: 30,
  /** Retry-After of an import that has not ended. */
  importPollAfterSeconds: 2,
  downloadLinkLifetimeMs: 5 * MINUTE_MS,
  /** Of links that an agent is given: it shows them to a person, who looks later. */
  agentLinkLifetimeMs: HOUR_MS,
  /** Stills that an agent sees of a finished pack, and their bytes together: in base64 less than the megabyte that clients take. */
  agentPicturesMax: 4,
  agentPicturesBytesMax: 524_288,
  /** A file inside a message: room for a logo or a picture made for the web. Larger ones come from an address. */
  agentFileBytesMax: 1_048_576,
  /** A message of an agent: such a file in base64 (4 characters for 3 bytes), and as much as any JSON body beside it. */
  agentMessageBytesMax: 1_463_640,
  /**
   * How long files are kept, by what paid for their pack. Fixed as `expiresAt` when the pack is finished, so a later change
   * of access shortens nothing.
   */
  artifactRetentionMs: {
    credits: 30 * DAY_MS,
    subscription: 90 * DAY_MS,
    unlimited: 365 * DAY_MS,
    test: DAY_MS,
  },
  /** How long the row of a test job stays, and a replay of it is recognised: longer than its files and its webhooks' retries. */
  testJobRetentionMs: 2 * DAY_MS,
  /**
   * Outputs that the test keys of a workspace order in a UTC day, an animated one as many as its price. Enough for a suite of
   * tests and a day of development. A still takes 0.3 s of CPU and a video up to 15 s, so that the twenty workspaces
   * of an account that never pays draw ten CPU minutes a day, which cost a cent.
   */
  testOutputsPerDay: 100,
  /** How long a replay of anything but a job is recognised; a job's key never expires. */
  idempotencyRetentionMs: 7 * DAY_MS,
  /** How long the rows of an expired pack stay whole after its files were deleted; then they go to an archive. */
  oldPackRetentionMs: 30 * DAY_MS,
  /** How long the second of two identical requests waits for the first. */
  idempotencyWaitMsMax: 10 * SECOND_MS,
  rateLimitWindowMs: MINUTE_MS,
  /** Retry-After of a job that has not ended: most packs are drawn by then, and polling costs little. */
  jobPollAfterSeconds: 2,

  /** Previews a workspace may have drawn in a UTC day; each may be overridden by a variable (PREVIEW_DAILY…). */
  previewsPerDay: { standard: 30, unlimited: 300 },
  /** Different pictures a UTC day that look the same, of a workspace that never paid: previews of them could be averaged. */
  alikePreviewsPerDay: 10,
  /** Previews a key may have drawn in a burst window: a person's pace, not a pipeline's. Variable: PREVIEW_BURST. */
  previewsPerBurst: 6,
  previewBurstWindowMs: MINUTE_MS,
  /** Requests a key may send for each preview of its burst; those answered without drawing cost little, not nothing. */
  previewRequestsPerBurstUnit: 20,
  /** A kept preview answers equal requests this long. */
  previewCacheMs: 7 * DAY_MS,
  /** How long a replay of a preview is recognised. Kept previews are removed that much later than they are served. */
  previewIdempotencyMs: DAY_MS,
  /** A reservation of a request that died counts this long. Renewed when drawing begins; drawing ends well before. */
  previewLeaseMs: 5 * MINUTE_MS,
  /** How long the second of two equal previews waits for the first, before it is told to come again. */
  previewWaitMsMax: 30 * SECOND_MS,

  /** Static outputs in one part of a job: a pack renders in parallel, yet decodes each source once a part. */
  staticOutputsPerPart: 4,
  animatedOutputsPerPart: 1,
  /**
   * Render messages in the queue that workspaces with more to draw share (src/domains/jobs/fair-queue-store.ts): as many as the
   * consumers work on (`max_concurrency` of wrangler.toml), and as many to follow. Variable: RENDER_MESSAGES_QUEUED.
   */
  queuedMessagesMax: 160,
  /** A job that was sent keeps its slot in the queue this long: longer than messages wait there, shorter than retries go on. */
  queueSlotMs: 5 * MINUTE_MS,
  /**
   * After this another consumer may take the part over. Longer than any output takes (7 s of CPU in bench's case
   * `dearest`), because nothing renews the lease while one is drawn.
   */
  partLeaseMs: 2 * MINUTE_MS,
  /** How often an attempt renews its lease; most packs are drawn before that. */
  partLeaseRenewalMs: 30 * SECOND_MS,
  /** How long an attempt renews its lease: a message has 5 min of CPU and waits for memory; one that takes longer hangs. */
  partRenewedMsMax: 10 * MINUTE_MS,
  /** Attempts at a part before its job fails and refunds; the queue's own retries stay below it. */
  partAttemptsMax: 5,
} as const;

/** Waits between the attempts of an import. */
export const IMPORT_BACKOFF_SECONDS = [5, 30, 120, 600] as const;

/**
 * Fixed-window limits per route family and minute; each may be overridden by a variable. `trial` is by client network.
 * Those of mails that somebody asks for, sign-ups and sign-ins are over 15 minutes: by client network, and for each address that somebody signs in with. That one is
 * the widest, so that one network cannot keep a person out.
 */
export const ROUTE_FAMILIES = {
  read: 600,
  write: 120,
  "upload-bytes": 240,
  jobs: 60,
  /** Requests of a workspace that wait for the end of a job; one more is answered without the wait. */
  waits: 60,
  downloads: 600,
  keys: 30,
  /** Sums over a month or a year, each of which reads much: for a person or a nightly script. */
  reports: 30,
  trial: 30,
  /** Registrations and tokens of agents, by network: an agent's maker refreshes the tokens of all its users from one. */
  oauth: 600,
  "sign-up": 10,
  "sign-in": 20,
  "sign-in-email": 60,
  /** Mails that somebody asks for without being signed in, by network. */
  "password-reset": 10,
  /**
   * Mails that strangers ask to be sent to an address in a day, whether it has an account or not. Less than an address is
   * sent (api/mail-rules.ts): the rest is for a browser in which its account has signed in.
   */
  "mail-address": 12,
  /** Mails that a workspace has sent to others, in a day. */
  "workspace-mail": 30,
  /** Mails to others that an account has sent from all the workspaces that it owns, in a day. */
  "account-mail": 40,
  /** Invitations that an account mails to one address, in a day. */
  "recipient-mail": 5,
  /** By network: a wall of a hundred pictures, looked at several times. */
  visits: 600,
  /** By network: a person's pace, who pins one remark after another. */
  comments: 20,
} as const;
export type RouteFamily = keyof typeof ROUTE_FAMILIES;

/** Families that slow down guessing, and the sending of mail to addresses that somebody names. */
const SLOW_FAMILIES: readonly RouteFamily[] = [
  ...(["sign-up", "sign-in", "sign-in-email"] as const),
  "password-reset",
];

/** Families that bound what other people are sent or see, over a day. */
const DAY_FAMILIES: readonly RouteFamily[] = [
  ...(["mail-address", "workspace-mail", "account-mail", "recipient-mail"] as const),
];

export function familyWindowMs(family: RouteFamily): number {
  if (DAY_FAMILIES.includes(family)) return DAY_MS;
  return SLOW_FAMILIES.includes(family) ? LIMITS.signInWindowMs : LIMITS.rateLimitWindowMs;
}

/**
 * Further windows of clients whom no key names, beside their family's. A client chooses its address within its network,
 * and often its network within a prefix that was given to it: an IPv4 /24, an IPv6 /48 (a `site`, RFC 6177) or, to a
 * provider, an IPv6 /32 (an `allocation`). What a person needs is small, so that each wider prefix has a small multiple:
 * many share an address (an office, a carrier's NAT), and few of them begin in the same hour. Overridden as the families.
 * Those of an address and of links count what a client does to that one address or link, so that no customer of a
 * provider uses up what everybody shares.
 */
export const CLIENT_WINDOWS = {
  /** Trials that begin: 5 credits each. A team that looks around in one room has enough; a farm of clients has 150 a day. */
  "trial-hour": { limit: 10, windowMs: HOUR_MS, by: "network" },
  "trial-day": { limit: 30, windowMs: DAY_MS, by: "network" },
  "trial-site-hour": { limit: 40, windowMs: HOUR_MS, by: "site" },
  "trial-site-day": { limit: 120, windowMs: DAY_MS, by: "site" },
  "trial-allocation-hour": { limit: 400, windowMs: HOUR_MS, by: "allocation" },
  "trial-allocation-day": { limit: 1_200, windowMs: DAY_MS, by: "allocation" },
  /** An account is for good and may own workspaces that keep files: a day's new ones are bounded, too. */
  "sign-up-day": { limit: 40, windowMs: DAY_MS, by: "network" },
  "sign-up-site-day": { limit: 160, windowMs: DAY_MS, by: "site" },
  "sign-up-allocation-day": { limit: 1_600, windowMs: DAY_MS, by: "allocation" },
  /** Guesses. Wide enough that one guesser in it does not keep a whole company out. */
  "sign-in-site": { limit: 200, windowMs: LIMITS.signInWindowMs, by: "site" },
  "sign-in-allocation": { limit: 2_000, windowMs: LIMITS.signInWindowMs, by: "allocation" },
  /** Of the mails that strangers may have sent to an address (`mail-address`): they are used up by six sites, not by one. */
  "mail-address-site": { limit: 2, windowMs: DAY_MS, by: "site" },
  "mail-address-allocation": { limit: 4, windowMs: DAY_MS, by: "allocation" },
  /** Visits of a link. All visitors share no window, so none keeps the others out. */
  "link-visits-site": { limit: 1_200, windowMs: LIMITS.rateLimitWindowMs, by: "site" },
  "link-visits-allocation": { limit: 6_000, windowMs: LIMITS.rateLimitWindowMs, by: "allocation" },
  /** Downloads by the links of a pack, of which all clients share `downloads`. */
  "link-downloads-site": { limit: 120, windowMs: LIMITS.rateLimitWindowMs, by: "site" },
  "link-downloads-allocation": { limit: 240, windowMs: LIMITS.rateLimitWindowMs, by: "allocation" },
  /** Comments on a link, which takes `commentsPerShareMax` in all. */
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
 * Jobs of a workspace that were given back, in the hour before a new one is asked for. What is drawn until an output
 * fails costs as much as what is paid, so that without a bound whoever sends inputs that fail would draw for nothing; and
 * each cancelled job leaves its rows. A person who tries out what fits fails a few times; beyond that something is
 * wrong that another job does not mend. Counted from the jobs themselves, so that nothing is forgotten.
 */
export const JOB_WINDOWS = {
  "failed-jobs": { limit: 20, windowMs: HOUR_MS },
  "canceled-jobs": { limit: 200, windowMs: HOUR_MS },
} as const;
export type JobWindow = keyof typeof JOB_WINDOWS;

/** Whatever has a window. */
export type WindowName = RouteFamily | ClientWindow | JobWindow;
export const WINDOW_NAMES: readonly string[] = [
  ...Object.keys(ROUTE_FAMILIES),
  ...Object.keys(CLIENT_WINDOWS),
  ...Object.keys(JOB_WINDOWS),
];

/** Windows that each isolate counts for itself. */
export const ISOLATE_WINDOWS = ["refused-keys", "agent-messages", "undrawn-images"] as const;

/** The variable that overrides a window's limit, as RATE_LIMIT_TRIAL_HOUR. */
export const windowVariable = (window: string): `RATE_LIMIT_${string}` =>
  `RATE_LIMIT_${window.toUpperCase().replaceAll("-", "_")}`;

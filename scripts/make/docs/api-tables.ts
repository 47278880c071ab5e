/** Generated tables of docs/api.md: errors, limits, rate-limit windows, prices, slots and scopes. */
import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import { ERRORS } from "#api/errors.ts";
import {
  CLIENT_WINDOWS,
  familyWindowMs,
  JOB_WINDOWS,
  LIMITS,
  ROUTE_FAMILIES,
  type RouteFamily,
} from "#api/limits.ts";
import { CREDITS_PER_SIZE } from "#api/prices.ts";
import { SCOPES, TRIAL_SCOPES } from "#api/scopes.ts";
import { SLOTS } from "#api/slots.ts";
import { code, codes, count, table } from "./markdown-table.ts";

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** A duration in its largest whole unit. */
function duration(ms: number): string {
  const [name, unitMs] = UNITS.find(([, each]) => ms % each === 0) ?? ["millisecond", 1];
  const amount = ms / unitMs;
  return `${count(amount)} ${name}${amount === 1 ? "" : "s"}`;
}

const LIMIT_ROWS: readonly (readonly [what: string, limit: string])[] = [
  ["bytes of an upload", count(LIMITS.uploadBytesMax)],
  ["edge of a picture", `${count(LIMITS.imageEdgePxMax)} pixels`],
  ["area of a picture", `${count(LIMITS.imageAreaPxMax)} pixels`],
  ["bytes of a JSON body", count(LIMITS.jsonBodyBytesMax)],
  ["bytes of an agent's message", count(LIMITS.agentMessageBytesMax)],
  ["bytes of a file in an agent's message", count(LIMITS.agentFileBytesMax)],
  [
    "pictures in an answer to an agent, and their total bytes",
    `${LIMITS.agentPicturesMax}, ${count(LIMITS.agentPicturesBytesMax)} bytes`,
  ],
  ["items of a page (`limit`)", `1 to ${LIMITS.pageSizeMax}; ${LIMITS.pageSizeDefault} when absent`],
  ["characters of an Idempotency-Key", `1 to ${LIMITS.idempotencyKeyCharactersMax}`],
  ["characters of an X-Request-ID", `1 to ${LIMITS.requestIdCharactersMax}`],
  ["characters of a file name", `1 to ${LIMITS.fileNameCharactersMax}`],
  ["characters of a key's name", `1 to ${LIMITS.keyNameCharactersMax}`],
  ["brands of a workspace", count(LIMITS.brandsPerWorkspaceMax)],
  ["signing secrets of a workspace's image URLs", count(LIMITS.imageSecretsPerWorkspaceMax)],
  ["new images of a workspace by URL per minute", count(LIMITS.newImagesPerMinute)],
  ["new images of a workspace by URL in 24 hours", count(LIMITS.newImagesPerDay)],
  ["characters of an image URL", count(LIMITS.imageUrlCharactersMax)],
  ["characters of a pack's name", `1 to ${LIMITS.jobNameCharactersMax}`],
  ["characters of a brand's name", `1 to ${LIMITS.brandNameCharactersMax}`],
  ["characters of a client marker", count(LIMITS.clientMarkerCharactersMax)],
  [
    "characters of headline, subheadline",
    `${LIMITS.copyHeadlineCharactersMax}, ${LIMITS.copySubheadlineCharactersMax}`,
  ],
  ["characters of cta, disclaimer", `${LIMITS.copyCtaCharactersMax}, ${LIMITS.copyDisclaimerCharactersMax}`],
  [
    "characters of price, oldPrice, badge",
    `${LIMITS.copyPriceCharactersMax}, ${LIMITS.copyPriceCharactersMax}, ${LIMITS.copyBadgeCharactersMax}`,
  ],
  ["characters of a language tag", count(LIMITS.languageTagCharactersMax)],
  ["font files for the text of a request", count(LIMITS.libraryFontsMax)],
  ["sizes of a job", count(LIMITS.sizesPerJobMax)],
  ["assets of a workspace", count(LIMITS.assetsPerWorkspaceMax.standard)],
  ["assets of a trial, or of a workspace that never paid", count(LIMITS.assetsPerWorkspaceMax.unpaid)],
  ["bytes of all assets of a trial, or of a workspace that never paid", count(LIMITS.assetBytesUnpaidMax)],
  ["active keys of a workspace", count(LIMITS.activeKeysPerWorkspaceMax)],
  ["generations of keys created by keys", count(LIMITS.keyGenerationsMax)],
  ["credits of a key's budget", `1 to ${count(LIMITS.keyBudgetCreditsMax)}`],
  ["days of a usage summary", count(LIMITS.usageSummaryDaysMax)],
  ["rows of a page of a usage summary", count(LIMITS.usageSummaryRows)],
  ["payments that a statement lists", count(LIMITS.statementPaymentsMax)],
  ["purchases that a workspace begins per day", count(LIMITS.ordersPerDayMax)],
  ["share links of a pack", count(LIMITS.sharesPerArtifactMax)],
  ["characters of a link's name", `1 to ${LIMITS.shareNameCharactersMax}`],
  ["comments of a share link", count(LIMITS.commentsPerShareMax)],
  ["characters of a comment", count(LIMITS.commentCharactersMax)],
  ["characters of a visitor's name", `1 to ${LIMITS.visitorNameCharactersMax}`],
  ["retention of comments after a link has ended", duration(LIMITS.shareRetentionMs)],
  ["lifetime of a session's key", duration(LIMITS.sessionKeyLifetimeMs)],
  ["lookups of refused keys per minute, network and isolate", count(LIMITS.refusedKeysPerWindowMax)],
  ["keys of a session per workspace", count(LIMITS.keysPerSessionMax)],
  ["key memory: time for which reads may accept an ended key", duration(LIMITS.keyMemoryMs)],
  ["characters of a password", `${LIMITS.passwordCharactersMin} to ${LIMITS.passwordCharactersMax}`],
  ["workspaces that an account owns", count(LIMITS.workspacesPerAccountMax)],
  ["workspaces that an account is a member of", count(LIMITS.membershipsPerAccountMax)],
  ["members and open invitations of a workspace", count(LIMITS.membersPerWorkspaceMax)],
  ["sessions of an account", count(LIMITS.sessionsPerAccountMax)],
  ["lifetime of an unused session", duration(LIMITS.sessionLifetimeMs)],
  ["lifetime of an invitation", duration(LIMITS.invitationLifetimeMs)],
  ["credits of a trial", count(LIMITS.trialCredits)],
  ["lifetime of a trial", duration(LIMITS.trialLifetimeMs)],
  ["lifetime of an upload intent", duration(LIMITS.uploadIntentLifetimeMs)],
  ["wait of an order for files given by URL", duration(LIMITS.orderImportsWaitMsMax)],
  ["wait of a request with `Prefer: wait`", duration(LIMITS.preferredWaitSecondsMax * 1_000)],
  ["redirects of an import", count(LIMITS.importRedirectsMax)],
  ["timeout of an import attempt, with redirects and body", duration(LIMITS.importTimeoutMs)],
  ["attempts of an import", count(LIMITS.importAttemptsMax)],
  ["concurrent imports of a workspace", count(LIMITS.importsAtOncePerWorkspaceMax)],
  ["concurrent imports of a trial, or of a workspace that never paid", count(LIMITS.importsAtOnceUnpaidMax)],
  ["lifetime of an import", duration(LIMITS.importLifetimeMs)],
  ["lifetime of a download link", duration(LIMITS.downloadLinkLifetimeMs)],
  ["lifetime of a download link for an agent", duration(LIMITS.agentLinkLifetimeMs)],
  ["retention of a deleted asset's bytes", duration(LIMITS.deletedAssetRetentionMs)],
  ["retention of a deleted or rejected asset's row", duration(LIMITS.deadAssetRetentionMs)],
  ["retention of an artifact's files, if paid by credits", duration(LIMITS.artifactRetentionMs.credits)],
  [
    "retention of an artifact's files, if paid by a subscription",
    duration(LIMITS.artifactRetentionMs.subscription),
  ],
  ["retention of an artifact's files, with unlimited access", duration(LIMITS.artifactRetentionMs.unlimited)],
  ["retention of an artifact's files, with a test key", duration(LIMITS.artifactRetentionMs.test)],
  ["retention of a test job and its Idempotency-Key", duration(LIMITS.testJobRetentionMs)],
  ["outputs of a workspace's test keys per UTC day", count(LIMITS.testOutputsPerDay)],
  ["retention of the Idempotency-Key of a preview", duration(LIMITS.previewIdempotencyMs)],
  ["retention of an Idempotency-Key of neither a job nor a preview", duration(LIMITS.idempotencyRetentionMs)],
  ["wait for an identical request in progress", duration(LIMITS.idempotencyWaitMsMax)],
  ["wait for an identical preview in progress", duration(LIMITS.previewWaitMsMax)],
  ["`Retry-After` of a job that has not ended", `${LIMITS.jobPollAfterSeconds} seconds`],
  ["`Retry-After` of an import that has not ended", `${LIMITS.importPollAfterSeconds} seconds`],
  ["previews of a workspace per UTC day", count(LIMITS.previewsPerDay.standard)],
  ["previews of a workspace with unlimited access per UTC day", count(LIMITS.previewsPerDay.unlimited)],
  ["similar previews of an unpaid workspace per UTC day (API §13.8)", count(LIMITS.similarPreviewsPerDay)],
  ["previews of a key per minute", count(LIMITS.previewsPerBurst)],
  ["retention of a preview", duration(LIMITS.previewCacheMs)],
  ["attempts of an output", count(LIMITS.partAttemptsMax)],
  ["destinations of a workspace", count(DELIVERY_LIMITS.destinationsPerWorkspaceMax)],
  ["open deliveries of a destination", count(DELIVERY_LIMITS.openPerDestinationMax)],
  ["concurrent attempts of a destination", count(DELIVERY_LIMITS.attemptsAtOncePerDestinationMax)],
  ["concurrent attempts of a workspace", count(DELIVERY_LIMITS.attemptsAtOncePerWorkspaceMax)],
  ["bytes of a webhook's message about a delivered pack", count(DELIVERY_LIMITS.webhookMessageBytesMax)],
  ["timeout of a webhook's answer", duration(DELIVERY_LIMITS.webhookTimeoutMs)],
  ["validity of the old signing secret after a rotation", duration(DELIVERY_LIMITS.secretOverlapMs)],
  ["retention of an ended delivery", duration(DELIVERY_LIMITS.retentionMs)],
];

const windowRows = (windows: Readonly<Record<string, { limit: number; windowMs: number; by?: string }>>) =>
  Object.entries(windows).map(([name, { limit, windowMs, by }]) => [
    code(name),
    count(limit),
    duration(windowMs),
    ...(by === undefined ? [] : [by]),
  ]);

const FAMILIES = Object.keys(ROUTE_FAMILIES) as RouteFamily[];

const familyRows = FAMILIES.map((family) => [
  code(family),
  count(ROUTE_FAMILIES[family]),
  duration(familyWindowMs(family)),
]);

const errorEntries = Object.entries(ERRORS);
const errorRows = [...new Set(errorEntries.map(([, { status }]) => status))]
  .sort((left, right) => left - right)
  .map((status) => {
    const ofStatus = errorEntries.filter(([, rule]) => rule.status === status);
    const which = (isSafe: boolean) =>
      codes(ofStatus.filter(([, rule]) => rule.safeToRetryUnchanged === isSafe).map(([name]) => name)) || "–";
    return [String(status), which(false), which(true)];
  });

/** Tables by their name in `<!-- generated: NAME -->` of docs/api.md. */
export const API_TABLES: Readonly<Record<string, string>> = {
  prices: table(
    ["motion", "credits for a size"],
    Object.entries(CREDITS_PER_SIZE).map(([motion, credits]) => [code(motion), String(credits)]),
  ),
  slots: table(
    ["slot", "accepts", "minimum short edge", "requires", "excludes"],
    Object.entries(SLOTS).map(([slotId, { accepts, shortEdgeMinPx, requires, excludes }]) => [
      code(slotId),
      accepts.join(", "),
      shortEdgeMinPx === null ? "–" : `${shortEdgeMinPx} pixels`,
      codes(requires) || "–",
      codes(excludes) || "–",
    ]),
  ),
  scopes: table(
    ["scope", "of a trial key"],
    SCOPES.map((scope) => [code(scope), TRIAL_SCOPES.includes(scope) ? "yes" : "no"]),
  ),
  errors: table(["status", "change the request, or the state", "may be sent again unchanged"], errorRows),
  limits: table(["what", "limit"], LIMIT_ROWS),
  families: table(["family", "requests", "window"], familyRows),
  clients: table(["window", "requests", "length", "counted by"], windowRows(CLIENT_WINDOWS)),
  jobs: table(["window", "jobs", "length"], windowRows(JOB_WINDOWS)),
};

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
    "pictures in an answer to an agent",
    `${LIMITS.agentPicturesMax}, ${count(LIMITS.agentPicturesBytesMax)} bytes`,
  ],
  ["items of a page (`limit`)", `1 to ${LIMITS.pageSizeMax}; ${LIMITS.pageSizeDefault} when absent`],
  ["characters of an Idempotency-Key", `1 to ${LIMITS.idempotencyKeyCharactersMax}`],
  ["characters of an X-Request-ID", `1 to ${LIMITS.requestIdCharactersMax}`],
  ["characters of a file name", `1 to ${LIMITS.fileNameCharactersMax}`],
  ["characters of a key's name", `1 to ${LIMITS.keyNameCharactersMax}`],
  ["brands of a workspace", count(LIMITS.brandsPerWorkspaceMax)],
  ["signing secrets of image URLs of a workspace", count(LIMITS.imageSecretsPerWorkspaceMax)],
  ["new images by URL in a minute, of a workspace", count(LIMITS.newImagesPerMinute)],
  ["new images by URL in 24 hours, of a workspace", count(LIMITS.newImagesPerDay)],
  ["image URL, in characters", count(LIMITS.imageUrlCharactersMax)],
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
  ["font files that the words of a request need", count(LIMITS.libraryFontsMax)],
  ["sizes of a job", count(LIMITS.sizesPerJobMax)],
  ["assets of a workspace", count(LIMITS.assetsPerWorkspaceMax.standard)],
  ["assets of a workspace that never paid, or a trial", count(LIMITS.assetsPerWorkspaceMax.unpaid)],
  ["bytes of assets of such a workspace", count(LIMITS.assetBytesUnpaidMax)],
  ["active keys of a workspace", count(LIMITS.activeKeysPerWorkspaceMax)],
  ["generations of keys that made keys", count(LIMITS.keyGenerationsMax)],
  ["credits of a key's budget", `1 to ${count(LIMITS.keyBudgetCreditsMax)}`],
  ["days of a usage summary", count(LIMITS.usageSummaryDaysMax)],
  ["rows of a page of it", count(LIMITS.usageSummaryRows)],
  ["payments that a statement lists", count(LIMITS.statementPaymentsMax)],
  ["purchases that a workspace begins in a day", count(LIMITS.ordersPerDayMax)],
  ["share links of a pack", count(LIMITS.sharesPerArtifactMax)],
  ["characters of a link's name", `1 to ${LIMITS.shareNameCharactersMax}`],
  ["comments of a share link", count(LIMITS.commentsPerShareMax)],
  ["characters of a comment", count(LIMITS.commentCharactersMax)],
  ["characters of a visitor's name", `1 to ${LIMITS.visitorNameCharactersMax}`],
  ["comments after a link has ended", duration(LIMITS.shareRetentionMs)],
  ["key of a session", duration(LIMITS.sessionKeyLifetimeMs)],
  ["lookups of refused keys, a minute", count(LIMITS.refusedKeysPerWindowMax)],
  ["keys of a session for a workspace", count(LIMITS.keysPerSessionMax)],
  ["key memory: reads after a key has ended", duration(LIMITS.keyMemoryMs)],
  ["characters of a password", `${LIMITS.passwordCharactersMin} to ${LIMITS.passwordCharactersMax}`],
  ["workspaces that an account owns", count(LIMITS.workspacesPerAccountMax)],
  ["workspaces that an account is in", count(LIMITS.membershipsPerAccountMax)],
  ["members and open invitations of a workspace", count(LIMITS.membersPerWorkspaceMax)],
  ["sessions of an account", count(LIMITS.sessionsPerAccountMax)],
  ["session without use", duration(LIMITS.sessionLifetimeMs)],
  ["invitation", duration(LIMITS.invitationLifetimeMs)],
  ["credits of a trial", count(LIMITS.trialCredits)],
  ["trial", duration(LIMITS.trialLifetimeMs)],
  ["upload intent", duration(LIMITS.uploadIntentLifetimeMs)],
  ["wait of an order for files that it names by address", duration(LIMITS.orderImportsWaitMsMax)],
  ["wait of a request that prefers one (`Prefer`)", duration(LIMITS.preferredWaitSecondsMax * 1_000)],
  ["redirects of an import", count(LIMITS.importRedirectsMax)],
  ["time for the request of an import", duration(LIMITS.importTimeoutMs)],
  ["attempts of an import", count(LIMITS.importAttemptsMax)],
  ["imports at work of a workspace", count(LIMITS.importsAtOncePerWorkspaceMax)],
  ["the same of a trial, or if it never paid", count(LIMITS.importsAtOnceUnpaidMax)],
  ["import", duration(LIMITS.importLifetimeMs)],
  ["download link", duration(LIMITS.downloadLinkLifetimeMs)],
  ["download link of an agent", duration(LIMITS.agentLinkLifetimeMs)],
  ["bytes of a deleted asset", duration(LIMITS.deletedAssetRetentionMs)],
  ["row of a deleted or rejected asset", duration(LIMITS.deadAssetRetentionMs)],
  ["files of an artifact, paid by credits", duration(LIMITS.artifactRetentionMs.credits)],
  ["files of an artifact, paid by a subscription", duration(LIMITS.artifactRetentionMs.subscription)],
  ["files of an artifact, with unlimited access", duration(LIMITS.artifactRetentionMs.unlimited)],
  ["files of an artifact of a test key", duration(LIMITS.artifactRetentionMs.test)],
  ["test job, and its Idempotency-Key", duration(LIMITS.testJobRetentionMs)],
  ["outputs of a workspace's test keys a UTC day", count(LIMITS.testOutputsPerDay)],
  ["Idempotency-Key of a preview", duration(LIMITS.previewIdempotencyMs)],
  ["Idempotency-Key of anything else but a job", duration(LIMITS.idempotencyRetentionMs)],
  ["wait of the second of two equal requests", duration(LIMITS.idempotencyWaitMsMax)],
  ["wait of the second of two equal previews", duration(LIMITS.previewWaitMsMax)],
  ["`Retry-After` of a job that has not ended", `${LIMITS.jobPollAfterSeconds} seconds`],
  ["`Retry-After` of an import that has not ended", `${LIMITS.importPollAfterSeconds} seconds`],
  ["previews of a workspace a UTC day", count(LIMITS.previewsPerDay.standard)],
  ["the same with unlimited access", count(LIMITS.previewsPerDay.unlimited)],
  ["the same of pictures that look the same (API §13.8)", count(LIMITS.alikePreviewsPerDay)],
  ["previews of a key a minute", count(LIMITS.previewsPerBurst)],
  ["kept preview", duration(LIMITS.previewCacheMs)],
  ["attempts of an output", count(LIMITS.partAttemptsMax)],
  ["destinations of a workspace", count(DELIVERY_LIMITS.destinationsPerWorkspaceMax)],
  ["open deliveries of a destination", count(DELIVERY_LIMITS.openPerDestinationMax)],
  ["attempts at once of a destination", count(DELIVERY_LIMITS.attemptsAtOncePerDestinationMax)],
  ["attempts at once of a workspace", count(DELIVERY_LIMITS.attemptsAtOncePerWorkspaceMax)],
  ["bytes of a webhook's message", count(DELIVERY_LIMITS.webhookMessageBytesMax)],
  ["wait for a webhook's answer", duration(DELIVERY_LIMITS.webhookTimeoutMs)],
  ["overlap of a rotated signing secret", duration(DELIVERY_LIMITS.secretOverlapMs)],
  ["ended delivery", duration(DELIVERY_LIMITS.retentionMs)],
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

/** Tables by the name of their mark in docs/api.md. */
export const API_TABLES: Readonly<Record<string, string>> = {
  prices: table(
    ["motion", "credits for a size"],
    Object.entries(CREDITS_PER_SIZE).map(([motion, credits]) => [code(motion), String(credits)]),
  ),
  slots: table(
    ["slot", "accepts", "least short edge", "requires", "excludes"],
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

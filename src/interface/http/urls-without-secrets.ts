import { AUDIT_TYPES } from "#api/audit-types.ts";
import { OAUTH_PROVIDERS } from "#api/oauth-providers.ts";
import { AUDIT_CURSOR } from "#api/schemas/audit.ts";
import { motionSchema } from "#api/schemas/catalogue.ts";
import { DELIVERY_CURSOR } from "#api/schemas/delivery.ts";
import { APPROVALS } from "#api/schemas/pack-state.ts";
import { SLOT_IDS } from "#api/slots.ts";
import { CONTRACTS } from "#catalogue/contracts.ts";

/**
 * URLs that contain no secret: only literals of the routes, ids that the service makes, and query parameters with
 * times, numbers or known names. Anything else may be a secret: a signed link's token, a provider's code, a key pasted
 * in the wrong place. So free text in a new route counts as secret by default.
 */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const oneOf = (words: readonly string[]) => {
  const known = new Set(words);
  return (text: string): boolean => known.has(text);
};
const like = (pattern: RegExp) => (text: string) => pattern.test(text);

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The id of a ledger event or key, a time, a day, or a Stripe id of a payment, invoice or charge. */
const IDS_AND_TIMES = [/^\d{1,15}$/, UUID, /^[\d:.TZ-]{20,30}$/, DAY, /^(pi|in|ch|py)_[A-Za-z0-9]{1,60}$/];

/** The number of a ledger event, and a suffix that distinguishes events with the same number. */
const LEDGER_CURSOR = /^\d{1,15}-\d{1,15}-[0-9a-f]{8}$/;

const CURSORS = [...IDS_AND_TIMES, LEDGER_CURSOR, DELIVERY_CURSOR, AUDIT_CURSOR];

const isContractId = oneOf(CONTRACTS.map(({ contractId }) => contractId));

/** A part of a usage summary's cursor: a day, a key, a contract. */
const isPartOfSummaryCursor = (part: string): boolean =>
  DAY.test(part) || UUID.test(part) || isContractId(part);

/** Query parameters whose valid values are not secret. */
const QUERY_VALUES: Readonly<Record<string, (value: string) => boolean>> = {
  approval: oneOf(APPROVALS),
  brandId: like(UUID),
  limit: like(/^\d{1,3}$/),
  before: (value) =>
    CURSORS.some((cursor) => cursor.test(value)) || value.split("~").every(isPartOfSummaryCursor),
  cascade: oneOf(["true", "false"]),
  format: oneOf(["json", "csv"]),
  from: like(DAY),
  groupBy: like(/^[a-z,]{0,20}$/),
  month: like(/^\d{4}-\d{2}$/),
  to: like(DAY),
  // `contractId` and `search` are free text.
  motion: oneOf(motionSchema.options),
  parentKeyId: like(UUID),
  renderFingerprint: like(/^[0-9a-f]{64}$/),
  sha256: like(/^[0-9a-f]{64}$/),
  slotId: oneOf(SLOT_IDS),
  status: like(/^[a-z]{1,20}$/),
  type: oneOf(AUDIT_TYPES),
  uploadId: like(UUID),
  versionOf: like(UUID),
};

/** Returns a function that tells whether an absolute URL contains no secret, given the application's paths. */
export function plainAddressesOf(paths: Iterable<string>): (url: string) => boolean {
  const literals = [...paths].flatMap((path) => path.split("/").filter((part) => !part.startsWith(":")));
  const isKnownWord = oneOf([
    ...literals,
    ...CONTRACTS.map(({ contractId }) => contractId),
    ...OAUTH_PROVIDERS,
  ]);
  return (url) => {
    const [address = "", query = ""] = url.slice(url.indexOf("/", url.indexOf("//") + 2)).split("?", 2);
    if (url.indexOf("?") !== url.lastIndexOf("?")) return false;
    if (!address.split("/").every((part) => isKnownWord(part) || UUID.test(part))) return false;
    return [...new URLSearchParams(query)].every(
      ([name, value]) => Object.hasOwn(QUERY_VALUES, name) && QUERY_VALUES[name]?.(value) === true,
    );
  };
}

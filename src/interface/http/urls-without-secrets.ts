import { AUDIT_TYPES } from "#api/audit-types.ts";
import { OAUTH_PROVIDERS } from "#api/oauth-providers.ts";
import { AUDIT_CURSOR } from "#api/schemas/audit.ts";
import { motionSchema } from "#api/schemas/catalogue.ts";
import { DELIVERY_CURSOR } from "#api/schemas/delivery.ts";
import { APPROVALS } from "#api/schemas/pack-state.ts";
import { SLOT_IDS } from "#api/slots.ts";
import { CONTRACTS } from "#catalogue/contracts.ts";

/**
 * Addresses that hold no secret: those made only of literals of the routes, of ids that the service makes, and of query
 * parameters whose values are times, numbers or names of ours. Anything else may be a secret: a signed link's token, a
 * provider's code, a key that somebody pasted into the wrong place. So the free text of a new route counts as secret.
 */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const oneOf = (words: readonly string[]) => {
  const known = new Set(words);
  return (text: string): boolean => known.has(text);
};
const like = (pattern: RegExp) => (text: string) => pattern.test(text);

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The id of a ledger event, a key's id, a time, a day, or what Stripe calls a payment, an invoice or a charge. */
const IDS_AND_TIMES = [/^\d{1,15}$/, UUID, /^[\d:.TZ-]{20,30}$/, DAY, /^(pi|in|ch|py)_[A-Za-z0-9]{1,60}$/];

/** The number of a ledger event, and what tells it apart from others of the same number. */
const LEDGER_CURSOR = /^\d{1,15}-\d{1,15}-[0-9a-f]{8}$/;

const CURSORS = [...IDS_AND_TIMES, LEDGER_CURSOR, DELIVERY_CURSOR, AUDIT_CURSOR];

const isContractId = oneOf(CONTRACTS.map(({ contractId }) => contractId));

/** What a row of a usage summary stands for: a day, a key, a contract. */
const isPartOfSummaryCursor = (part: string): boolean =>
  DAY.test(part) || UUID.test(part) || isContractId(part);

/** Query parameters whose valid values are no secrets. */
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

/** Whether an absolute address holds no secret, for an application with these paths. */
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

import { base64ToUint8Array } from "uint8array-extras";
import { LIMITS } from "#api/limits.ts";
import type { OAuthProvider } from "#api/oauth-providers.ts";
import type { SigningKeys } from "../crypto/signed-token.ts";
import { type Databases, readDatabases } from "../databases/databases.ts";
import { DIRECTORY, type Home, type ShardName } from "../databases/shard-name.ts";
import { secureOriginOf, webOriginOf } from "../outbound/web-origin.ts";
import { type Env, overridden } from "./env.ts";
import { type Offer, readOffers } from "./offers.ts";

export interface OAuthApplication {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Keys that sign links, and the shard that the links name. `home` is absent for workspaces in `DB`. */
export interface LinkKeys extends SigningKeys {
  readonly home?: ShardName;
}

export interface AccountService {
  /** Always `DB`, even for workspaces on a shard. */
  readonly db: D1Database;
  readonly databases: Databases;
  /** Signs the cookies. */
  readonly secret: string;
  /** Further origins whose pages may act for a signed-in account. */
  readonly trustedOrigins: readonly string[];
  readonly oauth: Readonly<Record<OAuthProvider, OAuthApplication | null>>;
}

/** Dependencies of requests to customers' addresses. */
interface Outward {
  readonly queue: Queue;
  /** The key that encrypts customers' secrets and addresses, and its predecessor, which only decrypts. */
  readonly encryption: { readonly current: Uint8Array; readonly previous: Uint8Array | null };
  readonly addressRules: { readonly isLoopbackOpen: boolean };
}

/** Delivery of mail: the platform's own binding, or a provider over HTTP. */
export type MailProvider =
  | { readonly kind: "binding"; readonly binding: SendEmail }
  | { readonly kind: "http"; readonly apiKey: string; readonly origin: string };

export interface MailService {
  readonly queue: Queue;
  readonly from: string;
  /** Origin of links in emails, which are sent without a request. */
  readonly origin: string;
  readonly provider: MailProvider;
  /** Keys that encrypt links which grant access. */
  readonly encryption: { readonly current: Uint8Array; readonly previous: Uint8Array | null };
  /** Verifies the provider's reports of bounces; null if not configured. */
  readonly webhookSecret: string | null;
}

export interface BillingService {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Origin of Stripe's API; null for Stripe's own. */
  readonly apiOrigin: string | null;
  readonly offers: readonly Offer[];
}

/** Services of this origin, read once from its bindings and secrets. Null: not configured. */
export interface Capabilities {
  /** The workspace database, and the peppers of API key hashes: two during a rotation of the pepper. */
  readonly database: {
    /** `DB`, or the shard that `capabilitiesAt` chose. */
    readonly db: D1Database;
    readonly home: Home;
    readonly databases: Databases;
    readonly keyPepper: string;
    readonly keyPepperPrevious: string | null;
    /** Signs the check characters of new keys; null if these are a plain CRC. */
    readonly keyCheckSecret: string | null;
    readonly keyCheckSecretPrevious: string | null;
    /** Maximum number of this database's messages in the render queue, shared by its workspaces. */
    readonly queuedMessagesMax: number;
  } | null;
  readonly storage: R2Bucket | null;
  readonly queue: Queue | null;
  /** The queue of videos, required for MP4 orders. */
  readonly videos: Queue | null;
  readonly rateLimit: NonNullable<Env["RATE_LIMIT_WINDOW"]> | null;
  readonly idempotency: NonNullable<Env["IDEMPOTENCY_LOCK"]> | null;
  readonly previewQuota: NonNullable<Env["PREVIEW_QUOTA"]> | null;
  /** The key that signs links, and its predecessor, whose links work until they expire. */
  readonly downloadSigning: LinkKeys | null;
  readonly trialSecret: string | null;
  readonly accounts: AccountService | null;
  /** Sends artifacts and messages to customers. */
  readonly deliveries: Outward | null;
  /** Fetches assets from customers' addresses. */
  readonly imports: Outward | null;
  readonly mail: MailService | null;
  /** The queue of messages that start a shard's sweeps, or a task across databases. */
  readonly sweeps: Queue | null;
  readonly billing: BillingService | null;
  /** Sends a message to the operator's webhook when a figure changes between `ok` and `alert`. */
  readonly alerts: AlertService | null;
  /** Secret of `GET /health/deep`. */
  readonly healthSecret: string | null;
}

export interface AlertService {
  readonly url: URL;
  /** Secret that signs the alerts: `whsec_` followed by base64. */
  readonly secret: string;
}

export type Capability = keyof Capabilities;

/** Shorter secrets can be guessed, so they count as missing. */
export const SECRET_CHARACTERS_MIN = 32;

/** The secret if it is long enough, otherwise null. */
export const usableSecret = (value: string | undefined): string | null =>
  value !== undefined && value.length >= SECRET_CHARACTERS_MIN ? value : null;

const ENCRYPTION_KEY_BYTES = 32;

/** The bytes of a base64 key of the right length, otherwise null. */
export function encryptionKeyOf(text: string | undefined): Uint8Array | null {
  if (text === undefined || !/^[A-Za-z0-9+/]{43}=$/.test(text)) return null;
  const bytes = base64ToUint8Array(text);
  return bytes.byteLength === ENCRYPTION_KEY_BYTES ? bytes : null;
}

/**
 * Whether ALLOW_LOOPBACK_DELIVERIES is set outside a local run, where deliveries could then reach the origin's own
 * network.
 */
export function isLoopbackRefused({ ALLOW_LOOPBACK_DELIVERIES: asked, ENVIRONMENT }: Env): boolean {
  const isLoopbackAsked = asked !== undefined && asked !== "" && asked !== "false";
  return isLoopbackAsked && ENVIRONMENT !== "local";
}

function readOutward(env: Env, queue: Queue | undefined): Outward | null {
  const current = encryptionKeyOf(env.DELIVERY_ENCRYPTION_KEY);
  if (isLoopbackRefused(env) || !queue || current === null) return null;
  return {
    queue,
    encryption: { current, previous: encryptionKeyOf(env.DELIVERY_ENCRYPTION_KEY_PREVIOUS) },
    addressRules: { isLoopbackOpen: env.ALLOW_LOOPBACK_DELIVERIES === "true" },
  };
}

const MAIL_API_DEFAULT = "https://api.resend.com";

function readMailProvider(env: Env): MailProvider | null {
  if (env.EMAIL) return { kind: "binding", binding: env.EMAIL };
  const origin = secureOriginOf(env.MAIL_API_URL ?? MAIL_API_DEFAULT);
  return env.MAIL_API_KEY && origin !== null ? { kind: "http", apiKey: env.MAIL_API_KEY, origin } : null;
}

function readMailService(env: Env): MailService | null {
  const current = encryptionKeyOf(env.DELIVERY_ENCRYPTION_KEY);
  const provider = readMailProvider(env);
  const origin = webOriginOf(env.PUBLIC_ORIGIN ?? "");
  if (!env.MAIL_QUEUE || !env.MAIL_FROM || current === null || provider === null || origin === null)
    return null;
  return {
    queue: env.MAIL_QUEUE,
    from: env.MAIL_FROM,
    origin,
    provider,
    encryption: { current, previous: encryptionKeyOf(env.DELIVERY_ENCRYPTION_KEY_PREVIOUS) },
    webhookSecret: env.MAIL_WEBHOOK_SECRET ?? null,
  };
}

/**
 * Whether STRIPE_API_URL is refused: it is not an origin, or it is set outside a local run, where it would leak the
 * secret key to that host.
 */
export const isStripeAddressRefused = ({ STRIPE_API_URL: address, ENVIRONMENT }: Env): boolean =>
  address !== undefined && address !== "" && (ENVIRONMENT !== "local" || webOriginOf(address) === null);

function readBillingService(env: Env): BillingService | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = env;
  const offers = readOffers(env.BILLING_OFFERS);
  if (!secretKey || !webhookSecret || offers === null || isStripeAddressRefused(env)) return null;
  return {
    secretKey,
    webhookSecret,
    apiOrigin: env.STRIPE_API_URL ? webOriginOf(env.STRIPE_API_URL) : null,
    offers,
  };
}

const ALERT_SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;

/** The secret of the operator's webhook if it is valid, otherwise null. */
export const alertSecretOf = (text: string | undefined): string | null =>
  text !== undefined && ALERT_SECRET.test(text) ? text : null;

function readAlertService({
  ALERT_WEBHOOK_URL: address = "",
  ALERT_WEBHOOK_SECRET: text,
}: Env): AlertService | null {
  const secret = alertSecretOf(text);
  return secureOriginOf(address) === null || secret === null ? null : { url: new URL(address), secret };
}

const readApplication = (
  clientId: string | undefined,
  clientSecret: string | undefined,
): OAuthApplication | null => (clientId && clientSecret ? { clientId, clientSecret } : null);

function readAccountService(env: Env): AccountService | null {
  const secret = usableSecret(env.AUTH_SECRET);
  const databases = readDatabases(env);
  if (databases === null || secret === null) return null;
  return {
    db: databases.directory,
    databases,
    secret,
    trustedOrigins: (env.ACCOUNT_TRUSTED_ORIGINS ?? "")
      .split(",")
      .map((text) => webOriginOf(text.trim()))
      .filter((origin) => origin !== null),
    oauth: {
      github: readApplication(env.OAUTH_GITHUB_CLIENT_ID, env.OAUTH_GITHUB_CLIENT_SECRET),
      google: readApplication(env.OAUTH_GOOGLE_CLIENT_ID, env.OAUTH_GOOGLE_CLIENT_SECRET),
    },
  };
}

export function readCapabilities(env: Env): Capabilities {
  const databases = readDatabases(env);
  const keyPepper = usableSecret(env.KEY_PEPPER);
  const signingKey = usableSecret(env.DOWNLOAD_SIGNING_KEY);
  return {
    database:
      databases && keyPepper
        ? {
            db: databases.directory,
            home: DIRECTORY,
            databases,
            keyPepper,
            keyPepperPrevious: usableSecret(env.KEY_PEPPER_PREVIOUS),
            keyCheckSecret: usableSecret(env.KEY_CHECK_SECRET),
            keyCheckSecretPrevious: usableSecret(env.KEY_CHECK_SECRET_PREVIOUS),
            queuedMessagesMax: overridden(env.RENDER_MESSAGES_QUEUED, LIMITS.queuedMessagesMax),
          }
        : null,
    storage: env.BUCKET ?? null,
    queue: env.RENDER_QUEUE ?? null,
    videos: env.VIDEO_QUEUE ?? null,
    rateLimit: env.RATE_LIMIT_WINDOW ?? null,
    idempotency: env.IDEMPOTENCY_LOCK ?? null,
    previewQuota: env.PREVIEW_QUOTA ?? null,
    downloadSigning: signingKey
      ? { current: signingKey, previous: usableSecret(env.DOWNLOAD_SIGNING_KEY_PREVIOUS) }
      : null,
    trialSecret: usableSecret(env.TRIAL_SECRET),
    accounts: readAccountService(env),
    deliveries: readOutward(env, env.DELIVERY_QUEUE),
    imports: readOutward(env, env.IMPORT_QUEUE),
    mail: readMailService(env),
    sweeps: env.SWEEP_QUEUE ?? null,
    billing: readBillingService(env),
    alerts: readAlertService(env),
    healthSecret: usableSecret(env.HEALTH_SECRET),
  };
}

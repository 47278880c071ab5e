import type { ShardBindings } from "../databases/databases.ts";
import type { PreviewQuotaRpc } from "./preview-quota-rpc.ts";

/** Calls to the lock of an Idempotency-Key (src/domains/idempotency/idempotency-lock.ts). */
export interface IdempotencyLockRpc extends Rpc.DurableObjectBranded {
  /** Waits up to `waitMsMax` for the lock. Returns true once `token` holds it, for at most `leaseMs`. */
  acquire(token: string, waitMsMax: number, leaseMs: number): Promise<boolean>;
  /** Passes the lock on to the next waiter. Does nothing for a token that no longer holds it. */
  release(token: string): void;
}

/**
 * Bindings and variables of wrangler.toml. All are optional: an origin without one still starts, and answers 501 to
 * requests that need it.
 */
export interface Env extends ShardBindings {
  /** The directory, and workspaces that are on no shard. */
  readonly DB?: D1Database;
  readonly BUCKET?: R2Bucket;
  readonly RENDER_QUEUE?: Queue;
  /** Queue of video jobs, so that other packs do not wait behind them. Without it, no videos are offered. */
  readonly VIDEO_QUEUE?: Queue;
  readonly DELIVERY_QUEUE?: Queue;
  readonly IMPORT_QUEUE?: Queue;
  readonly MAIL_QUEUE?: Queue;
  /** Queue of messages that start sweeps: each minute one per shard, and one per task that is due. */
  readonly SWEEP_QUEUE?: Queue;
  /** Sends mail through the platform (`send_email`). Without it, mail is sent over HTTP with MAIL_API_KEY. */
  readonly EMAIL?: SendEmail;
  readonly RATE_LIMIT_WINDOW?: DurableObjectNamespace<
    import("../durable-objects/rate-limit-window.ts").RateLimitWindow
  >;
  readonly IDEMPOTENCY_LOCK?: DurableObjectNamespace<IdempotencyLockRpc>;
  readonly PREVIEW_QUOTA?: DurableObjectNamespace<PreviewQuotaRpc>;

  /** Secret: pepper of API key hashes. */
  readonly KEY_PEPPER?: string;
  /** Secret: a second pepper, accepted during a rotation of KEY_PEPPER; see keys/README.md. */
  readonly KEY_PEPPER_PREVIOUS?: string;
  /**
   * Secret: signs the check characters of new keys, so that invented keys are refused without a database read; see
   * keys/secret.ts.
   */
  readonly KEY_CHECK_SECRET?: string;
  /**
   * Secret: the previous check secret. Only required if it begins with the same character as the current one, because
   * keys made with it would otherwise be refused.
   */
  readonly KEY_CHECK_SECRET_PREVIOUS?: string;
  /** Secret: signs download links. */
  readonly DOWNLOAD_SIGNING_KEY?: string;
  /** Secret: the previous signing key, while its links may be in use. */
  readonly DOWNLOAD_SIGNING_KEY_PREVIOUS?: string;
  /** Secret: hashes the identity of clients that claim trials. */
  readonly TRIAL_SECRET?: string;
  /** Secret: encrypts secrets of destinations and addresses of imports; base64 of 32 bytes. */
  readonly DELIVERY_ENCRYPTION_KEY?: string;
  /** Secret: the previous encryption key, while secrets encrypted with it remain. */
  readonly DELIVERY_ENCRYPTION_KEY_PREVIOUS?: string;

  /** `local` on a developer's machine; otherwise production. */
  readonly ENVIRONMENT?: string;
  /**
   * `true` allows deliveries to and imports from this machine over plain HTTP. If it is set without ENVIRONMENT=local,
   * all deliveries and imports are disabled.
   */
  readonly ALLOW_LOOPBACK_DELIVERIES?: string;
  /** Secret: signs the cookies of account sessions. Changing it ends all sessions. */
  readonly AUTH_SECRET?: string;
  /**
   * Further origins whose pages may act for a signed-in account, separated by commas, such as a dashboard that proxies
   * to us.
   */
  readonly ACCOUNT_TRUSTED_ORIGINS?: string;
  /** OAuth applications; each provider needs both values. */
  readonly OAUTH_GITHUB_CLIENT_ID?: string;
  readonly OAUTH_GITHUB_CLIENT_SECRET?: string;
  readonly OAUTH_GOOGLE_CLIENT_ID?: string;
  readonly OAUTH_GOOGLE_CLIENT_SECRET?: string;

  /**
   * `on` or `off`: whether browsers get the renderer, to draw previews while the user types. docs/deploying.md compares
   * both.
   */
  readonly LIVE_PREVIEWS?: unknown;

  /** `on`: the first workspace of a newly confirmed address gets enough credits for one still size. Otherwise off. */
  readonly FREE_SIZE?: unknown;

  /** `on` or `off`: whether packs may contain MP4, whose codec is patented. docs/deploying.md compares both. */
  readonly MP4_OUTPUT?: unknown;

  /** Sender of mail, for example `Creative Packs <mail@packs.example>`. */
  readonly MAIL_FROM?: string;
  /** Secret: API key of the mail provider. */
  readonly MAIL_API_KEY?: string;
  /** Origin of the mail provider's API; https://api.resend.com if absent. */
  readonly MAIL_API_URL?: string;
  /** Secret: verifies the mail provider's reports of bounces. */
  readonly MAIL_WEBHOOK_SECRET?: string;

  /** Secret: Stripe's API key. Required for sales. */
  readonly STRIPE_SECRET_KEY?: string;
  /** Secret: verifies Stripe's events. */
  readonly STRIPE_WEBHOOK_SECRET?: string;
  /** Origin of Stripe's API; Stripe's own if absent. Allowed only with ENVIRONMENT=local. */
  readonly STRIPE_API_URL?: string;
  /** The price list as JSON; docs/billing.md describes it. */
  readonly BILLING_OFFERS?: unknown;

  /**
   * The operator's webhook, which receives a message when a figure changes between `ok` and `alert`. An https address,
   * or one on this machine.
   */
  readonly ALERT_WEBHOOK_URL?: string;
  /** Secret: signs the alerts; `whsec_` followed by base64. */
  readonly ALERT_WEBHOOK_SECRET?: string;
  /** Secret of GET /health/deep. */
  readonly HEALTH_SECRET?: string;

  /** Origin of absolute links; the request's own origin if absent. */
  readonly PUBLIC_ORIGIN?: string;
  /** Overrides of rate limits, in requests per window: RATE_LIMIT_READ, RATE_LIMIT_TRIAL_HOUR … (api/limits.ts). */
  readonly [override: `RATE_LIMIT_${string}`]: unknown;
  /** Overrides of the preview allowances. */
  readonly PREVIEW_DAILY?: unknown;
  readonly PREVIEW_DAILY_UNLIMITED?: unknown;
  readonly PREVIEW_BURST?: unknown;
  /** Override of the number of new images that a workspace's image URLs may create in 24 hours. */
  readonly IMAGES_DAILY?: unknown;
  /** Override of the number of render messages that workspaces share in the queue (api/limits.ts). */
  readonly RENDER_MESSAGES_QUEUED?: unknown;
}

/** An operator's variable if it is a positive whole number, otherwise the default. */
export function overridden(variable: unknown, otherwise: number): number {
  const limit = Number(variable);
  return Number.isSafeInteger(limit) && limit > 0 ? limit : otherwise;
}

/**
 * Whether browsers draw previews with the renderer while the user types (LIVE_PREVIEWS). `on` if unset; null, treated
 * as `off`, for an invalid value.
 */
export const livePreviewsOf = ({ LIVE_PREVIEWS }: Env): Switch => switchOf(LIVE_PREVIEWS);

/** Whether packs may contain MP4: MP4_OUTPUT, read like LIVE_PREVIEWS. */
export const mp4OutputOf = ({ MP4_OUTPUT }: Env): Switch => switchOf(MP4_OUTPUT);

type Switch = "on" | "off" | null;

function switchOf(setting: unknown): Switch {
  if (setting === undefined) return "on";
  return setting === "on" || setting === "off" ? setting : null;
}

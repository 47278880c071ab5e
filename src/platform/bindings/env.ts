import type { ShardBindings } from "../databases/databases.ts";
import type { PreviewQuotaRpc } from "./preview-quota-rpc.ts";

/** What a lock of an Idempotency-Key is asked (src/domains/idempotency/idempotency-lock.ts). */
export interface IdempotencyLockRpc extends Rpc.DurableObjectBranded {
  /** Waits at most `waitMsMax` for the lock; true once `token` holds it, for at most `leaseMs`. */
  acquire(token: string, waitMsMax: number, leaseMs: number): Promise<boolean>;
  /** Gives the lock to the next in line. A token that no longer holds it changes nothing. */
  release(token: string): void;
}

/**
 * Bindings and variables as wrangler.toml names them. All are optional on purpose:
 * an origin that lacks one answers 501 where it is needed instead of failing to start.
 */
export interface Env extends ShardBindings {
  /** What all share, and the workspaces that live on no shard. */
  readonly DB?: D1Database;
  readonly BUCKET?: R2Bucket;
  readonly RENDER_QUEUE?: Queue;
  /** Takes videos, so that other packs do not wait behind them. Without it none is offered. */
  readonly VIDEO_QUEUE?: Queue;
  readonly DELIVERY_QUEUE?: Queue;
  readonly IMPORT_QUEUE?: Queue;
  readonly MAIL_QUEUE?: Queue;
  /** Takes a message for each shard and minute, by which it is swept. */
  readonly SWEEP_QUEUE?: Queue;
  /** Sends mail by the platform, where it is bound (`send_email`); else MAIL_API_KEY does by HTTP. */
  readonly EMAIL?: SendEmail;
  readonly RATE_LIMIT_WINDOW?: DurableObjectNamespace<
    import("../durable-objects/rate-limit-window.ts").RateLimitWindow
  >;
  readonly IDEMPOTENCY_LOCK?: DurableObjectNamespace<IdempotencyLockRpc>;
  readonly PREVIEW_QUOTA?: DurableObjectNamespace<PreviewQuotaRpc>;

  /** Secret: pepper of the API keys' hashes. */
  readonly KEY_PEPPER?: string;
  /** Secret: a second pepper that is accepted while KEY_PEPPER is being changed; see keys/README.md. */
  readonly KEY_PEPPER_PREVIOUS?: string;
  /** Secret: makes the check of new keys, so that made-up ones are refused without a read; see keys/secret.ts. */
  readonly KEY_CHECK_SECRET?: string;
  /** Secret: an earlier check secret that begins with the same letter or digit, so that its keys are looked up. */
  readonly KEY_CHECK_SECRET_PREVIOUS?: string;
  /** Secret: signs download links. */
  readonly DOWNLOAD_SIGNING_KEY?: string;
  /** Secret: the signing key before the present one, while links of it may be in use. */
  readonly DOWNLOAD_SIGNING_KEY_PREVIOUS?: string;
  /** Secret: hashes the identity of trial claims. */
  readonly TRIAL_SECRET?: string;
  /** Secret: encrypts the secrets of destinations, and the addresses that assets are imported from; base64 of 32 bytes. */
  readonly DELIVERY_ENCRYPTION_KEY?: string;
  /** Secret: the encryption key before the present one, while secrets under it remain. */
  readonly DELIVERY_ENCRYPTION_KEY_PREVIOUS?: string;

  /** `local` on a developer's machine; anything else, or nothing, is production. */
  readonly ENVIRONMENT?: string;
  /**
   * `true` lets deliveries go to this machine over plain HTTP, and imports come from it. Outside ENVIRONMENT=local neither
   * works then.
   */
  readonly ALLOW_LOOPBACK_DELIVERIES?: string;
  /** Secret: signs the cookies of account sessions. Changing it ends them all. */
  readonly AUTH_SECRET?: string;
  /** Further origins whose pages may act for a signed-in person, separated by commas: a dashboard that proxies to us. */
  readonly ACCOUNT_TRUSTED_ORIGINS?: string;
  /** OAuth applications; each provider needs both of its values. The secrets are secrets. */
  readonly OAUTH_GITHUB_CLIENT_ID?: string;
  readonly OAUTH_GITHUB_CLIENT_SECRET?: string;
  readonly OAUTH_GOOGLE_CLIENT_ID?: string;
  readonly OAUTH_GOOGLE_CLIENT_SECRET?: string;

  /** `on` or `off`: whether pages are sent the renderer, to draw previews as one types. docs/deploying.md has both sides. */
  readonly LIVE_PREVIEWS?: unknown;

  /** `on`: a newly confirmed address brings its first workspace the credits of one still size. Off for anything else. */
  readonly FREE_SIZE?: unknown;

  /** `on` or `off`: whether packs may be MP4 videos, whose codec has patents. docs/deploying.md has both sides. */
  readonly MP4_OUTPUT?: unknown;

  /** Who mail is from, as `Creative Packs <mail@packs.example>`. */
  readonly MAIL_FROM?: string;
  /** Secret: opens the HTTP provider of mail. */
  readonly MAIL_API_KEY?: string;
  /** Where that provider is; https://api.resend.com when absent. */
  readonly MAIL_API_URL?: string;
  /** Secret: signs the provider's reports of mail that bounced. */
  readonly MAIL_WEBHOOK_SECRET?: string;

  /** Secret: opens Stripe. Without it nothing can be bought. */
  readonly STRIPE_SECRET_KEY?: string;
  /** Secret: signs the events that Stripe sends. */
  readonly STRIPE_WEBHOOK_SECRET?: string;
  /** Where Stripe is; its own address when absent. Another one only with ENVIRONMENT=local. */
  readonly STRIPE_API_URL?: string;
  /** What can be bought, as JSON; docs/billing.md has its form. */
  readonly BILLING_OFFERS?: unknown;

  /** Where changes of the operator's figures are posted: https, or this machine. */
  readonly ALERT_WEBHOOK_URL?: string;
  /** Secret: signs them; `whsec_` and base64. */
  readonly ALERT_WEBHOOK_SECRET?: string;
  /** Secret: opens GET /health/deep. */
  readonly HEALTH_SECRET?: string;

  /** Origin in absolute links; the request's own origin when absent. */
  readonly PUBLIC_ORIGIN?: string;
  /** Overrides of the fixed windows, requests a window: RATE_LIMIT_READ, RATE_LIMIT_TRIAL_HOUR … (api/limits.ts). */
  readonly [override: `RATE_LIMIT_${string}`]: unknown;
  /** Overrides of the preview allowances: PREVIEW_DAILY, PREVIEW_DAILY_UNLIMITED, PREVIEW_BURST. */
  readonly PREVIEW_DAILY?: unknown;
  readonly PREVIEW_DAILY_UNLIMITED?: unknown;
  readonly PREVIEW_BURST?: unknown;
  /** New images by URL of a workspace in 24 hours. */
  readonly IMAGES_DAILY?: unknown;
  /** Override of the render messages that workspaces share in the queue (api/limits.ts). */
  readonly RENDER_MESSAGES_QUEUED?: unknown;
}

/** An operator's variable where it is a whole number above zero, else the default. */
export function overridden(variable: unknown, otherwise: number): number {
  const limit = Number(variable);
  return Number.isSafeInteger(limit) && limit > 0 ? limit : otherwise;
}

/**
 * Whether pages draw previews themselves as one types, by the renderer that they are sent: LIVE_PREVIEWS, `on` where it is
 * unset. Anything else than `on` and `off` is no decision and opens nothing: null, read as `off`.
 */
export const livePreviewsOf = ({ LIVE_PREVIEWS }: Env): Switch => switchOf(LIVE_PREVIEWS);

/** Whether packs may be MP4: MP4_OUTPUT, read as LIVE_PREVIEWS is. */
export const mp4OutputOf = ({ MP4_OUTPUT }: Env): Switch => switchOf(MP4_OUTPUT);

type Switch = "on" | "off" | null;

function switchOf(setting: unknown): Switch {
  if (setting === undefined) return "on";
  return setting === "on" || setting === "off" ? setting : null;
}

import { secureOriginOf, webOriginOf } from "../outbound/web-origin.ts";
import {
  alertSecretOf,
  type Capability,
  encryptionKeyOf,
  isLoopbackRefused,
  isStripeAddressRefused,
  SECRET_CHARACTERS_MIN,
  usableSecret,
} from "./capabilities.ts";
import { type Env, livePreviewsOf, mp4OutputOf } from "./env.ts";
import { readOffers } from "./offers.ts";

/** A binding, secret or variable without which a service is not configured, by name alone: its value is told nowhere. */
export interface MissingSetting {
  readonly name: string;
  /** What is wrong with it, as the end of a sentence that begins with its name. */
  readonly fault: string;
}

type Check = (env: Env) => MissingSetting | null;

type BindingName =
  | "DB"
  | "BUCKET"
  | "RENDER_QUEUE"
  | "VIDEO_QUEUE"
  | "DELIVERY_QUEUE"
  | "IMPORT_QUEUE"
  | "MAIL_QUEUE"
  | "SWEEP_QUEUE"
  | "RATE_LIMIT_WINDOW"
  | "IDEMPOTENCY_LOCK"
  | "PREVIEW_QUOTA";
type SecretName =
  | "KEY_PEPPER"
  | "KEY_CHECK_SECRET"
  | "DOWNLOAD_SIGNING_KEY"
  | "TRIAL_SECRET"
  | "AUTH_SECRET"
  | "HEALTH_SECRET";

const binding =
  (name: BindingName): Check =>
  (env) =>
    env[name] ? null : { name, fault: "is missing" };

const secret =
  (name: SecretName): Check =>
  (env) => {
    if (usableSecret(env[name]) !== null) return null;
    return { name, fault: env[name] ? `is shorter than ${SECRET_CHARACTERS_MIN} characters` : "is missing" };
  };

const encryptionKey: Check = ({ DELIVERY_ENCRYPTION_KEY: key }) => {
  if (encryptionKeyOf(key) !== null) return null;
  return { name: "DELIVERY_ENCRYPTION_KEY", fault: key ? "is not base64 of 32 bytes" : "is missing" };
};

const loopbackRule: Check = (env) =>
  isLoopbackRefused(env)
    ? { name: "ALLOW_LOOPBACK_DELIVERIES", fault: "is set, which only ENVIRONMENT=local may" }
    : null;

const text =
  (name: "MAIL_FROM" | "STRIPE_SECRET_KEY" | "STRIPE_WEBHOOK_SECRET"): Check =>
  (env) =>
    env[name] ? null : { name, fault: "is missing" };

const mailProvider: Check = (env) =>
  env.EMAIL || env.MAIL_API_KEY
    ? null
    : { name: "MAIL_API_KEY", fault: "is missing, and EMAIL is not bound" };

const mailAddress: Check = ({ MAIL_API_URL: address }) =>
  address === undefined || secureOriginOf(address) !== null
    ? null
    : { name: "MAIL_API_URL", fault: "is no https origin" };

/** What makes links elsewhere is the request; a mail is sent long after any. */
const publicOrigin: Check = ({ PUBLIC_ORIGIN: origin }) => {
  if (webOriginOf(origin ?? "") !== null) return null;
  return { name: "PUBLIC_ORIGIN", fault: origin ? "is no origin" : "is missing" };
};

const stripeAddress: Check = (env) =>
  isStripeAddressRefused(env)
    ? { name: "STRIPE_API_URL", fault: "is set, which only ENVIRONMENT=local may, to an origin" }
    : null;

const alertAddress: Check = ({ ALERT_WEBHOOK_URL: address }) => {
  if (secureOriginOf(address ?? "") !== null) return null;
  return { name: "ALERT_WEBHOOK_URL", fault: address ? "is no https address" : "is missing" };
};

const alertSecret: Check = ({ ALERT_WEBHOOK_SECRET: secretText }) => {
  if (alertSecretOf(secretText) !== null) return null;
  return { name: "ALERT_WEBHOOK_SECRET", fault: secretText ? "is not `whsec_` and base64" : "is missing" };
};

const offers: Check = ({ BILLING_OFFERS: setting }) => {
  if (readOffers(setting) !== null) return null;
  return { name: "BILLING_OFFERS", fault: setting === undefined ? "is missing" : "is no list of offers" };
};

/** What each capability is read from; a capability is null exactly where one of these finds a fault. */
const CHECKS: Readonly<Record<Capability, readonly Check[]>> = {
  database: [binding("DB"), secret("KEY_PEPPER")],
  storage: [binding("BUCKET")],
  queue: [binding("RENDER_QUEUE")],
  videos: [binding("VIDEO_QUEUE")],
  rateLimit: [binding("RATE_LIMIT_WINDOW")],
  idempotency: [binding("IDEMPOTENCY_LOCK")],
  previewQuota: [binding("PREVIEW_QUOTA")],
  downloadSigning: [secret("DOWNLOAD_SIGNING_KEY")],
  trialSecret: [secret("TRIAL_SECRET")],
  accounts: [binding("DB"), secret("AUTH_SECRET")],
  deliveries: [binding("DELIVERY_QUEUE"), encryptionKey, loopbackRule],
  imports: [binding("IMPORT_QUEUE"), encryptionKey, loopbackRule],
  mail: [binding("MAIL_QUEUE"), text("MAIL_FROM"), publicOrigin, mailProvider, mailAddress, encryptionKey],
  sweeps: [binding("SWEEP_QUEUE")],
  billing: [text("STRIPE_SECRET_KEY"), text("STRIPE_WEBHOOK_SECRET"), offers, stripeAddress],
  alerts: [alertAddress, alertSecret],
  healthSecret: [secret("HEALTH_SECRET")],
};

export const isCapability = (name: string): name is Capability => name in CHECKS;

/** What an environment lacks for a capability; empty where it lacks nothing. */
export const missingSettings = (env: Env, capability: Capability): readonly MissingSetting[] =>
  CHECKS[capability].map((check) => check(env)).filter((found) => found !== null);

/** A setting of no capability: one that is neither of its values is read as the closed one, and named. */
const livePreviews: Check = (env) =>
  livePreviewsOf(env) === null ? { name: "LIVE_PREVIEWS", fault: "is neither `on` nor `off`" } : null;

const mp4Output: Check = (env) =>
  mp4OutputOf(env) === null ? { name: "MP4_OUTPUT", fault: "is neither `on` nor `off`" } : null;

/** Optional: without it new keys have a CRC for a check, as they had before there was one. */
const keyCheck: Check = (env) => (env.KEY_CHECK_SECRET ? secret("KEY_CHECK_SECRET")(env) : null);

const hasNone =
  (...names: readonly (keyof Env)[]) =>
  (env: Env): boolean =>
    names.every((name) => !env[name]);

/** Services that an origin may do without, and when each is off. */
const IS_OFF: Readonly<Partial<Record<Capability, (env: Env) => boolean>>> = {
  videos: (env) => mp4OutputOf(env) !== "on",
  mail: hasNone("EMAIL", "MAIL_FROM", "MAIL_API_KEY"),
  billing: hasNone("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "BILLING_OFFERS"),
  alerts: hasNone("ALERT_WEBHOOK_URL", "ALERT_WEBHOOK_SECRET"),
  healthSecret: hasNone("HEALTH_SECRET"),
};

/**
 * Names of everything that some capability lacks or that is set to nothing there is, each once. An optional capability
 * lacks nothing while it is off.
 */
export function namesOfMissing(env: Env): readonly string[] {
  const capabilities = Object.keys(CHECKS).filter(isCapability);
  const wanted = capabilities.filter((capability) => IS_OFF[capability]?.(env) !== true);
  const checks = [...wanted.flatMap((capability) => CHECKS[capability]), livePreviews, mp4Output, keyCheck];
  const found = checks.map((check) => check(env));
  return [...new Set(found.flatMap((setting) => (setting === null ? [] : [setting.name])))];
}

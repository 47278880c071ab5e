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

/** A missing or invalid binding, secret or variable, by name; its value is never exposed. */
export interface MissingSetting {
  readonly name: string;
  /** The fault, worded to follow the name: `is missing`. */
  readonly fault: string;
}

type Check = (env: Env) => MissingSetting | null;

type SecretName =
  | "KEY_PEPPER"
  | "KEY_CHECK_SECRET"
  | "DOWNLOAD_SIGNING_KEY"
  | "TRIAL_SECRET"
  | "AUTH_SECRET"
  | "HEALTH_SECRET";

/** Creates the check of a setting. The fault is `wrong` if the setting has a value, otherwise `is missing`. */
const check =
  (name: keyof Env, isGood: (env: Env) => boolean, wrong = ""): Check =>
  (env) =>
    isGood(env) ? null : { name, fault: env[name] ? wrong : "is missing" };

const present = (name: keyof Env): Check => check(name, (env) => Boolean(env[name]));

const secret = (name: SecretName): Check =>
  check(
    name,
    (env) => usableSecret(env[name]) !== null,
    `is shorter than ${SECRET_CHARACTERS_MIN} characters`,
  );

const encryptionKey = check(
  "DELIVERY_ENCRYPTION_KEY",
  (env) => encryptionKeyOf(env.DELIVERY_ENCRYPTION_KEY) !== null,
  "is not base64 of 32 bytes",
);

const loopbackRule = check(
  "ALLOW_LOOPBACK_DELIVERIES",
  (env) => !isLoopbackRefused(env),
  "is set, which only ENVIRONMENT=local may",
);

const mailProvider: Check = (env) =>
  env.EMAIL || env.MAIL_API_KEY
    ? null
    : { name: "MAIL_API_KEY", fault: "is missing, and EMAIL is not bound" };

const mailAddress: Check = ({ MAIL_API_URL: address }) =>
  address === undefined || secureOriginOf(address) !== null
    ? null
    : { name: "MAIL_API_URL", fault: "is no https origin" };

/** Links in mails need this variable, because mails are sent without a request that would supply the origin. */
const publicOrigin = check(
  "PUBLIC_ORIGIN",
  (env) => webOriginOf(env.PUBLIC_ORIGIN ?? "") !== null,
  "is no origin",
);

const stripeAddress = check(
  "STRIPE_API_URL",
  (env) => !isStripeAddressRefused(env),
  "is set, which only ENVIRONMENT=local may, to an origin",
);

const alertAddress = check(
  "ALERT_WEBHOOK_URL",
  (env) => secureOriginOf(env.ALERT_WEBHOOK_URL ?? "") !== null,
  "is no https address",
);

const alertSecret = check(
  "ALERT_WEBHOOK_SECRET",
  (env) => alertSecretOf(env.ALERT_WEBHOOK_SECRET) !== null,
  "is not `whsec_` and base64",
);

const offers: Check = ({ BILLING_OFFERS: setting }) => {
  if (readOffers(setting) !== null) return null;
  return { name: "BILLING_OFFERS", fault: setting === undefined ? "is missing" : "is no list of offers" };
};

/** Settings of each capability. A capability is null exactly if one of its checks finds a fault. */
const CHECKS: Readonly<Record<Capability, readonly Check[]>> = {
  database: [present("DB"), secret("KEY_PEPPER")],
  storage: [present("BUCKET")],
  queue: [present("RENDER_QUEUE")],
  videos: [present("VIDEO_QUEUE")],
  rateLimit: [present("RATE_LIMIT_WINDOW")],
  idempotency: [present("IDEMPOTENCY_LOCK")],
  previewQuota: [present("PREVIEW_QUOTA")],
  downloadSigning: [secret("DOWNLOAD_SIGNING_KEY")],
  trialSecret: [secret("TRIAL_SECRET")],
  accounts: [present("DB"), secret("AUTH_SECRET")],
  deliveries: [present("DELIVERY_QUEUE"), encryptionKey, loopbackRule],
  imports: [present("IMPORT_QUEUE"), encryptionKey, loopbackRule],
  mail: [present("MAIL_QUEUE"), present("MAIL_FROM"), publicOrigin, mailProvider, mailAddress, encryptionKey],
  sweeps: [present("SWEEP_QUEUE")],
  billing: [present("STRIPE_SECRET_KEY"), present("STRIPE_WEBHOOK_SECRET"), offers, stripeAddress],
  alerts: [alertAddress, alertSecret],
  healthSecret: [secret("HEALTH_SECRET")],
};

export const isCapability = (name: string): name is Capability => name in CHECKS;

/** Missing or invalid settings of a capability. */
export const missingSettings = (env: Env, capability: Capability): readonly MissingSetting[] =>
  CHECKS[capability].map((check) => check(env)).filter((found) => found !== null);

/** Checks a setting outside all capabilities: an invalid value is reported, and treated as `off`. */
const livePreviews: Check = (env) =>
  livePreviewsOf(env) === null ? { name: "LIVE_PREVIEWS", fault: "is neither `on` nor `off`" } : null;

const mp4Output: Check = (env) =>
  mp4OutputOf(env) === null ? { name: "MP4_OUTPUT", fault: "is neither `on` nor `off`" } : null;

/** Optional: without it new keys end in a plain CRC. */
const keyCheck: Check = (env) => (env.KEY_CHECK_SECRET ? secret("KEY_CHECK_SECRET")(env) : null);

const hasNone =
  (...names: readonly (keyof Env)[]) =>
  (env: Env): boolean =>
    names.every((name) => !env[name]);

/** Whether each optional service is off, by capability. */
const IS_OFF: Readonly<Partial<Record<Capability, (env: Env) => boolean>>> = {
  videos: (env) => mp4OutputOf(env) !== "on",
  mail: hasNone("EMAIL", "MAIL_FROM", "MAIL_API_KEY"),
  billing: hasNone("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "BILLING_OFFERS"),
  alerts: hasNone("ALERT_WEBHOOK_URL", "ALERT_WEBHOOK_SECRET"),
  healthSecret: hasNone("HEALTH_SECRET"),
};

/** Names of all missing or invalid settings, each once. A service that is off needs no settings. */
export function namesOfMissing(env: Env): readonly string[] {
  const capabilities = Object.keys(CHECKS).filter(isCapability);
  const wanted = capabilities.filter((capability) => IS_OFF[capability]?.(env) !== true);
  const checks = [...wanted.flatMap((capability) => CHECKS[capability]), livePreviews, mp4Output, keyCheck];
  const found = checks.map((check) => check(env));
  return [...new Set(found.flatMap((setting) => (setting === null ? [] : [setting.name])))];
}

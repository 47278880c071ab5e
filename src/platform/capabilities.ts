import type { Env } from "./env.ts";

/** What this origin can do, read from its bindings and secrets once. */
export interface Capabilities {
  /** The pepper of the API keys' hashes, and the one before or after it while it is being changed. */
  readonly database: {
    readonly db: D1Database;
    readonly keyPepper: string;
    readonly keyPepperPrevious: string | null;
  } | null;
  readonly storage: R2Bucket | null;
  readonly queue: Queue | null;
  readonly rateLimit: NonNullable<Env["RATE_LIMIT_WINDOW"]> | null;
  readonly idempotency: NonNullable<Env["IDEMPOTENCY_LOCK"]> | null;
  readonly previewQuota: NonNullable<Env["PREVIEW_QUOTA"]> | null;
  /** The key that signs links, and the one before it, whose links stay good until they expire. */
  readonly downloadSigning: { readonly current: string; readonly previous: string | null } | null;
  readonly trialSecret: string | null;
}
export type Capability = keyof Capabilities;

/** Shorter secrets can be guessed; a missing and a useless secret are treated alike. */
const SECRET_CHARACTERS_MIN = 32;

/** A secret that is long enough to be one, or null. */
export const usableSecret = (value: string | undefined): string | null =>
  value !== undefined && value.length >= SECRET_CHARACTERS_MIN ? value : null;

const known = new WeakMap<Env, Capabilities>();

/** The capabilities of an environment; computed at its first use. */
export function readCapabilities(env: Env): Capabilities {
  const cached = known.get(env);
  if (cached) return cached;
  const keyPepper = usableSecret(env.KEY_PEPPER);
  const signingKey = usableSecret(env.DOWNLOAD_SIGNING_KEY);
  const capabilities: Capabilities = {
    database:
      env.DB && keyPepper
        ? { db: env.DB, keyPepper, keyPepperPrevious: usableSecret(env.KEY_PEPPER_PREVIOUS) }
        : null,
    storage: env.BUCKET ?? null,
    queue: env.RENDER_QUEUE ?? null,
    rateLimit: env.RATE_LIMIT_WINDOW ?? null,
    idempotency: env.IDEMPOTENCY_LOCK ?? null,
    previewQuota: env.PREVIEW_QUOTA ?? null,
    downloadSigning: signingKey
      ? { current: signingKey, previous: usableSecret(env.DOWNLOAD_SIGNING_KEY_PREVIOUS) }
      : null,
    trialSecret: usableSecret(env.TRIAL_SECRET),
  };
  known.set(env, capabilities);
  return capabilities;
}

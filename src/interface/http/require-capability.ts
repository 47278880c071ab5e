import type { Context } from "hono";
import type { OpenStorage } from "#domains/artifacts/read-archive.ts";
import type { Capabilities, Capability } from "#platform/bindings/capabilities.ts";
import { missingSettings } from "#platform/bindings/missing-settings.ts";
import type { AppEnv } from "./context.ts";
import { refused } from "./envelope.ts";

/** Names of the services in the 501 message. */
const SERVICE_NAMES: Readonly<Record<Capability, string>> = {
  database: "The database",
  storage: "File storage",
  queue: "Generation processing",
  videos: "The drawing of videos",
  rateLimit: "Rate limiting",
  idempotency: "Idempotency",
  previewQuota: "The preview service",
  downloadSigning: "Artifact delivery",
  trialSecret: "The trial service",
  accounts: "The account service",
  deliveries: "The sending of artifacts and messages",
  imports: "The import of assets",
  mail: "The sending of mail",
  sweeps: "The sweep of shards",
  billing: "The sale of credits and plans",
  alerts: "The operator's webhook",
  healthSecret: "GET /health/deep",
};

/** The missing settings of a capability: a sentence for the operator, and their names for a program. */
export function describeMissing(c: Context<AppEnv>, capability: Capability) {
  const missing = missingSettings(c.env.bindings, capability);
  const faults = missing.map(({ name, fault }) => `${name} ${fault}`).join("; ");
  return {
    message: `${SERVICE_NAMES[capability]} is not configured on this origin: ${faults}.`,
    details: { settings: missing.map(({ name }) => name) },
  };
}

/** Returns a function that opens the storage, called only for old packs; see `requireCapability`. */
export const storageOf =
  (c: Context<AppEnv>): OpenStorage =>
  () =>
    requireCapability(c, "storage");

/** The service of a capability; throws 501 SERVICE_NOT_CONFIGURED if it is not configured. */
export function requireCapability<K extends Capability>(
  c: Context<AppEnv>,
  capability: K,
): NonNullable<Capabilities[K]> {
  const service = c.get("capabilities")[capability];
  if (service === null) {
    const { message, details } = describeMissing(c, capability);
    throw refused("SERVICE_NOT_CONFIGURED", message, details);
  }
  return service;
}

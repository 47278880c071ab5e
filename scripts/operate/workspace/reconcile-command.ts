import { type Reconciliation, reconcile } from "#domains/billing/reconcile.ts";
import type { BillingService } from "#platform/bindings/capabilities.ts";
import { readOffers } from "#platform/bindings/offers.ts";
import { toTimestamp } from "#platform/clock.ts";
import { webOriginOf } from "#platform/outbound/web-origin.ts";
import { Failure } from "../../local/failure.ts";
import { inRoot } from "../../local/paths.ts";
import { readEnvFile } from "./key-secrets.ts";
import type { OperatorDatabase } from "./operator-database.ts";
import { plain } from "./plain-text.ts";
import { lines } from "./report.ts";
import type { Target } from "./run-command.ts";

/** Compares events of the last days at the payment provider with the database. */

const DAY_MS = 86_400_000;

/**
 * The seller's settings. The key is read from the environment or --env-file (locally .dev.vars); the price list from
 * the same place or from the configuration.
 */
async function readService(target: Target): Promise<BillingService> {
  const { envFile, isRemote } = target;
  const variables = envFile === null && isRemote ? process.env : readEnvFile(envFile ?? inRoot(".dev.vars"));
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: address } = variables;
  if (!secretKey) {
    throw new Failure(
      "Set STRIPE_SECRET_KEY in the environment, or give --env-file. A restricted key that reads is enough.",
    );
  }
  const { unstable_readConfig: readConfig } = await import("wrangler");
  const listed = variables.BILLING_OFFERS ?? readConfig({ config: target.configPath }).vars.BILLING_OFFERS;
  const offers = readOffers(listed);
  if (offers === null)
    throw new Failure("BILLING_OFFERS is missing, or not as docs/billing.md describes it.");
  // Events are fetched, not received, so no signature is needed.
  return { secretKey, webhookSecret: "", apiOrigin: address ? webOriginOf(address) : null, offers };
}

export interface ReconcileChoice {
  readonly days: number;
  readonly isApplying: boolean;
}

/** The differences, and the results of applying missing events. */
export async function reconcileNow(
  { databases, target, nowMs }: OperatorDatabase,
  { days, isApplying }: ReconcileChoice,
) {
  const found = await reconcile(databases, await readService(target), {
    sinceMs: nowMs - days * DAY_MS,
    nowMs,
    isApplying,
  });
  const { sinceMs, untilMs, ...compared } = found;
  return { since: toTimestamp(sinceMs), until: toTimestamp(untilMs), ...compared };
}

function describe({ kind, ...facts }: Reconciliation["differences"][number]): string {
  const told = Object.entries(facts).filter(([, value]) => value !== null);
  return `  ${kind.padEnd(16)} ${told.map(([name, value]) => `${name} ${plain(String(value))}`).join("  ")}`;
}

export function reportReconciliation(found: Awaited<ReturnType<typeof reconcileNow>>): string {
  const about = lines(
    ["From", found.since],
    ["To", found.until],
    ["Compared", `${found.eventsCompared} events, ${found.paymentsCompared} payments`],
    ["Differences", String(found.differences.length)],
  );
  const rows = found.differences.map(describe);
  const cut = found.isTruncated ? ["There is more than is compared at once: choose fewer --days."] : [];
  return [about, ...(rows.length > 0 ? ["", ...rows] : []), ...cut].join("\n");
}

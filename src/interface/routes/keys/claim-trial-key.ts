import type { Context } from "hono";
import { trialBody, trialSchema } from "#api/schemas/trial.ts";
import { presentKey } from "#domains/keys/api-key.ts";
import { claimTrial, hashIdentity, refuseRunningTrial } from "#domains/workspaces/claim-trial.ts";
import { PUBLIC } from "#interface/http/access.ts";
import { clientAddress, countClient, countNetwork } from "#interface/http/client-network.ts";
import type { AppEnv } from "#interface/http/context.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { capabilitiesAt } from "#platform/bindings/capabilities-at.ts";
import { toTimestamp } from "#platform/clock.ts";
import { chooseHome } from "#platform/databases/choose-shard.ts";

/**
 * Windows counted before a trial begins, narrowest first. A client can change its `clientMarker`, but not its network.
 */
const WINDOWS = [
  "trial-hour",
  "trial-day",
  "trial-site-hour",
  "trial-site-day",
  "trial-allocation-hour",
  "trial-allocation-day",
] as const;

/** The database capability for a new workspace, on one of the emptiest shards. */
async function placedDatabase(c: Context<AppEnv>) {
  const ofOrigin = requireCapability(c, "database");
  const home = await chooseHome(ofOrigin.databases);
  return capabilitiesAt(c.get("capabilities"), home)?.database ?? ofOrigin;
}

export const claimTrialKeyRoute = defineRoute({
  operationId: "claimTrialKey",
  route: "POST /api/v1/agent/trial-key",
  summary: "Claim a trial key",
  description:
    "Creates a workspace with 5 credits that ends after an hour, once an hour per client. The key covers balance, " +
    "upload, jobs, polling and download. While a client's trial runs, another claim is 429 " +
    "`TRIAL_ALREADY_CLAIMED`; its `X-RateLimit-Reset` is the end of the trial. A network can start ten trials an " +
    "hour and thirty a day, and its wider prefixes (IPv4 /24; IPv6 /48 and /32) a multiple of that; then 429 is " +
    "`RATE_LIMITED`.",
  access: PUBLIC,
  window: "trial",
  needs: ["database", "trialSecret", "rateLimit"],
  errors: ["TRIAL_ALREADY_CLAIMED"],
  json: trialBody,
  responses: { 201: success(trialSchema, "The trial workspace and its key") },
  handler: async (c, { json: { clientMarker } }) => {
    const database = requireCapability(c, "database");
    const trialSecret = requireCapability(c, "trialSecret");
    await countNetwork(c, trialSecret, "trial");
    const identityHash = await hashIdentity(trialSecret, {
      address: clientAddress(c),
      userAgent: c.req.header("User-Agent") ?? "",
      clientMarker: clientMarker ?? "",
    });
    const { nowMs } = c.var;
    acceptedValue(await refuseRunningTrial(database.db, identityHash, nowMs));
    await countClient(c, trialSecret, WINDOWS);
    const trial = acceptedValue(await claimTrial(await placedDatabase(c), identityHash, nowMs));
    return succeed(c, 201, {
      apiKey: presentKey(trial.apiKey, nowMs),
      secret: trial.secret,
      workspace: {
        workspaceId: trial.workspaceId,
        kind: "trial" as const,
        expiresAt: toTimestamp(trial.expiresAt),
      },
      credits: trial.credits,
    });
  },
});

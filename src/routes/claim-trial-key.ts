import { createRoute } from "@hono/zod-openapi";
import { trialBody, trialSchema } from "../contract/schemas/trial.ts";
import { networkOf } from "../http/client-network.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";
import { countRequest } from "../http/rate-limit.ts";
import { requireCapability } from "../http/require-capability.ts";
import { presentKey } from "../keys/present-key.ts";
import { toTimestamp } from "../platform/clock.ts";
import { hmacSha256Hex } from "../platform/hashing.ts";
import { claimTrial, hashIdentity } from "../workspaces/claim-trial.ts";

/** Stands for the client's address where the platform gives none, as on a laptop. */
const UNKNOWN_ADDRESS = "unknown";

const route = createRoute({
  ...operation({
    operationId: "claimTrialKey",
    summary: "Claim a trial key",
    description:
      "A workspace of one hour with 5 credits, once an hour for each client. The key covers balance, upload, jobs, " +
      "polling and download. While a client's trial runs, another claim is 429 `TRIAL_ALREADY_CLAIMED`, whose " +
      "`X-RateLimit-Reset` is when the trial ends.",
    tag: "Keys",
    scope: null,
    family: "trial",
    needs: ["database", "trialSecret", "rateLimit"],
    takesJson: true,
  }),
  method: "post",
  path: "/api/v1/agent/trial-key",
  request: { body: { required: true, content: { "application/json": { schema: trialBody } } } },
  responses: {
    201: success(trialSchema, "The trial workspace and its key"),
    ...failures(400, 415, 429, 500, 501),
  },
});

export const claimTrialKey = defineRoute(route, async (c) => {
  const { clientMarker } = c.req.valid("json");
  const database = requireCapability(c, "database");
  const trialSecret = requireCapability(c, "trialSecret");
  // Only the platform's own header is trusted: a client can write any other.
  const address = c.req.header("CF-Connecting-IP") ?? UNKNOWN_ADDRESS;
  await countRequest(c, "trial", await hmacSha256Hex(trialSecret, `client:${networkOf(address)}`));
  const identityHash = await hashIdentity(trialSecret, {
    address,
    userAgent: c.req.header("User-Agent") ?? "",
    clientMarker: clientMarker ?? "",
  });
  const trial = acceptedValue(await claimTrial(database, identityHash, c.var.nowMs));
  return succeed(c, 201, {
    apiKey: presentKey(trial.apiKey, c.var.nowMs),
    secret: trial.secret,
    workspace: {
      workspaceId: trial.workspaceId,
      kind: "trial" as const,
      expiresAt: toTimestamp(trial.expiresAt),
    },
    credits: trial.credits,
  });
});

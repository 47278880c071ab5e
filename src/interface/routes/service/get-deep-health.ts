import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { refuse } from "#api/errors.ts";
import { readFigures } from "#domains/monitoring/alerts.ts";
import { clientAddress, clientNetworks } from "#interface/http/client-network.ts";
import type { AppEnv } from "#interface/http/context.ts";
import { RefusedRequest, succeed } from "#interface/http/envelope.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { equalsInConstantTime, hmacSha256 } from "#platform/crypto/hashing.ts";

/** Refuses a request without the secret as if there were no such path; 429 for a network with too many guesses. */
async function requireSecret(c: Context<AppEnv>): Promise<void> {
  const secret = requireCapability(c, "healthSecret");
  const guesses = c.env.refusedHealthSecrets;
  const { network } = clientNetworks(clientAddress(c));
  const full = guesses.refusal(network, c.var.nowMs);
  if (full !== null) throw new RefusedRequest(full);
  const [wanted, given] = await Promise.all(
    [`Bearer ${secret}`, c.req.header("Authorization") ?? ""].map((text) => hmacSha256(secret, text)),
  );
  if (wanted !== undefined && given !== undefined && equalsInConstantTime(wanted, given)) return;
  guesses.count(network, c.var.nowMs);
  throw new RefusedRequest(refuse("ROUTE_NOT_FOUND", "No route has this path."));
}

/** Adds `GET /health/deep`: the operator's figures with their states. It is no operation of the API. */
export function addDeepHealth(app: OpenAPIHono<AppEnv>): void {
  app.get("/health/deep", async (c) => {
    c.set("operation", "getDeepHealth");
    await requireSecret(c);
    const { databases } = requireCapability(c, "database");
    const found = await readFigures(databases.directory, c.var.nowMs);
    const isAlert = found.figures.some(({ state }) => state === "alert");
    return succeed(c, 200, { state: isAlert ? "alert" : "ok", ...found });
  });
}

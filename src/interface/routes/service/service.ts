import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { OAUTH_PROVIDERS } from "#api/oauth-providers.ts";
import { healthSchema, serviceSchema } from "#api/schemas/service.ts";
import { readFigures } from "#domains/monitoring/alerts.ts";
import { PUBLIC } from "#interface/http/access.ts";
import { clientAddress, clientNetworks } from "#interface/http/client-network.ts";
import type { AppEnv } from "#interface/http/context.ts";
import { RefusedRequest, refused, succeed } from "#interface/http/envelope.ts";
import type { Isolate } from "#interface/http/isolate-state.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { livePreviewsOf } from "#platform/bindings/env.ts";
import { namesOfMissing } from "#platform/bindings/missing-settings.ts";
import { equalsInConstantTime, hmacSha256 } from "#platform/crypto/hashing.ts";
import { databaseNow } from "#platform/db/database-clock.ts";
import { log } from "#platform/log/log.ts";
import { ENGINE_VERSION } from "#renderer/version.ts";

/** A mail provider on loopback is the development emulator, which shows all emails that were sent. */
const loopbackOrigin = (origin: string): string | null =>
  new URL(origin).hostname === "127.0.0.1" ? origin : null;

const getServiceRoute = defineRoute({
  operationId: "getService",
  route: "GET /api/v1/service",
  summary: "Read the features of this origin",
  description: "Settings that a page needs before sign-in. May be cached for a minute.",
  access: PUBLIC,
  responses: { 200: success(serviceSchema, "The features of this origin") },
  handler: (c) => {
    const { accounts, deliveries, imports, previewQuota, mail, billing } = c.var.capabilities;
    c.header("Cache-Control", "public, max-age=60");
    return succeed(c, 200, {
      engineVersion: ENGINE_VERSION,
      livePreviews: livePreviewsOf(c.env.bindings) ?? "off",
      accounts: accounts !== null,
      oauthProviders: OAUTH_PROVIDERS.filter((provider) => accounts?.oauth[provider]),
      deliveries: deliveries !== null,
      imports: imports !== null,
      previews: previewQuota !== null,
      mail: mail !== null,
      mailbox: mail?.provider.kind === "http" ? loopbackOrigin(mail.provider.origin) : null,
      billing: billing !== null,
    });
  },
});

const getHealthRoute = defineRoute({
  operationId: "getHealth",
  route: "GET /health",
  summary: "Check the health of this origin",
  description:
    "Which services are configured. If there is a database, it has answered within the last few seconds.",
  access: PUBLIC,
  ignoresOtherParameters: true,
  errors: ["SERVICE_UNAVAILABLE"],
  responses: { 200: success(healthSchema, "The service is up") },
  handler: async (c) => {
    const known = c.var.capabilities;
    const { database, storage, queue, rateLimit, idempotency, previewQuota } = known;
    if (database && !(await doesAnswer(c.env.health, database.db, c.var.nowMs))) {
      throw refused("SERVICE_UNAVAILABLE", "The database does not answer.");
    }
    const capabilities = {
      database: database !== null,
      storage: storage !== null,
      queue: queue !== null,
      rateLimit: rateLimit !== null,
      idempotency: idempotency !== null,
      previews: previewQuota !== null,
      downloads: known.downloadSigning !== null,
      trial: known.trialSecret !== null,
      accounts: known.accounts !== null,
      deliveries: known.deliveries !== null,
      imports: known.imports !== null,
    };
    const missing = [...namesOfMissing(c.env.bindings)];
    const status = missing.length === 0 ? ("ok" as const) : ("incomplete" as const);
    return succeed(c, 200, { status, capabilities, missing });
  },
});

/** How long an isolate reuses the last result. Anyone may call this route as often as they like. */
const SEEN_MS_MAX = 5_000;

/** Whether the database answers, read at most once per `SEEN_MS_MAX`. Concurrent requests get the previous result. */
async function doesAnswer(seen: Isolate["health"], db: D1Database, nowMs: number): Promise<boolean> {
  const ageMs = nowMs - seen.atMs;
  // If the clock went backwards, the age is unknown.
  if (seen.isAnswering !== null && ageMs >= 0 && ageMs < SEEN_MS_MAX) return seen.isAnswering;
  seen.atMs = nowMs;
  seen.isAnswering = await asks(db);
  return seen.isAnswering;
}

async function asks(db: D1Database): Promise<boolean> {
  try {
    await databaseNow(db);
    return true;
  } catch (thrown) {
    log.failure({ event: "database_unreachable", operation: "getHealth" }, thrown);
    return false;
  }
}

export const routes = [getServiceRoute, getHealthRoute];

/** Answers a request without the secret like an unknown path; 429 for a network with too many attempts. */
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
  throw refused("ROUTE_NOT_FOUND", "No route has this path.");
}

/** Adds `GET /health/deep`: figures for operators, with their states. It is not an operation of the API. */
export function addOthers(app: OpenAPIHono<AppEnv>): void {
  app.get("/health/deep", async (c) => {
    c.set("operation", "getDeepHealth");
    await requireSecret(c);
    const { databases } = requireCapability(c, "database");
    const found = await readFigures(databases.directory, c.var.nowMs);
    const isAlert = found.figures.some(({ state }) => state === "alert");
    return succeed(c, 200, { state: isAlert ? "alert" : "ok", ...found });
  });
}

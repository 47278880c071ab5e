import { refuse } from "#api/errors.ts";
import { healthSchema } from "#api/schemas/health.ts";
import { PUBLIC } from "#interface/http/access.ts";
import { RefusedRequest, succeed } from "#interface/http/envelope.ts";
import type { Isolate } from "#interface/http/isolate-state.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { namesOfMissing } from "#platform/bindings/missing-settings.ts";
import { databaseNow } from "#platform/db/database-clock.ts";
import { log } from "#platform/log/log.ts";

export const getHealthRoute = defineRoute({
  operationId: "getHealth",
  method: "get",
  path: "/health",
  summary: "Ask whether the origin works",
  description:
    "Which services are configured, after the database, where there is one, has answered within the last seconds.",
  access: PUBLIC,
  ignoresOtherParameters: true,
  errors: ["SERVICE_UNAVAILABLE"],
  responses: { 200: success(healthSchema, "The origin answers") },
  handler: async (c) => {
    const known = c.var.capabilities;
    const { database, storage, queue, rateLimit, idempotency, previewQuota } = known;
    if (database && !(await doesAnswer(c.env.health, database.db, c.var.nowMs))) {
      throw new RefusedRequest(refuse("SERVICE_UNAVAILABLE", "The database does not answer."));
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

/** How long an isolate answers by what it last saw: anybody may ask, as often as they like. */
const SEEN_MS_MAX = 5_000;

/** Whether the database answers, read at most once in `SEEN_MS_MAX`; requests meanwhile get what was seen before. */
async function doesAnswer(seen: Isolate["health"], db: D1Database, nowMs: number): Promise<boolean> {
  const ageMs = nowMs - seen.atMs;
  // A clock that steps back says nothing about the age.
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

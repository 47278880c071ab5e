import { createRoute } from "@hono/zod-openapi";
import { refuse } from "../contract/errors.ts";
import { healthSchema } from "../contract/schemas/health.ts";
import { RefusedRequest, succeed } from "../http/envelope.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";
import { errorNameOf, log } from "../platform/log.ts";
import { namesOfMissing } from "../platform/missing-settings.ts";

const route = createRoute({
  ...operation({
    operationId: "getHealth",
    summary: "Ask whether the origin works",
    description: "Which services are configured, after the database, where there is one, has answered.",
    tag: "Service",
    scope: null,
    family: null,
    needs: [],
  }),
  method: "get",
  path: "/health",
  responses: { 200: success(healthSchema, "The origin answers"), ...failures(503) },
});

export const getHealth = defineRoute(route, async (c) => {
  const known = c.var.capabilities;
  const { database, storage, queue, rateLimit, idempotency, previewQuota } = known;
  if (database && !(await doesAnswer(database.db))) {
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
  };
  const status = Object.values(capabilities).every(Boolean) ? ("ok" as const) : ("incomplete" as const);
  return succeed(c, 200, { status, capabilities, missing: [...namesOfMissing(c.env)] });
});

async function doesAnswer(db: D1Database): Promise<boolean> {
  try {
    await db.prepare("SELECT 1").first();
    return true;
  } catch (thrown) {
    log.failure({ event: "database_unreachable", operation: "getHealth", errorName: errorNameOf(thrown) });
    return false;
  }
}

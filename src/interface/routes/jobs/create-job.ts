import { createMiddleware } from "hono/factory";
import { JOB_WINDOWS, LIMITS } from "#api/limits.ts";
import { CREDITS_PER_SIZE } from "#api/prices.ts";
import { createJobSchema, jobSchema, namedInOrderSchema } from "#api/schemas/job.ts";
import { hasJobEnded } from "#domains/jobs/job.ts";
import { apiKey } from "#interface/http/access.ts";
import { BOOKMARK_HEADER } from "#interface/http/bookmark.ts";
import type { AppEnv } from "#interface/http/context.ts";
import { finishAfterDisconnect } from "#interface/http/context.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { identityOf, shownEffect } from "#interface/http/idempotency-header.ts";
import { callerOf, orderDeps, orderRules } from "#interface/http/operation-deps.ts";
import { showJob } from "#interface/http/prefer-wait.ts";
import { defineRoute, pollHeaders, success } from "#interface/http/route.ts";
import { type NamedInOrder, ORDER_SCOPE, orderReads } from "#operations/order-facts.ts";
import { orderPack } from "#operations/order-pack.ts";
import { PACK_ERRORS } from "./quote-job.ts";

/** The resources that an unvalidated body refers to; null if it is invalid. */
function namedInOrder(text: string): Pick<NamedInOrder, "assetIds" | "notify"> | null {
  try {
    const { assetIds = {}, notify } = namedInOrderSchema.parse(JSON.parse(text));
    return { assetIds, notify };
  } catch {
    return null;
  }
}

/** Sets the order's queries, so that they share one round trip with the lookup of an uncached key. */
const setOrderReads = createMiddleware<AppEnv>(async (c, next) => {
  const { idempotencyKey } = identityOf(c);
  const named = namedInOrder(await c.req.text());
  if (idempotencyKey !== "" && named !== null) {
    c.set("orderReads", orderReads({ idempotencyKey, ...named }, orderRules(c), c.get("nowMs")));
  }
  await next();
});

export const createJobRoute = defineRoute({
  operationId: "createJob",
  route: "POST /api/v1/jobs",
  summary: "Create a job",
  description:
    "Renders the selected sizes of the contract. The cost is reserved once, when the job is accepted, and refunded " +
    "in full if the job fails or is canceled. A replay returns the same job in its current state.\n\n`notify` " +
    "names a saved webhook that receives a message when the job ends; it also needs the scope `deliveries:write`. " +
    "`assets` imports files by URL first, as `POST /assets/imports` does; it also needs the scope `assets:write`. " +
    `If imports take longer than ${LIMITS.orderImportsWaitMsMax / 1_000} s, the response is 409 ` +
    "`ASSET_IMPORT_IN_PROGRESS` and nothing is charged; the same request with the same Idempotency-Key continues " +
    `with the same imports.\n\nA workspace with ${JOB_WINDOWS["failed-jobs"].limit} jobs that failed because of ` +
    `their inputs within an hour, or ${JOB_WINDOWS["canceled-jobs"].limit} canceled ones, gets 429 with ` +
    "`details.family` `failed-jobs` or `canceled-jobs`. If this origin sends mail, the workspace's owner must " +
    "confirm their address first: 403 `EMAIL_NOT_CONFIRMED`. Jobs of a test key are watermarked, free and deleted " +
    `after two days. A workspace can order ${LIMITS.testOutputsPerDay} such outputs per UTC day, an animated one ` +
    `counting as ${CREDITS_PER_SIZE.animated}: then 429 \`TEST_LIMIT_REACHED\`.`,
  access: apiKey(ORDER_SCOPE, { isCheckedInEffect: true }),
  beforeKey: setOrderReads,
  window: "jobs",
  needs: ["storage", "queue"],
  errors: [
    "ASSET_IMPORT_IN_PROGRESS",
    "ASSET_IMPORT_FAILED",
    "ASSET_LIMIT_REACHED",
    "UPLOAD_INTENT_INVALID",
    "ADDRESS_REFUSED",
    "PAYMENT_REQUIRED",
    "TEST_LIMIT_REACHED",
    "EMAIL_NOT_CONFIRMED",
    "BUDGET_EXHAUSTED",
    ...PACK_ERRORS,
    "JOB_UNKNOWN",
    "DESTINATION_UNKNOWN",
    "DESTINATION_UNSUPPORTED",
    "DESTINATION_DISABLED",
    "DESTINATION_PAUSED",
  ],
  isIdempotent: true,
  takesPreferredWait: true,
  json: createJobSchema,
  responses: {
    202: success(jobSchema, "The queued job; its cost is reserved", {
      ...BOOKMARK_HEADER,
      ...pollHeaders("job"),
    }),
    200: success(jobSchema, "The job from an earlier request with this key, in its current state"),
  },
  handler: async (c, { json }) => {
    const { idempotencyKey } = identityOf(c);
    const results = c.get("readWithKey");
    const readWithKey = results === null ? null : (c.get("orderReads")?.factsOf(results) ?? null);
    const order = { request: json, idempotencyKey, readWithKey };
    const ordered = await finishAfterDisconnect(c, orderPack(orderDeps(c), callerOf(c), order));
    const { value: job, isReplay } = shownEffect(c, acceptedValue(ordered));
    const shown = await showJob(c, job);
    if (isReplay) return succeed(c, 200, shown);
    c.header("Location", `/api/v1/jobs/${job.jobId}`);
    if (!hasJobEnded(shown)) c.header("Retry-After", String(LIMITS.jobPollAfterSeconds));
    return succeed(c, 202, shown);
  },
});

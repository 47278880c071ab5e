import { jobQuoteSchema, packRequestSchema } from "#api/schemas/job.ts";
import { quoteJob } from "#domains/jobs/quote-job.ts";
import { apiKey } from "#interface/http/access.ts";
import { finishAfterDisconnect } from "#interface/http/context.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { packChecks } from "#interface/http/operation-deps.ts";
import { defineRoute, success } from "#interface/http/route.ts";

/** Errors of a pack request, which job requests share. */
export const PACK_ERRORS = [
  "ASSET_NOT_READY",
  "CONTRACT_UNSUPPORTED",
  "SIZE_UNSUPPORTED",
  "FORMAT_UNSUPPORTED",
  "LOOK_UNSUPPORTED",
  "SLOT_UNSUPPORTED",
  "SLOT_COMBINATION_UNSUPPORTED",
  "PLACEMENT_UNSUPPORTED",
  "OVERRIDE_UNSUPPORTED",
  "SCALE_UNSUPPORTED",
  "CLICK_URL_UNSUPPORTED",
  "BRAND_UNKNOWN",
  "ASSET_UNKNOWN",
  "VISUAL_ASSET_REQUIRED",
  "COPY_UNSUPPORTED",
  "COPY_DOES_NOT_FIT",
  "SERVICE_BUSY",
] as const;

export const quoteJobRoute = defineRoute({
  operationId: "quoteJob",
  route: "POST /api/v1/jobs/quote",
  summary: "Quote a job",
  description:
    "Takes the body of a job and returns its cost and fingerprint. Nothing is created or charged. `GET " +
    "/api/v1/jobs?renderFingerprint=…` then shows whether an identical pack exists. Invalid values get the same " +
    "errors as in a job.",
  access: apiKey("jobs:write"),
  needs: ["storage"],
  errors: PACK_ERRORS,
  json: packRequestSchema,
  responses: { 200: success(jobQuoteSchema, "Cost and fingerprint of the job") },
  handler: async (c, { db, json, ...caller }) => {
    const deps = { db, ...packChecks(c) };
    // Parsing fonts may hold the memory mutex, which a canceled request would never release.
    const quoted = await finishAfterDisconnect(c, quoteJob(deps, caller, json));
    const quote = acceptedValue(quoted);
    return succeed(c, 200, {
      expectedCost: { amount: quote.costCredits, unit: "credit" as const },
      renderFingerprint: quote.renderFingerprint,
    });
  },
});

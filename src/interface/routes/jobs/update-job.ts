import { jobSchema, updateJobSchema } from "#api/schemas/job.ts";
import { renameJob } from "#domains/jobs/named-packs.ts";
import { presentJob } from "#domains/jobs/present-job.ts";
import { apiKey } from "#interface/http/access.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { storageOf } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";

export const updateJobRoute = defineRoute({
  operationId: "updateJob",
  method: "patch",
  path: "/api/v1/jobs/{jobId}",
  summary: "Rename a job",
  description:
    "Changes the name of a job of any status, and with it that of its pack. Files and fingerprint stay.",
  access: apiKey("jobs:write"),
  errors: ["JOB_NOT_FOUND"],
  json: updateJobSchema,
  responses: { 200: success(jobSchema, "The job with its new name") },
  handler: async (c) => {
    const { db, workspaceId } = c.get("workspace");
    const id = { workspaceId, jobId: c.req.valid("param").jobId };
    const renamed = await renameJob(db, storageOf(c), id, c.req.valid("json").name);
    return succeed(c, 200, presentJob(acceptedValue(renamed)));
  },
});

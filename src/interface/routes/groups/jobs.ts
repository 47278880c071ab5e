import type { Route } from "#interface/http/route.ts";
import { cancelJobRoute } from "../jobs/cancel-job.ts";
import { createJobRoute } from "../jobs/create-job.ts";
import { quoteJobRoute } from "../jobs/quote-job.ts";
import { getJobRoute, listJobsRoute } from "../jobs/read-jobs.ts";
import { updateJobRoute } from "../jobs/update-job.ts";

export const routes: readonly Route[] = [
  listJobsRoute,
  createJobRoute,
  quoteJobRoute,
  getJobRoute,
  updateJobRoute,
  cancelJobRoute,
];

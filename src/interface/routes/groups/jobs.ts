import type { Route } from "#interface/http/route.ts";
import { cancelJobRoute } from "../jobs/cancel-job.ts";
import { createJobRoute } from "../jobs/create-job.ts";
import { getJobRoute } from "../jobs/get-job.ts";
import { listJobsRoute } from "../jobs/list-jobs.ts";
import { quoteJobRoute } from "../jobs/quote-job.ts";

export const routes: readonly Route[] = [
  listJobsRoute,
  createJobRoute,
  quoteJobRoute,
  getJobRoute,
  cancelJobRoute,
];

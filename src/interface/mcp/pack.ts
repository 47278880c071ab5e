import type { Context } from "hono";
import { z } from "zod";
import { LIMITS } from "#api/limits.ts";
import { balanceSchema } from "#api/schemas/balance.ts";
import { jobSchema } from "#api/schemas/job.ts";
import { presentJob } from "#domains/jobs/present-job.ts";
import type { Job } from "#domains/jobs/store.ts";
import type { PaidAccess } from "#domains/ledger/payment.ts";
import { presentBalance } from "#domains/ledger/present.ts";
import { readPaidAccess } from "#domains/ledger/service.ts";
import { pick } from "#platform/pick-members.ts";
import type { AppEnv } from "../http/context.ts";

/** Members of the API's job that tools show: all but the caller's own input. */
const SHOWN = [
  "jobId",
  "status",
  "livemode",
  "contractId",
  "selectedSizeIds",
  "outputFormat",
  "motion",
  "expectedCost",
  "progress",
  "artifactId",
  "notify",
  "failure",
  "createdAt",
  "startedAt",
  "finishedAt",
] as const;

export const packSchema = z.object({
  ...pick(jobSchema.shape, ...SHOWN),
  /** Seconds until the next get_pack; null once the pack has ended. */
  pollAfterSeconds: z.int().nullable(),
});

export function presentPack(job: Job): z.infer<typeof packSchema> {
  const isOpen = job.status === "queued" || job.status === "running";
  return {
    ...pick(presentJob(job), ...SHOWN),
    pollAfterSeconds: isOpen ? LIMITS.jobPollAfterSeconds : null,
  };
}

/** The balance; null for a key without balance:read. */
export const spendableSchema = balanceSchema.nullable();

/** The workspace's means of payment; null for a key without balance:read. */
export async function readAccess(c: Context<AppEnv>): Promise<PaidAccess | null> {
  if (!c.get("principal").scopes.includes("balance:read")) return null;
  const { db, workspaceId } = c.get("workspace");
  return readPaidAccess(db, workspaceId, c.get("nowMs"));
}

/** The balance after the call; null for a key without balance:read. */
export async function balanceAfter(c: Context<AppEnv>): Promise<z.infer<typeof spendableSchema>> {
  const access = await readAccess(c);
  return access === null ? null : presentBalance(access);
}

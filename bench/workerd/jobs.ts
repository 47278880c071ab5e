import type { JobBody } from "../../scripts/demo/answers.ts";
import type { Client } from "../../scripts/demo/client.ts";
import { Failure } from "../../scripts/local/failure.ts";
import type { PackRequest } from "../../src/api/schemas/job.ts";
import { until } from "./service.ts";

/** Creates a job and waits for its success. */
export async function drawJob(client: Client, request: PackRequest, pollMs?: number): Promise<JobBody> {
  const { jobId } = await client.post<JobBody>("/api/v1/jobs", request);
  return untilDrawn(client, jobId, pollMs);
}

/** Waits for a job's success; its failure ends the case. */
const untilDrawn = (client: Client, jobId: string, pollMs?: number): Promise<JobBody> =>
  until(
    async () => {
      const job = await client.get<JobBody>(`/api/v1/jobs/${jobId}`);
      if (job.status === "queued" || job.status === "running") return null;
      if (job.status !== "succeeded") {
        throw new Failure(`A job ended as ${job.status}: ${job.failure?.code} ${job.failure?.message}`);
      }
      return job;
    },
    "A job",
    pollMs,
  );

import { expect } from "vitest";
import { type Model, type ModelJob, refund } from "./model.ts";
import { readState } from "./stored-state.ts";

/** Allowed transitions of a job by rendering, dead letters and expiry. */
const MAY_BECOME: Readonly<Record<ModelJob["status"], readonly ModelJob["status"][]>> = {
  queued: ["queued", "running", "succeeded", "failed"],
  running: ["running", "succeeded", "failed"],
  succeeded: ["succeeded"],
  failed: ["failed"],
  canceled: ["canceled"],
};

/** Copies the stored status of open jobs to the model. Each transition must be allowed. */
export async function followJobs(model: Model): Promise<void> {
  const stored = await readState(model);
  for (const workspace of model.workspaces) {
    for (const job of workspace.jobs) {
      const status = stored.get(workspace.workspaceId)?.jobs[job.jobId];
      const next = MAY_BECOME[job.status].find((possible) => possible === status);
      expect(next, `a job went from ${job.status} to ${status}`).toBeDefined();
      if (next === undefined || next === job.status) continue;
      expect(next === "succeeded" && !job.isDrawable, "what cannot be drawn was").toBe(false);
      if (next === "failed") refund(workspace, job, next);
      else job.status = next;
    }
  }
}

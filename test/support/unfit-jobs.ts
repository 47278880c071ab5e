import { LIMITS } from "#api/limits.ts";
import { fingerprintOf } from "#domains/jobs/pack-plan.ts";
import { jobToRender } from "#domains/jobs/store.ts";
import { ENGINE_VERSION } from "#renderer/version.ts";
import { execute } from "./database.ts";
import { anyDatabase } from "./homes.ts";

/**
 * Gives a queued job a headline that fits no small size. The API refuses such jobs; this tests the renderer's own
 * refusal, in case that check is wrong.
 */
export async function makeUnfit(jobId: string): Promise<void> {
  const job = await jobToRender.first(anyDatabase(), { jobId });
  if (job === null) throw new Error("there is no such job");
  const copy = { headline: "W".repeat(LIMITS.copyHeadlineCharactersMax) };
  const fingerprint = await fingerprintOf({ ...job, copy }, job.inputs, ENGINE_VERSION);
  await execute`UPDATE jobs SET copy = ${JSON.stringify(copy)}, render_fingerprint = ${fingerprint} WHERE job_id = ${jobId}`;
}

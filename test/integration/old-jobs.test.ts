import { expect, it } from "vitest";
import { newId } from "#platform/ids.ts";
import { execute } from "../support/database.ts";
import { heldJob } from "../support/held-jobs.ts";
import { deliver, readJob } from "../support/jobs.ts";

/** A job that was ordered before packs had a design is drawn and shown in the classic look. */

it("a message sent before a deployment draws the job", async () => {
  const { client, jobId: newer } = await heldJob({ copy: { headline: "Hello" } });
  const jobId = newId();
  // The row as an earlier worker wrote it, without the columns of migrations/0018.
  await execute`INSERT INTO jobs (job_id, workspace_id, status, contract_id, motion, output_format, selected_size_ids,
      asset_ids, copy, brand, render_inputs, cost_credits, render_fingerprint, artifact_id, created_at)
    SELECT ${jobId}, workspace_id, status, contract_id, motion, output_format, selected_size_ids,
      asset_ids, copy, brand, render_inputs, cost_credits, render_fingerprint, ${newId()}, created_at + 1
    FROM jobs WHERE job_id = ${newer}`;
  await execute`INSERT INTO job_outputs (job_id, position, size_id, status) VALUES (${jobId}, 0, 'iab-320x50', 'queued')`;
  const design = { look: "classic", variant: 1, placements: {}, overrides: {}, copy: { headline: "Hello" } };
  expect(await readJob(client.secret, jobId)).toMatchObject({ status: "queued", ...design });
  await deliver({ jobId, part: 0 });
  expect(await readJob(client.secret, jobId)).toMatchObject({ status: "succeeded", ...design });
});

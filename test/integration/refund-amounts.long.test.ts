import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { failJob } from "#domains/jobs/end-job.ts";
import {
  acceptedJob,
  cancel,
  eventsOf,
  expectInvariants,
  failByDeadLetter,
  holdQueue,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { readStored } from "../support/ledger.ts";

/**
 * A refund returns exactly the consumed amount to its source, whatever the price, the payment and the end of the job.
 */

const PACKS = [
  { cost: 1, motion: "static", outputFormat: "png", selectedSizeIds: ["iab-320x50"] },
  { cost: 2, motion: "static", outputFormat: "jpg", selectedSizeIds: ["iab-320x50", "iab-300x250"] },
  { cost: 3, motion: "animated", outputFormat: "gif", selectedSizeIds: ["iab-320x50"] },
  { cost: 6, motion: "animated", outputFormat: "gif", selectedSizeIds: ["iab-320x50", "iab-300x250"] },
] as const;

const ENDINGS = {
  canceled: (secret: string, jobId: string) => cancel(secret, jobId),
  "failed because of its inputs": (_: string, jobId: string) =>
    failJob(
      env.DB,
      jobId,
      { code: "HEADLINE_DOES_NOT_FIT", message: "The headline is too long." },
      Date.now(),
      {},
    ),
  "dead-lettered": (_: string, jobId: string) => failByDeadLetter({ jobId, part: 0 }),
} as const;

describe.each([
  ["credits", { credits: 20 }],
  ["subscription", { quota: 20 }],
  ["unlimited", { unlimited: true }],
] as const)("paid by %s", (source, access) => {
  it.each(Object.entries(ENDINGS))("a job (%s) is refunded exactly", async (_, end) => {
    holdQueue();
    const client = await workspaceWithLogo(access);
    const before = await readStored(client.workspaceId);
    for (const { cost, ...pack } of PACKS) {
      const { jobId } = await acceptedJob(client, pack);
      await end(client.secret, jobId);
      expect(await eventsOf(jobId)).toEqual([
        { type: "consumption", amount: -cost, source },
        { type: "refund", amount: cost, source },
      ]);
    }
    expect(await readStored(client.workspaceId)).toEqual(before);
    await expectInvariants(client.workspaceId);
  });
});

import { describe, expect, it } from "vitest";
import { change, seedWorkspace } from "../support/arrange.ts";
import { expectRateLimitHeaders, send } from "../support/client.ts";
import { creditsOf, finishLogoPack, ledgerOf } from "../support/flow.ts";
import type { Harness } from "../support/harness.ts";

export const jobCancels = (harness: Harness): void => {
  const { service } = harness;
  describe("API §3.1 POST /jobs/{jobId}/cancel in every state", () => {
    const jobIn = async (status: string) => {
      const { key } = await seedWorkspace(service, { credits: 5 });
      const { jobId } = await finishLogoPack(service, key);
      await change(
        service,
        `UPDATE jobs SET status = ?1, failure_code = iif(?1 = 'failed', 'RENDERING_FAILED', NULL),
           failure_message = iif(?1 = 'failed', 'It could not be drawn.', NULL) WHERE job_id = ?2`,
        status,
        jobId,
      );
      return { key, jobId };
    };
    const cancel = (key: string, jobId: string) =>
      send(service, "POST", `/api/v1/jobs/${jobId}/cancel`, { key });

    it("API §3.1, §3.3 queued → canceled 200 with one refund; a second cancel changes nothing", async () => {
      const { key, jobId } = await jobIn("queued");
      const answer = await cancel(key, jobId);
      expect(answer.status).toBe(200);
      expectRateLimitHeaders(answer);
      expect(answer.body.data).toMatchObject({ status: "canceled", artifactId: null });
      const again = await cancel(key, jobId);
      expect([again.status, again.body.data.status]).toEqual([200, "canceled"]);
      const refunds = (await ledgerOf(service, key)).filter((event) => event.type === "refund");
      expect(refunds.map(({ amount, jobId: of }) => [amount, of])).toEqual([[1, jobId]]);
      expect(await creditsOf(service, key)).toBe(5);
    });

    it.each(["succeeded", "failed"])(
      "API §3.3 %s: 200 with the current status and no refund",
      async (status) => {
        const { key, jobId } = await jobIn(status);
        const answer = await cancel(key, jobId);
        expect([answer.status, answer.body.data.status]).toEqual([200, status]);
        expect(await creditsOf(service, key)).toBe(4);
      },
    );

    it("API §3.4 running: 409 JOB_RUNNING, unchanged", async () => {
      const { key, jobId } = await jobIn("running");
      const answer = await cancel(key, jobId);
      expect([answer.status, answer.body.error.code]).toEqual([409, "JOB_RUNNING"]);
      expect(await creditsOf(service, key)).toBe(4);
    });
  });
};

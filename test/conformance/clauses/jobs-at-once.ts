import { describe, expect, it } from "vitest";
import { seedWorkspace } from "../support/arrange.ts";
import { createJob, creditsOf, ledgerOf, newKey, uploadLogo } from "../support/flow.ts";
import type { Harness } from "../support/harness.ts";
import { SIZES } from "../support/pack.ts";

export const jobsAtOnce = (harness: Harness): void => {
  const { service } = harness;
  describe("API §1.9 charges of concurrent requests are exact", () => {
    it("API §1.9, §4.15, §15.4 100 identical concurrent POST /jobs make one job and one consumption event", async () => {
      const { key } = await seedWorkspace(service, { credits: 50 });
      const mark = await uploadLogo(service, key);
      const idempotencyKey = newKey();
      const request = { contractId: "display.v1", selectedSizeIds: SIZES, assetIds: { logo: mark } };
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => createJob(service, key, request, idempotencyKey)),
      );
      const accepted = answers.filter((answer) => answer.status === 202);
      expect(accepted).toHaveLength(1);
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(99);
      expect(new Set(answers.map((answer) => answer.body.data.jobId)).size).toBe(1);
      const consumed = (await ledgerOf(service, key)).filter((event) => event.type === "consumption");
      expect(consumed.map((event) => event.amount)).toEqual([-2]);
      expect(await creditsOf(service, key)).toBe(48);
    });

    it("API §1.9, §15.1 of 50 concurrent jobs with credit for 10, exactly 10 are accepted and the balance is 0", async () => {
      const { key } = await seedWorkspace(service, { credits: 10 });
      const mark = await uploadLogo(service, key);
      const request = { contractId: "display.v1", selectedSizeIds: ["iab-320x50"], assetIds: { logo: mark } };
      const answers = await Promise.all(Array.from({ length: 50 }, () => createJob(service, key, request)));
      expect(answers.filter((answer) => answer.status === 202)).toHaveLength(10);
      expect(answers.filter((answer) => answer.status === 402)).toHaveLength(40);
      expect(await creditsOf(service, key)).toBe(0);
    });
  });
};

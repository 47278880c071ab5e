import { expect, it, vi } from "vitest";
import { balanceSchema } from "#api/schemas/balance.ts";
import { successEnvelope } from "#api/schemas/envelope.ts";
import { addMonths } from "#domains/ledger/period.ts";
import { clock, toTimestamp } from "#platform/clock.ts";
import { covered, readStored, spend } from "../support/ledger.ts";
import { call, createWorkspace } from "../support/workspace.ts";

/** Guarantee: the balance is what the next job could be paid from, at this moment. */

const readBalance = async (secret: string) => {
  const answer = await call("GET", "/api/v1/balance", { secret });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  return successEnvelope(balanceSchema.strict()).parse(answer.body).data;
};

it("a subscription beside credits, with what is left and when it resets", async () => {
  const { secret, workspaceId } = await createWorkspace({ credits: 2, quota: 10 });
  await covered(spend(workspaceId, 4));
  const { periodEnd } = await readStored(workspaceId);
  expect(await readBalance(secret)).toMatchObject({
    accessType: "subscription",
    credits: { available: 2 },
    subscription: {
      status: "active",
      quota: { limit: 10, used: 4, remaining: 6, resetsAt: toTimestamp(periodEnd ?? 0) },
    },
  });
});

it("a subscription is whole again once its period has ended, without any job", async () => {
  const { secret, workspaceId } = await createWorkspace({ quota: 10 });
  await covered(spend(workspaceId, 10));
  const { periodStart } = await readStored(workspaceId);
  vi.spyOn(clock, "now").mockReturnValue(addMonths(periodStart ?? 0, 1));
  expect((await readBalance(secret)).subscription?.quota).toEqual({
    limit: 10,
    used: 0,
    remaining: 10,
    resetsAt: toTimestamp(addMonths(periodStart ?? 0, 2)),
  });
});

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "#platform/ids.ts";
import { selectRow } from "../support/database.ts";
import {
  type Client,
  eventsOf,
  expectInvariants,
  holdQueue,
  jobIn,
  packOf,
  postJob,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { paidJobId, readStored, spend } from "../support/ledger.ts";
import { refusalOf } from "../support/refusals.ts";
import { call } from "../support/workspace.ts";
import { spyOnWrites } from "../support/write-batches.ts";

const run = (sql: string, workspaceId: string) => env.DB.prepare(sql).bind(workspaceId).run();
const loseUnlimited = ({ workspaceId }: Client) =>
  run("UPDATE workspaces SET has_unlimited_access = 0 WHERE workspace_id = ?1", workspaceId);
const loseSubscription = ({ workspaceId }: Client) =>
  run("UPDATE subscriptions SET status = 'canceled' WHERE workspace_id = ?1", workspaceId);
const spendOne = ({ workspaceId }: Client) => paidJobId(spend(workspaceId, 1));

/** Runs `interfere` once, between the choice of a means of payment and the batch that charges it. */
function beforeTheBatch(interfere: () => Promise<unknown>): void {
  const batch = env.DB.batch.bind(env.DB);
  spyOnWrites().mockImplementationOnce(async (statements) => {
    await interfere();
    return batch(statements);
  });
}

const PAIR = { selectedSizeIds: ["iab-300x250", "iab-728x90"] };

it.each([
  ["unlimited access", { unlimited: true, quota: 5 }, loseUnlimited, "subscription"],
  ["unlimited access", { unlimited: true, credits: 5 }, loseUnlimited, "credits"],
  ["the subscription", { quota: 5, credits: 5 }, loseSubscription, "credits"],
  ["the rest of a quota", { quota: 2, credits: 5 }, spendOne, "credits"],
] as const)("202, paid by another means, when %s of %j is lost", async (_, access, lose, source) => {
  holdQueue();
  const client = await workspaceWithLogo(access);
  beforeTheBatch(() => lose(client));
  const answer = await postJob(client.secret, packOf(client, PAIR));
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  expect(await eventsOf(jobIn(answer).jobId)).toEqual([{ type: "consumption", amount: -2, source }]);
});

describe("402, and no part of the job is written", () => {
  it.each([
    ["unlimited access", { unlimited: true, credits: 1 }, loseUnlimited, 1],
    ["the subscription", { quota: 5 }, loseSubscription, 0],
    ["the last credits", { credits: 2 }, spendOne, 1],
  ] as const)("when %s of %j is lost", async (_, access, lose, available) => {
    holdQueue();
    const client = await workspaceWithLogo(access);
    const idempotencyKey = newId();
    beforeTheBatch(() => lose(client));
    const answer = await postJob(client.secret, packOf(client, PAIR), idempotencyKey);
    expect(refusalOf(answer)).toEqual([402, "PAYMENT_REQUIRED"]);
    expect(answer.body.error.details).toMatchObject({ required: 2, available });
    expect((await readStored(client.workspaceId)).credits).toBe(available);
    const kept =
      await selectRow`SELECT (SELECT COUNT(*) FROM jobs WHERE workspace_id = ${client.workspaceId} AND status = 'queued') AS jobs,
              (SELECT COUNT(*) FROM idempotency_keys WHERE workspace_id = ${client.workspaceId} AND idempotency_key = ${idempotencyKey}) AS keys`;
    expect(kept).toEqual({ jobs: 0, keys: 0 });
  });

  it("and the same request succeeds once it can be paid", async () => {
    holdQueue();
    const client = await workspaceWithLogo({ unlimited: true });
    const idempotencyKey = newId();
    beforeTheBatch(() => loseUnlimited(client));
    expect((await postJob(client.secret, packOf(client), idempotencyKey)).status).toBe(402);
    await run("UPDATE workspaces SET has_unlimited_access = 1 WHERE workspace_id = ?1", client.workspaceId);
    expect((await postJob(client.secret, packOf(client), idempotencyKey)).status).toBe(202);
    const balance = await call("GET", "/api/v1/balance", { secret: client.secret });
    expect(balance.body.data.accessType).toBe("unlimited");
    await expectInvariants(client.workspaceId);
  });
});

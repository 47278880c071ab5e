import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { apiKeyPageSchema, apiKeySchema } from "#api/schemas/api-key.ts";
import { causeOfService } from "#domains/audit/audit-store.ts";
import { budgetOfKey } from "#domains/keys/budget-store.ts";
import { createKey } from "#domains/keys/create-key.ts";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { execute, selectRows } from "../support/database.ts";
import { type Client, cancel, holdQueue, packOf, postJob, workspaceWithLogo } from "../support/jobs.ts";
import { failAndRefund, spend } from "../support/ledger.ts";
import { callTool, errorOf } from "../support/mcp.ts";
import { call, createWorkspace, keyDatabase } from "../support/workspace.ts";

const NOON = Date.parse("2033-06-18T12:00:00.000Z");
const TOMORROW = "2033-06-19T00:00:00.000Z";
const NEXT_MONTH = "2033-07-01T00:00:00.000Z";

beforeEach(() => {
  holdQueue();
  vi.spyOn(clock, "now").mockReturnValue(NOON);
});

interface Budget {
  readonly daily?: number | null;
  readonly monthly?: number | null;
}

/** A workspace with a logo, and a key with this budget. */
async function clientWith(budget: Budget, options: Parameters<typeof createWorkspace>[0] = { credits: 100 }) {
  const owner = await workspaceWithLogo(options);
  const body = {
    name: "Spender",
    scopes: ["jobs:write", "jobs:read", "balance:read", "api-keys:write"],
    budget,
  };
  const made = await call("POST", "/api/v1/api-keys", { secret: owner.secret, body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { secret, apiKeyId } = made.body.data;
  return { owner, client: { ...owner, secret, apiKeyId } };
}

/** Orders a number of the smallest sizes. */
const order = (client: Client, sizes = 1, idempotencyKey: string = newId()) =>
  postJob(
    client.secret,
    packOf(client, { selectedSizeIds: ["iab-320x50", "iab-120x60", "iab-300x250"].slice(0, sizes) }),
    idempotencyKey,
  );

const refusalOf = ({ status, body }: Awaited<ReturnType<typeof order>>) => {
  const { required, available, resetsAt } = body.error?.details ?? {};
  return [status, body.error?.code, required, available, resetsAt];
};

const budgetIn = async (owner: Client, apiKeyId: string) => {
  const listed = await call("GET", "/api/v1/api-keys", { secret: owner.secret });
  const page = apiKeyPageSchema.parse(listed.body.data);
  for (const item of listed.body.data.items) apiKeySchema.strict().parse(item);
  return page.items.find((key) => key.apiKeyId === apiKeyId)?.budget;
};

describe("a budget", () => {
  it("per day restarts at midnight, while a budget per month continues", async () => {
    const { owner, client } = await clientWith({ daily: 3, monthly: 5 });
    expect((await order(client, 2)).status).toBe(202);
    expect(refusalOf(await order(client, 2))).toEqual([402, "BUDGET_EXHAUSTED", 2, 1, TOMORROW]);
    expect((await order(client, 1)).status).toBe(202);
    expect(await budgetIn(owner, client.apiKeyId)).toEqual({
      daily: 3,
      monthly: 5,
      spentToday: 3,
      spentThisMonth: 3,
    });
    vi.spyOn(clock, "now").mockReturnValue(Date.parse(TOMORROW) - 1);
    expect((await order(client)).status).toBe(402);
    vi.spyOn(clock, "now").mockReturnValue(Date.parse(TOMORROW));
    expect((await order(client, 2)).status).toBe(202);
    expect(refusalOf(await order(client))).toEqual([402, "BUDGET_EXHAUSTED", 1, 0, NEXT_MONTH]);
    vi.spyOn(clock, "now").mockReturnValue(Date.parse(NEXT_MONTH));
    expect((await order(client, 3)).status).toBe(202);
  });

  it("counts any payment: a subscription, and unlimited access", async () => {
    for (const paid of [{ quota: 50 }, { unlimited: true }]) {
      const { client } = await clientWith({ daily: 1 }, paid);
      expect((await order(client)).status).toBe(202);
      expect(refusalOf(await order(client))).toEqual([402, "BUDGET_EXHAUSTED", 1, 0, TOMORROW]);
    }
  });

  it("applies only to its key, not to other keys of the workspace", async () => {
    const { owner, client } = await clientWith({ monthly: 1 });
    for (let time = 0; time < 2; time += 1) expect((await order(owner)).status).toBe(202);
    expect((await order(client)).status).toBe(202);
    expect((await order(client)).status).toBe(402);
    expect((await order(owner)).status).toBe(202);
  });

  it("is checked before the balance; both must cover the order", async () => {
    const { client } = await clientWith({ daily: 2 }, { credits: 1 });
    expect(refusalOf(await order(client, 3))).toEqual([402, "BUDGET_EXHAUSTED", 3, 2, TOMORROW]);
    expect(refusalOf(await order(client, 2))).toEqual([402, "PAYMENT_REQUIRED", 2, 1, undefined]);
  });

  it("is restored by refunds, for the day of the refunded job", async () => {
    const { owner, client } = await clientWith({ daily: 1, monthly: 1 });
    const first = (await order(client)).body.data;
    expect((await order(client)).status).toBe(402);
    expect((await cancel(client.secret, first.jobId)).status).toBe(200);
    const second = (await order(client)).body.data;
    vi.spyOn(clock, "now").mockReturnValue(Date.parse(TOMORROW));
    await failAndRefund(second.jobId, clock.now());
    expect(await budgetIn(owner, client.apiKeyId)).toMatchObject({ spentToday: 0, spentThisMonth: 0 });
    expect((await order(client)).status).toBe(202);
    expect(await budgetIn(owner, client.apiKeyId)).toMatchObject({ spentToday: 1, spentThisMonth: 1 });
  });
});

describe("concurrent orders", () => {
  it("are accepted up to the budget, and the others store nothing", async () => {
    const { client } = await clientWith({ daily: 5 });
    // The first order fills the caches, so that the others use cached preconditions.
    expect((await order(client)).status).toBe(202);
    const answers = await Promise.all(Array.from({ length: 20 }, () => order(client)));
    const codes = answers.map(({ status, body }) => body.error?.code ?? status);
    expect(codes.filter((code) => code === 202)).toHaveLength(4);
    expect(codes.filter((code) => code === "BUDGET_EXHAUSTED")).toHaveLength(16);
    const stored = await selectRows<{ jobs: number; spent: number }>`
      SELECT (SELECT count(*) FROM jobs WHERE workspace_id = ${client.workspaceId}) AS jobs,
        -(SELECT sum(amount) FROM ledger_events WHERE workspace_id = ${client.workspaceId} AND amount < 0) AS spent`;
    expect(stored).toEqual([{ jobs: 5, spent: 5 }]);
  });

  it("with one Idempotency-Key are one order; its replay is never refused for the budget", async () => {
    const { client } = await clientWith({ daily: 1 });
    const idempotencyKey = newId();
    const answers = await Promise.all(Array.from({ length: 6 }, () => order(client, 1, idempotencyKey)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 202]);
    expect((await order(client)).status).toBe(402);
    const again = await order(client, 1, idempotencyKey);
    expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([200, "true"]);
  });

  it("dated to another day by clock skew count in that day's budget", async () => {
    const { client } = await clientWith({ daily: 1 });
    const { workspaceId, apiKeyId } = client;
    const midnight = Date.parse(TOMORROW);
    await spend(workspaceId, 1, midnight, { apiKeyId });
    vi.spyOn(clock, "now").mockReturnValue(midnight - 1);
    expect(refusalOf(await order(client))).toEqual([
      402,
      "BUDGET_EXHAUSTED",
      1,
      0,
      "2033-06-20T00:00:00.000Z",
    ]);
    const at = { workspaceId, apiKeyId, nowMs: midnight - 1 };
    expect(await budgetOfKey.first(env.DB, at)).toMatchObject({ orderedAtMs: midnight + 1, spentToday: 1 });
  });
});

describe("a key with a budget", () => {
  it("creates no key if it gets the budget at the same time", async () => {
    const owner = await createWorkspace({ credits: 100, scopes: ["jobs:write", "api-keys:write"] });
    await execute`UPDATE api_keys SET daily_budget = 1 WHERE api_key_id = ${owner.apiKeyId}`;
    const creator = {
      ...{ apiKeyId: owner.apiKeyId, workspaceId: owner.workspaceId, workspaceKind: "standard" as const },
      ...{
        scopes: ["jobs:write"] as const,
        expiresAt: null,
        livemode: true,
        countedAs: owner.apiKeyId,
        isOfSession: false,
        isOfAgent: false,
        home: "DB" as const,
        isMoving: false,
      },
    };
    const request = { name: "Child", scopes: ["jobs:write"] as const, expiresAt: null };
    expect(
      await createKey(keyDatabase(), creator, true, request, causeOfService("system", NOON)),
    ).toMatchObject({
      ok: false,
      code: "SCOPE_NOT_GRANTABLE",
    });
  });

  it("gets the same refusals from a tool as from the API", async () => {
    const { client } = await clientWith({ daily: 1 });
    expect((await order(client)).status).toBe(202);
    const pack = { ...packOf(client), idempotencyKey: newId() };
    expect(errorOf(await callTool(client.secret, "create_pack", pack))).toMatchObject({
      code: "BUDGET_EXHAUSTED",
      details: { required: 1, available: 0, resetsAt: TOMORROW },
    });
  });
});

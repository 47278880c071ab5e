import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accept } from "#api/errors.ts";
import { createRecentKeys } from "#domains/keys/recent-keys.ts";
import { authenticateSecret } from "#domains/keys/service.ts";
import { newId } from "#platform/ids.ts";
import { estimateMove } from "../../scripts/operate/shards/commands.ts";
import {
  type Access,
  addKey,
  cancel,
  create,
  failedJobs,
  grant,
  rerun,
  resume,
  revoke,
  setAccess,
  show,
  suspend,
} from "../../scripts/operate/workspace/commands.ts";
import { openDatabase } from "../../scripts/operate/workspace/open-database.ts";
import type { OperatorDatabase } from "../../scripts/operate/workspace/operator-database.ts";
import { reportStatement, statement } from "../../scripts/operate/workspace/statement-command.ts";
import {
  OPERATOR_PEPPER as KEY_PEPPER,
  type OpenOperatorDatabase,
  openOperatorDatabase,
} from "../support/operator-database.ts";

/** A worker sees every change that an operator makes in its state folder. */

const NOW_MS = Date.parse("2026-06-18T12:00:00.000Z");

let opened: OpenOperatorDatabase;
let operator: OperatorDatabase;
let folder: string;

beforeAll(async () => {
  opened = await openOperatorDatabase(NOW_MS);
  ({ operator, folder } = opened);
}, 60_000);

afterAll(() => opened.close());

const make = (access: Access) => create(operator, { workspaceName: "Acme", access });
const look = (workspaceId: string) => show(operator, { workspaceId });
async function authenticate(secret: string) {
  const deferred: Promise<void>[] = [];
  const outcome = await authenticateSecret(
    {
      databases: { directory: operator.db, shards: new Map() },
      keyPepper: KEY_PEPPER,
      keyPepperPrevious: null,
    },
    secret,
    operator.nowMs,
    (work) => deferred.push(work),
    { recentKeys: createRecentKeys(), mayUseCache: false },
  );
  await Promise.all(deferred);
  return outcome.ok ? accept(outcome.value.principal) : outcome;
}

it("statement shows the same month as the customer's API, and changes nothing", async () => {
  const { workspaceId } = await make({ kind: "credits", credits: 25 });
  const found = await statement(operator, { workspaceId, month: null });
  expect(found).toMatchObject({
    month: "2026-06",
    isOver: false,
    credits: { opening: 0, grants: 25, closing: 25 },
    orders: { jobs: 0 },
    payments: [],
  });
  const text = reportStatement({ ...found, workspaceName: "\u001b[2JAcme" });
  expect(text).toContain("Month        2026-06, until now");
  expect(text).toMatch(/ {2}closing +25\n/);
  expect(text).not.toContain("\u001b");
  const may = await statement(operator, { workspaceId, month: "2026-05" });
  expect(may).toMatchObject({ isOver: true, credits: { opening: 0, closing: 0 } });
  await expect(statement(operator, { workspaceId, month: "2026-07" })).rejects.toThrow("in the future");
  await expect(statement(operator, { workspaceId: newId(), month: null })).rejects.toThrow("no workspace");
});

describe("create", () => {
  it.each([
    ["credits", { kind: "credits", credits: 25 }, { credits: { available: 25 }, subscription: null }],
    [
      "subscription",
      { kind: "subscription", quotaLimit: 9, period: "month" },
      { subscription: { quota: { limit: 9, remaining: 9, resetsAt: "2026-07-18T12:00:00.000Z" } } },
    ],
    ["unlimited", { kind: "unlimited" }, { credits: { available: 0 } }],
  ] as const)(
    "with %s access returns the balance and a working key of the workspace",
    async (accessType, access, shown) => {
      const created = await make(access);
      expect(created.balance).toMatchObject({ accessType, ...shown });
      expect(await authenticate(created.secret)).toMatchObject({
        ok: true,
        value: { workspaceId: created.workspaceId, apiKeyId: created.apiKeyId },
      });
    },
  );

  it("rejects a pepper that the worker would reject", async () => {
    const envFile = join(folder, "short");
    await writeFile(envFile, "KEY_PEPPER=short\n");
    const weak = { ...operator, target: { ...operator.target, envFile } };
    const command = { workspaceName: "Acme", access: { kind: "unlimited" } } as const;
    await expect(create(weak, command)).rejects.toThrow("32 characters");
  });
});

it("suspend stops a workspace until resume, keeps the time of the first call, and rejects an unknown workspace", async () => {
  const { workspaceId, secret } = await make({ kind: "credits", credits: 1 });
  const since = "2026-06-18T12:00:00.000Z";
  expect(await suspend(operator, { workspaceId })).toEqual({ workspaceId, suspendedAt: since });
  const later = { ...operator, nowMs: operator.nowMs + 60_000 };
  expect(await suspend(later, { workspaceId })).toEqual({ workspaceId, suspendedAt: since });
  expect(await look(workspaceId)).toMatchObject({ suspendedAt: since });
  expect(await authenticate(secret)).toMatchObject({ ok: false, code: "WORKSPACE_INACTIVE" });
  expect(await resume(operator, { workspaceId })).toEqual({ workspaceId, suspendedAt: null });
  expect(await authenticate(secret)).toMatchObject({ ok: true });
  await expect(suspend(operator, { workspaceId: newId() })).rejects.toThrow("no workspace");
});

describe("grant", () => {
  it("adds credits each time, but only once per reference", async () => {
    const { workspaceId } = await make({ kind: "credits", credits: 1 });
    const give = (cause = {}) => grant(operator, { workspaceId, credits: 4, cause });
    expect([await give(), await give()].map(({ granted }) => granted)).toEqual([4, 4]);
    const invoices = [await give({ reference: "INV-1" }), await give({ reference: "INV-1" })];
    expect(invoices.map(({ granted, balance }) => [granted, balance.credits.available])).toEqual([
      [4, 13],
      [0, 13],
    ]);
  });

  it("adds credits to each of two workspaces with the same reference", async () => {
    const two = [await make({ kind: "unlimited" }), await make({ kind: "unlimited" })];
    for (const { workspaceId } of two) {
      const command = { workspaceId, credits: 2, cause: { reference: "INV-2" } } as const;
      expect((await grant(operator, command)).granted).toBe(2);
    }
  });

  it("rejects an unknown workspace", async () => {
    const command = { workspaceId: newId(), credits: 1, cause: {} } as const;
    await expect(grant(operator, command)).rejects.toThrow("There is no workspace");
  });
});

describe("set-access", () => {
  const change = (workspaceId: string, access: Parameters<typeof setAccess>[1]["access"]) =>
    setAccess(operator, { workspaceId, access });

  it("replaces the plan and keeps the credits, in any order and number of times", async () => {
    const { workspaceId } = await make({ kind: "credits", credits: 7 });
    const quota = (quotaLimit: number) => ({ kind: "subscription", quotaLimit, period: "day" }) as const;
    const seen = [];
    for (const access of [
      quota(5),
      quota(8),
      { kind: "unlimited" },
      quota(3),
      { kind: "credits" },
    ] as const) {
      const { balance } = await change(workspaceId, access);
      seen.push([balance.accessType, balance.credits.available, balance.subscription?.quota.limit ?? null]);
    }
    expect(seen).toEqual([
      ["subscription", 7, 5],
      ["subscription", 7, 8],
      ["unlimited", 7, null],
      ["subscription", 7, 3],
      ["credits", 7, null],
    ]);
  });

  it("rejects an unknown workspace", async () => {
    await expect(change(newId(), { kind: "unlimited" })).rejects.toThrow("There is no workspace");
  });
});

describe("add-key", () => {
  it("adds a key of the workspace with the named scopes, and keeps its other keys", async () => {
    const { workspaceId, secret } = await make({ kind: "credits", credits: 1 });
    const scopes = ["jobs:read"] as const;
    const made = await addKey(operator, { workspaceId, keyName: "CI", scopes });
    expect(await authenticate(made.secret)).toMatchObject({ ok: true, value: { workspaceId, scopes } });
    expect((await authenticate(secret)).ok).toBe(true);
    expect((await look(workspaceId)).keys.map(({ name }) => name).sort()).toEqual(["CI", "First key"]);
  });

  it("rejects an unknown workspace, and a trial", async () => {
    const add = (workspaceId: string) =>
      addKey(operator, { workspaceId, keyName: "CI", scopes: ["jobs:read"] });
    await expect(add(newId())).rejects.toThrow("There is no workspace");
    const { workspaceId } = await make({ kind: "credits", credits: 1 });
    await operator.db
      .prepare("UPDATE workspaces SET kind = 'trial', expires_at = ?2 WHERE workspace_id = ?1")
      .bind(workspaceId, NOW_MS + 60_000)
      .run();
    await expect(add(workspaceId)).rejects.toThrow("trial workspace");
  });
});

it("failed-jobs, rerun-job and cancel-job find nothing without failures, and reject an unknown job", async () => {
  const found = await failedJobs(operator, { sinceMs: 0 });
  expect(found).toEqual({ isTruncated: false, jobs: [] });
  const { workspaceId } = await make({ kind: "credits", credits: 1 });
  const command = { name: "rerun-job", workspaceId, jobId: newId() } as const;
  await expect(rerun(operator, command)).rejects.toThrow("no job with this id");
  await expect(cancel(operator, command)).rejects.toThrow("no job with this id");
});

describe("show and revoke-key", () => {
  it("show keys without secrets, and a revoked one stops working", async () => {
    const { workspaceId, apiKeyId, secret } = await make({ kind: "credits", credits: 3 });
    const found = await look(workspaceId);
    expect(found).toMatchObject({ name: "Acme", kind: "standard", keys: [{ apiKeyId, status: "active" }] });
    expect(found.latestEvents.map(({ type, amount }) => [type, amount])).toEqual([["grant", 3]]);
    expect(JSON.stringify(found)).not.toContain(secret.slice(15));
    await revoke(operator, { workspaceId, apiKeyId, isCascade: false });
    expect(await authenticate(secret)).toMatchObject({ ok: false, code: "KEY_REVOKED" });
  });

  it("reject a key of another workspace", async () => {
    const [one, other] = [await make({ kind: "unlimited" }), await make({ kind: "unlimited" })];
    const choice = { workspaceId: one.workspaceId, apiKeyId: other.apiKeyId, isCascade: true };
    const command = { ...choice } as const;
    await expect(revoke(operator, command)).rejects.toThrow("has no API key");
    expect((await authenticate(other.secret)).ok).toBe(true);
  });
});

it("a second process on the same folder sees the same workspaces", async () => {
  const { workspaceId } = await make({ kind: "credits", credits: 5 });
  const second = await openDatabase(operator.target);
  try {
    const beside = { ...operator, db: second.db };
    await grant(beside, { workspaceId, credits: 2, cause: {} });
    expect((await look(workspaceId)).balance.credits.available).toBe(7);
  } finally {
    await second.close();
  }
});

it("a move's estimate counts the workspace's rows: three minutes plus one for each four thousand", async () => {
  const { workspaceId } = await make({ kind: "unlimited" });
  const { databases, db } = operator;
  expect(await estimateMove({ databases }, newId())).toEqual({ rows: 0, minutes: 0 });
  // The workspace has two rows: its key, and the audit event of the key.
  expect(await estimateMove({ databases }, workspaceId)).toEqual({ rows: 2, minutes: 4 });
  await db
    .prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 8000)
       INSERT INTO previews (object_key, workspace_id, expires_at) SELECT 'estimated/' || n, ?1, 1 FROM numbers`,
    )
    .bind(workspaceId)
    .run();
  expect(await estimateMove({ databases }, workspaceId)).toEqual({ rows: 8_002, minutes: 6 });
});

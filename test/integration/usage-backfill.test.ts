import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { readStatement } from "#domains/usage/month-statement.ts";
import { execute, selectRows } from "../support/database.ts";

/** Guarantee: what was spent before there were sums stands in them, and in statements of months that were over then. */

const OCTOBER = Date.parse("2026-10-05T12:00:00.000Z");
const NOVEMBER = Date.parse("2026-11-01T00:00:00.000Z");
const MIGRATION = "0021";

const event = (
  type: string,
  amount: number,
  balanceAfter: number | null,
  jobId: string | null,
  atMs: number,
) =>
  execute`INSERT INTO ledger_events (workspace_id, type, amount, source, balance_after, job_id, reference, description, created_at)
    VALUES ('w', ${type}, ${amount}, ${balanceAfter === null ? "unlimited" : "credits"}, ${balanceAfter}, ${jobId},
      ${`${type}:${jobId}`}, 'Before', ${atMs})`;

const job = (jobId: string, contractId: string, cost: number, atMs: number) =>
  execute`INSERT INTO jobs (job_id, workspace_id, status, contract_id, motion, output_format, selected_size_ids, asset_ids,
      copy, brand, render_inputs, cost_credits, render_fingerprint, artifact_id, created_at)
    VALUES (${jobId}, 'w', 'failed', ${contractId}, 'static', 'png', '[]', '{}', '{}', '{}', '{}', ${cost}, 'f', ${jobId}, ${atMs})`;

it("a ledger of before the migration has the sums and months that it would have", async () => {
  await reset();
  const isBefore = ({ name }: { readonly name: string }) => name < MIGRATION;
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS.filter(isBefore));
  await execute`INSERT INTO workspaces (workspace_id, name, kind, created_at) VALUES ('w', 'Old', 'standard', 1)`;
  await event("grant", 20, 20, null, OCTOBER);
  await event("consumption", -5, 15, "one", OCTOBER + 1);
  await job("one", "display.v1", 5, OCTOBER + 1);
  await execute`UPDATE workspaces SET has_unlimited_access = 1`;
  await event("consumption", -3, null, "two", OCTOBER + 2);
  await job("two", "social.v1", 3, OCTOBER + 2);
  await event("refund", 5, 20, "one", NOVEMBER);
  // Of a clock that is late: it stands in the month that has begun.
  await event("adjustment", -2, 18, null, NOVEMBER - 1);
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);

  expect(
    await selectRows`SELECT day, api_key_id, contract_id, source, jobs, consumed, refunded FROM usage_days ORDER BY contract_id`,
  ).toEqual([
    {
      day: "2026-10-05",
      api_key_id: "",
      contract_id: "display.v1",
      source: "credits",
      jobs: 1,
      consumed: 5,
      refunded: 5,
    },
    {
      day: "2026-10-05",
      api_key_id: "",
      contract_id: "social.v1",
      source: "unlimited",
      jobs: 1,
      consumed: 3,
      refunded: 0,
    },
  ]);
  const creditsOf = async (month: string) => {
    const read = await readStatement(env.DB, "w", month, NOVEMBER);
    return read?.ok === true ? read.value.credits : read;
  };
  const none = { purchases: 0, grants: 0, consumption: 0, refunds: 0, adjustments: 0, expiries: 0 };
  expect(await creditsOf("2026-10")).toEqual({
    ...none,
    opening: 0,
    grants: 20,
    consumption: -5,
    closing: 15,
  });
  expect(await creditsOf("2026-11")).toEqual({
    ...none,
    opening: 15,
    refunds: 5,
    adjustments: -2,
    closing: 18,
  });
});

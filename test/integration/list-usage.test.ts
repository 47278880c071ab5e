import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { successEnvelope } from "#api/schemas/envelope.ts";
import { usagePageSchema } from "#api/schemas/usage.ts";
import { grantStatement } from "#domains/workspaces/create-workspace.ts";
import { call, createWorkspace } from "../support/workspace.ts";

const page = async (secret: string, query = "") => {
  const answer = await call("GET", `/api/v1/usage${query}`, { secret });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return successEnvelope(usagePageSchema.strict()).parse(answer.body).data;
};

async function workspaceWithGrants(count: number) {
  const workspace = await createWorkspace({});
  for (let credits = 1; credits <= count; credits += 1) {
    await grantStatement(env.DB, workspace.workspaceId, credits, Date.now()).run();
  }
  return workspace;
}

it("pages of any size contain every event once; a full last page has no next page", async () => {
  const { secret } = await workspaceWithGrants(6);
  for (const limit of [1, 2, 3, 4, 6]) {
    const seen: number[] = [];
    let before: string | null = "";
    while (before !== null) {
      const found: Awaited<ReturnType<typeof page>> = await page(
        secret,
        `?limit=${limit}${before === "" ? "" : `&before=${before}`}`,
      );
      seen.push(...found.items.map(({ amount }) => amount));
      before = found.nextBefore;
    }
    expect(seen, `limit ${limit}`).toEqual([6, 5, 4, 3, 2, 1]);
  }
});

it("events added during paging are not shown, and none is skipped", async () => {
  const { secret, workspaceId } = await workspaceWithGrants(4);
  const first = await page(secret, "?limit=2");
  await grantStatement(env.DB, workspaceId, 50, Date.now()).run();
  const second = await page(secret, `?limit=2&before=${first.nextBefore}`);
  expect([...first.items, ...second.items].map(({ amount }) => amount)).toEqual([4, 3, 2, 1]);
});

it.each([
  ["2^53", "9007199254740992"],
  ["2^63", "9223372036854775808"],
  ["a number too large for a double", "9".repeat(400)],
])("a cursor of %s starts with the newest event", async (_, before) => {
  const { secret } = await workspaceWithGrants(2);
  expect((await page(secret, `?before=${before}`)).items.map(({ amount }) => amount)).toEqual([2, 1]);
});

it("leading zeros do not change a cursor, and a cursor of 0 finds no event", async () => {
  const { secret } = await workspaceWithGrants(2);
  const [newest] = (await page(secret)).items;
  const padded = `${"0".repeat(40)}${newest?.eventId}`;
  expect((await page(secret, `?before=${padded}`)).items.map(({ amount }) => amount)).toEqual([1]);
  expect((await page(secret, "?before=0")).items).toEqual([]);
});

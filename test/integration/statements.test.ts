import { env } from "cloudflare:workers";
import { and, asc, eq, gt, isNull, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import { guard, isGuardViolation } from "#platform/db/batch-guard.ts";
import { latest } from "#platform/db/reader.ts";
import { apiKeys, batchGuards, workspaces } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { newId } from "#platform/ids.ts";
import { createWorkspace } from "../support/workspace.ts";

const addKey = statement(
  (given: Given<{ apiKeyId: string; workspaceId: string; name: string; scopes: readonly "jobs:read"[] }>) =>
    query.insert(apiKeys).values({
      apiKeyId: given.apiKeyId,
      workspaceId: given.workspaceId,
      name: given.name,
      prefix: "cpk",
      secretHash: given.apiKeyId,
      scopes: given.scopes,
      createdAt: 7,
    }),
);

const keyWithWorkspace = statement((given: Given<{ apiKeyId: string }>) =>
  query
    .read(apiKeys, {
      name: apiKeys.name,
      createdAt: apiKeys.createdAt,
      expiresAt: apiKeys.expiresAt,
      scopes: apiKeys.scopes,
      workspaceName: workspaces.name,
      workspaceCreatedAt: workspaces.createdAt,
      hasUnlimitedAccess: workspaces.hasUnlimitedAccess,
    })
    .innerJoin(workspaces, eq(workspaces.workspaceId, apiKeys.workspaceId))
    .where(eq(apiKeys.apiKeyId, given.apiKeyId)),
);

const rename = statement((given: Given<{ name: string; apiKeyId: string }>) =>
  query.update(apiKeys).set({ name: given.name }).where(eq(apiKeys.apiKeyId, given.apiKeyId)),
);

const newKeyOf = (workspaceId: string, name = "A key") => ({
  apiKeyId: newId(),
  workspaceId,
  name,
  scopes: ["jobs:read"] as const,
});

describe("a statement", () => {
  it("reads columns of the same name from two tables separately", async () => {
    const { workspaceId } = await createWorkspace({ unlimited: true });
    const key = newKeyOf(workspaceId);
    expect(await addKey.run(env.DB, key)).toBe(1);
    const row = await keyWithWorkspace.first(latest(env.DB), key);
    expect(row).toEqual({
      name: "A key",
      createdAt: 7,
      expiresAt: null,
      scopes: ["jobs:read"],
      workspaceName: "Test",
      workspaceCreatedAt: expect.any(Number),
      hasUnlimitedAccess: true,
    });
    expect(row?.workspaceCreatedAt).toBeGreaterThan(7);
    expect(await keyWithWorkspace.first(env.DB, { apiKeyId: newId() })).toBeNull();
  });

  it("encodes updated values as their columns require", async () => {
    const { workspaceId, apiKeyId } = await createWorkspace();
    const setUnlimited = statement((given: Given<{ isUnlimited: boolean; workspaceId: string }>) =>
      query
        .update(workspaces)
        .set({ hasUnlimitedAccess: given.isUnlimited })
        .where(eq(workspaces.workspaceId, given.workspaceId))
        .returning({ hasUnlimitedAccess: workspaces.hasUnlimitedAccess, credits: workspaces.credits }),
    );
    const setScopes = statement((given: Given<{ scopes: readonly "jobs:read"[]; apiKeyId: string }>) =>
      query.update(apiKeys).set({ scopes: given.scopes }).where(eq(apiKeys.apiKeyId, given.apiKeyId)),
    );
    expect(await setUnlimited.all(env.DB, { isUnlimited: true, workspaceId })).toEqual([
      { hasUnlimitedAccess: true, credits: 0 },
    ]);
    await setScopes.run(env.DB, { scopes: [], apiKeyId });
    expect((await keyWithWorkspace.first(env.DB, { apiKeyId }))?.scopes).toEqual([]);
  });

  it("binds a value wherever its name occurs, in any order", async () => {
    const { workspaceId } = await createWorkspace();
    for (const name of ["b", "a", "c"]) await addKey.run(env.DB, newKeyOf(workspaceId, name));
    const namesAfter = statement(
      (given: Given<{ workspaceId: string; after: string | null; limit: number }>) =>
        query
          .read(apiKeys, { name: apiKeys.name })
          .where(
            and(
              or(isNull(given.after), gt(apiKeys.name, given.after)),
              eq(apiKeys.workspaceId, given.workspaceId),
              eq(apiKeys.createdAt, 7),
            ),
          )
          .orderBy(asc(apiKeys.name))
          .limit(given.limit),
    );
    const names = async (after: string | null, limit: number) =>
      (await namesAfter.all(env.DB, { limit, after, workspaceId })).map(({ name }) => name);
    expect(await names(null, 2)).toEqual(["a", "b"]);
    expect(await names("a", 9)).toEqual(["b", "c"]);
  });

  it("qualifies the columns of a subquery with their tables", async () => {
    const { workspaceId, apiKeyId } = await createWorkspace();
    const sibling = alias(apiKeys, "sibling");
    const withSiblings = statement((given: Given<{ apiKeyId: string }>) =>
      query
        .read(apiKeys, {
          siblings: sql<number>`(select count(*) from ${apiKeys} as "sibling"
            where ${sibling.workspaceId} = ${apiKeys.workspaceId} and ${sibling.apiKeyId} <> ${apiKeys.apiKeyId})`,
        })
        .where(eq(apiKeys.apiKeyId, given.apiKeyId)),
    );
    expect(await withSiblings.all(env.DB, { apiKeyId })).toEqual([{ siblings: 0 }]);
    await addKey.run(env.DB, newKeyOf(workspaceId));
    expect(await withSiblings.all(env.DB, { apiKeyId })).toEqual([{ siblings: 1 }]);
  });

  it("inserts only if a condition is true, with defaults for omitted columns", async () => {
    const { workspaceId } = await createWorkspace();
    const addOnce = statement((given: Given<{ workspaceId: string; apiKeyId: string }>) =>
      query
        .insert(apiKeys)
        .selecting(
          {
            apiKeyId: given.apiKeyId,
            workspaceId: given.workspaceId,
            name: sql`'Only ' || ${given.workspaceId}`,
            prefix: "cpk",
            secretHash: given.apiKeyId,
            scopes: ["jobs:read"],
            createdAt: 7,
          },
          sql`where not exists (select 1 from ${apiKeys}
            where ${apiKeys.workspaceId} = ${given.workspaceId} and ${apiKeys.createdAt} = 7)`,
        )
        .returning({ name: apiKeys.name, scopes: apiKeys.scopes, ancestorKeyIds: apiKeys.ancestorKeyIds }),
    );
    expect(await addOnce.all(env.DB, { workspaceId, apiKeyId: newId() })).toEqual([
      { name: `Only ${workspaceId}`, scopes: ["jobs:read"], ancestorKeyIds: "" },
    ]);
    expect(await addOnce.all(env.DB, { workspaceId, apiKeyId: newId() })).toEqual([]);
  });

  it("returns its rows by its position in a batch, and throws for a missing position", async () => {
    const { workspaceId } = await createWorkspace();
    const key = newKeyOf(workspaceId);
    const results = await latest(env.DB).batch([
      addKey.bind(env.DB, key),
      rename.bind(env.DB, { apiKeyId: key.apiKeyId, name: "Renamed" }),
      keyWithWorkspace.bind(env.DB, key),
    ]);
    expect(keyWithWorkspace.row(results[2])?.name).toBe("Renamed");
    expect(() => keyWithWorkspace.rows(results[3])).toThrow("a batch without the result of");
  });
});

describe("a guard", () => {
  const assertNamed = statement((given: Given<{ apiKeyId: string; name: string | null }>) =>
    guard(
      "key_active",
      sql`(select ${apiKeys.name} from ${apiKeys} where ${apiKeys.apiKeyId} = ${given.apiKeyId}) = ${given.name}`,
    ),
  );
  const guards = statement(() => query.read(batchGuards, { violated: batchGuards.violated }));

  it("lets a batch pass if its condition is true, and writes nothing", async () => {
    const { apiKeyId } = await createWorkspace();
    const [guarded] = await env.DB.batch([
      assertNamed.bind(env.DB, { apiKeyId, name: "First key" }),
      rename.bind(env.DB, { apiKeyId, name: "Second" }),
    ]);
    expect(guarded?.meta.rows_written).toBe(0);
    expect((await keyWithWorkspace.first(env.DB, { apiKeyId }))?.name).toBe("Second");
    expect(await guards.all(env.DB, {})).toEqual([]);
  });

  it.each([
    ["false", "Another"],
    ["unknown", null],
  ])("rolls back a batch if its condition is %s, and is recognized by its name", async (_, name) => {
    const { apiKeyId } = await createWorkspace();
    const thrown: unknown = await env.DB.batch([
      rename.bind(env.DB, { apiKeyId, name: "Second" }),
      assertNamed.bind(env.DB, { apiKeyId, name }),
    ]).catch((error: unknown) => error);
    expect(isGuardViolation(thrown, "key_active")).toBe(true);
    expect(isGuardViolation(thrown, "workspace_limit")).toBe(false);
    expect((await keyWithWorkspace.first(env.DB, { apiKeyId }))?.name).toBe("First key");
    expect(await guards.all(env.DB, {})).toEqual([]);
  });
});

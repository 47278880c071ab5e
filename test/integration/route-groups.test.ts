import { expect, it } from "vitest";
import { groupFinder } from "#interface/http/answer-by-group.ts";
import { ROUTE_GROUPS } from "#interface/routes/index.ts";

/** A request loads only the route group of its operation, and each operation is in one group. */

const findGroup = groupFinder(ROUTE_GROUPS);
/** A path of the operation, with ids in place of its parameters. */
const asked = (path: string) => path.replaceAll(/\{\w+\}/g, "0199f0c9-0a2b-7c44-8f10-5d6e7f809a1b");

it("route groups are found by the paths of their operations", async () => {
  const lost: string[] = [];
  for (const group of ROUTE_GROUPS) {
    for (const { declaration } of (await group.load()).routes) {
      if (findGroup(asked(declaration.path)) !== group)
        lost.push(`${declaration.method} ${declaration.path}`);
    }
  }
  expect(lost).toEqual([]);
});

it("no operation is in two route groups", async () => {
  const groups = await Promise.all(ROUTE_GROUPS.map(({ load }) => load()));
  const names = groups.flatMap(({ routes }) => routes.map(({ declaration }) => declaration.operationId));
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

it("a path that is shorter than a prefix, or extends its last segment, does not match the route group", () => {
  for (const path of ["/", "/api", "/api/v1", "/api/v1/jobsite", "/api/v2/jobs", "/healthy", "/docs", ""]) {
    expect(findGroup(path), path).toBeNull();
  }
});

it("the route group with the longest matching prefix is chosen", async () => {
  const operationsAt = async (path: string) =>
    (await findGroup(path)?.load())?.routes.map(({ declaration }) => declaration.operationId);
  expect(await operationsAt("/api/v1/artifacts/any/shares/any/mail")).toContain("mailShare");
  expect(await operationsAt("/api/v1/artifacts/any/files")).toContain("getArtifact");
  expect(await operationsAt("/api/account/workspaces/any/billing")).toContain("getBilling");
  expect(await operationsAt("/api/account/workspaces/any/members")).toContain("listMembers");
  expect(await operationsAt("/api/account/session")).toContain("signIn");
});

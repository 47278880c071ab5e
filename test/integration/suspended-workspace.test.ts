import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { setSuspended } from "#domains/workspaces/store.ts";
import { clock } from "#platform/clock.ts";
import { callAs } from "../support/accounts.ts";
import { clientWithOwner, HOOK_URL } from "../support/deliveries.ts";
import { acceptedJob, deliver, packOf, postJob, readJob } from "../support/jobs.ts";
import { refusalOf } from "../support/refusals.ts";
import { call } from "../support/workspace.ts";

async function workspaceWithOwner() {
  const owned = await clientWithOwner({ credits: 5 });
  return { ...owned, path: `/api/account/workspaces/${owned.workspaceId}` };
}

const suspend = (workspaceId: string, sinceMs: number | null) =>
  setSuspended.run(env.DB, { workspaceId, sinceMs });

it("all keys of a suspended workspace are refused, even cached ones", async () => {
  const { client } = await workspaceWithOwner();
  // This request puts the key into the isolate's cache.
  expect((await call("GET", "/api/v1/balance", { secret: client.secret })).status).toBe(200);
  await suspend(client.workspaceId, 1);
  const refused = await postJob(client.secret, packOf(client));
  expect(refusalOf(refused)).toEqual([401, "WORKSPACE_INACTIVE"]);
  expect(refused.body.error.message).toContain("suspended");
  vi.spyOn(clock, "now").mockReturnValue(Date.now() + 10_001);
  const read = await call("GET", "/api/v1/balance", { secret: client.secret });
  expect(refusalOf(read)).toEqual([401, "WORKSPACE_INACTIVE"]);
  expect(read.body.error.details.nextAction).toContain("operator");
  await suspend(client.workspaceId, null);
  vi.spyOn(clock, "now").mockReturnValue(Date.now() + 20_002);
  const balance = await call("GET", "/api/v1/balance", { secret: client.secret });
  expect(balance.body.data.credits.available).toBe(5);
});

it("API §11.7 members of a suspended workspace can read everything but deliveries, and change nothing", async () => {
  const { client, account, path } = await workspaceWithOwner();
  await suspend(client.workspaceId, 1);
  expect((await callAs(account, "GET", `${path}/balance`)).status).toBe(200);
  expect((await callAs(account, "GET", `${path}/jobs`)).status).toBe(200);
  const deliveries = [
    `${path}/destinations`,
    `${path}/destinations/${crypto.randomUUID()}`,
    `${path}/deliveries`,
    `${path}/deliveries/${crypto.randomUUID()}`,
  ];
  for (const to of deliveries) {
    expect(refusalOf(await callAs(account, "GET", to)), to).toEqual([403, "ROLE_INSUFFICIENT"]);
  }
  const changes = [
    [`${path}/api-keys`, { name: "k", scopes: ["balance:read"] }],
    [`${path}/destinations`, { kind: "webhook", url: HOOK_URL }],
    [`${path}/invitations`, undefined],
  ] as const;
  for (const [to, body] of changes) {
    const answered = await callAs(account, "POST", to, body === undefined ? {} : { body });
    expect(refusalOf(answered), to).toEqual([403, "ROLE_INSUFFICIENT"]);
    expect(answered.body.error.message).toContain("suspended");
  }
  await suspend(client.workspaceId, null);
  for (const [to, body] of changes) {
    expect((await callAs(account, "POST", to, body === undefined ? {} : { body })).status, to).toBe(201);
  }
});

it("queued jobs of a suspended workspace are drawn", async () => {
  const { client } = await workspaceWithOwner();
  const { jobId } = await acceptedJob(client);
  await suspend(client.workspaceId, 1);
  await deliver({ jobId, part: 0 });
  await suspend(client.workspaceId, null);
  expect((await readJob(client.secret, jobId)).status).toBe("succeeded");
});

it("links of a suspended workspace open nothing until it is resumed", async () => {
  const { client } = await workspaceWithOwner();
  const { jobId } = await acceptedJob(client);
  await deliver({ jobId, part: 0 });
  const { artifactId } = await readJob(client.secret, jobId);
  const links = await call("GET", `/api/v1/artifacts/${artifactId}/download`, { secret: client.secret });
  const paths = [links.body.data.url, links.body.data.files[0].url].map((url) => new URL(url).pathname);
  for (const path of paths) expect((await call("GET", path)).status).toBe(200);
  await suspend(client.workspaceId, 1);
  for (const path of paths) {
    const refused = await call("GET", path);
    expect(refusalOf(refused)).toEqual([403, "LINK_INVALID"]);
    expect(refused.body.error.details.nextAction).toContain("operator");
  }
  await suspend(client.workspaceId, null);
  for (const path of paths) expect((await call("GET", path)).status).toBe(200);
});

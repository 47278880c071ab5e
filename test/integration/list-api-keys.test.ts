import { expect, it, vi } from "vitest";
import { apiKeyPageSchema, apiKeySchema } from "#api/schemas/api-key.ts";
import { clock } from "#platform/clock.ts";
import { call, createWorkspace } from "../support/workspace.ts";

/** Guarantee: the list shows a workspace's keys and how each stands, never a secret and never another's key. */

async function keysOf(secret: string) {
  const answer = await call("GET", "/api/v1/api-keys", { secret });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  for (const item of answer.body.data.items) apiKeySchema.strict().parse(item);
  return apiKeyPageSchema.parse(answer.body.data).items;
}

it("200 active, expired and revoked keys as they are now", async () => {
  const { secret } = await createWorkspace({ credits: 1 });
  const body = { name: "Ending", scopes: ["jobs:read"], expiresAt: "2030-01-01T00:00:00Z" };
  const ending = (await call("POST", "/api/v1/api-keys", { secret, body })).body.data;
  const revoked = (
    await call("POST", "/api/v1/api-keys", { secret, body: { name: "Gone", scopes: ["jobs:read"] } })
  ).body.data;
  await call("DELETE", `/api/v1/api-keys/${revoked.apiKeyId}`, { secret });
  const statuses = async () => (await keysOf(secret)).map(({ name, status }) => [name, status]);
  expect(await statuses()).toEqual([
    ["Gone", "revoked"],
    ["Ending", "active"],
    ["First key", "active"],
  ]);
  vi.spyOn(clock, "now").mockReturnValue(Date.parse(ending.expiresAt));
  expect(await statuses()).toEqual([
    ["Gone", "revoked"],
    ["Ending", "expired"],
    ["First key", "active"],
  ]);
});

import { expect, it } from "vitest";
import { call, createWorkspace } from "../support/workspace.ts";

/** Guarantee: a revoked key stops at once and for good, and nobody can revoke, or find, another workspace's. */

const revoke = (secret: string, apiKeyId: string) =>
  call("DELETE", `/api/v1/api-keys/${apiKeyId}`, { secret });

async function withSecondKey() {
  const first = await createWorkspace({ credits: 1 });
  const created = await call("POST", "/api/v1/api-keys", {
    secret: first.secret,
    body: { name: "Second", scopes: ["balance:read"] },
  });
  return { ...first, second: created.body.data };
}

it("again, and from all sides at once: the first time stays", async () => {
  const { secret, second } = await withSecondKey();
  const answers = await Promise.all(Array.from({ length: 5 }, () => revoke(secret, second.apiKeyId)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const times = new Set(answers.map(({ body }) => body.data.revokedAt));
  expect(times.size).toBe(1);
  expect(times).toContain((await revoke(secret, second.apiKeyId)).body.data.revokedAt);
});

it("a key may revoke itself, and nothing after that", async () => {
  const { apiKeyId, secret, second } = await withSecondKey();
  expect((await revoke(secret, apiKeyId)).status).toBe(200);
  expect((await revoke(secret, second.apiKeyId)).status).toBe(401);
  expect((await call("GET", "/api/v1/balance", { secret: second.secret })).status).toBe(200);
});

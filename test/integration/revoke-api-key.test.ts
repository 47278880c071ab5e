import { describe, expect, it } from "vitest";
import { revokedApiKeySchema } from "../../src/contract/schemas/api-key.ts";
import { newId } from "../../src/platform/ids.ts";
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

describe("200", () => {
  it("the key as it then is, and from then on 401", async () => {
    const { secret, second } = await withSecondKey();
    expect((await call("GET", "/api/v1/balance", { secret: second.secret })).status).toBe(200);
    const answer = await revoke(secret, second.apiKeyId);
    expect(answer.status).toBe(200);
    expect(revokedApiKeySchema.strict().parse(answer.body.data)).toMatchObject({
      apiKeyId: second.apiKeyId,
      status: "revoked",
    });
    const refused = await call("GET", "/api/v1/balance", { secret: second.secret });
    expect([refused.status, refused.body.error.code]).toEqual([401, "KEY_REVOKED"]);
  });

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
});

describe("404", () => {
  it("for a foreign key reads exactly like 404 for none, and the foreign key goes on working", async () => {
    const owner = await createWorkspace();
    const other = await createWorkspace();
    const [foreign, missing] = [
      await revoke(other.secret, owner.apiKeyId),
      await revoke(other.secret, newId()),
    ];
    const told = ({ status, body }: typeof foreign) => ({ status, ...body.error, requestId: null });
    expect(told(foreign)).toEqual(told(missing));
    expect(told(missing)).toMatchObject({ status: 404, code: "API_KEY_NOT_FOUND" });
    expect((await call("GET", "/api/v1/balance", { secret: owner.secret })).status).toBe(200);
  });
});

describe("403 and 400", () => {
  it("403 without api-keys:write, and the key stays", async () => {
    const { apiKeyId, secret } = await createWorkspace({ scopes: ["api-keys:read"] });
    expect((await revoke(secret, apiKeyId)).status).toBe(403);
    expect((await call("GET", "/api/v1/api-keys", { secret })).status).toBe(200);
  });

  it("400 for what is no id", async () => {
    const { secret } = await createWorkspace();
    const answer = await revoke(secret, "first");
    expect([answer.status, answer.body.error.code]).toEqual([400, "INVALID_REQUEST"]);
  });
});

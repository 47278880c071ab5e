import { describe, expect, it } from "vitest";
import { newId } from "../../src/platform/ids.ts";
import { call, createWorkspace } from "../support/workspace.ts";

const ROUTES = [
  ["GET", "/api/v1/previews/quota", "previews:read"],
  ["POST", "/api/v1/previews", "previews:write"],
] as const;

describe("what is not configured refuses honestly", () => {
  it.each(ROUTES)(
    "%s %s: 401 without a key, 403 without the scope, then 501",
    async (method, path, scope) => {
      expect((await call(method, path)).status).toBe(401);
      const without = await createWorkspace({ scopes: ["balance:read"] });
      expect((await call(method, path, { secret: without.secret })).status).toBe(403);
      const { secret } = await createWorkspace({ scopes: [scope] });
      const answer = await call(method, path, { secret });
      expect([answer.status, answer.body.error.code]).toEqual([501, "SERVICE_NOT_CONFIGURED"]);
      expect(answer.body.error.details.safeToRetryUnchanged).toBe(false);
    },
  );

  it("POST destinations: 501, whoever asks", async () => {
    const path = `/api/account/artifacts/${newId()}/destinations`;
    const { secret } = await createWorkspace({ scopes: ["deliveries:write"] });
    for (const caller of [{}, { secret }]) {
      const answer = await call("POST", path, { ...caller, body: { kind: "webhook" } });
      expect([answer.status, answer.body.error.code]).toEqual([501, "SERVICE_NOT_CONFIGURED"]);
    }
  });
});

import { describe, expect, it } from "vitest";
import { newId } from "../../src/platform/ids.ts";
import { call, createWorkspace } from "../support/workspace.ts";

describe("what is not configured refuses honestly", () => {
  it("POST destinations: 501, whoever asks", async () => {
    const path = `/api/account/artifacts/${newId()}/destinations`;
    const { secret } = await createWorkspace({ scopes: ["deliveries:write"] });
    for (const caller of [{}, { secret }]) {
      const answer = await call("POST", path, { ...caller, body: { kind: "webhook" } });
      expect([answer.status, answer.body.error.code]).toEqual([501, "SERVICE_NOT_CONFIGURED"]);
    }
  });
});

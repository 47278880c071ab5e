import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { healthSchema } from "../../src/contract/schemas/health.ts";
import worker from "../../src/worker.ts";
import { call } from "../support/workspace.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("GET /health", () => {
  it("200: says which services are configured, and nothing of how", async () => {
    const answer = await call("GET", "/health");
    expect(answer.status).toBe(200);
    const health = healthSchema.strict().parse(answer.body.data);
    expect(health.status).toBe("ok");
    const text = JSON.stringify(answer.body);
    for (const secret of [env.KEY_PEPPER, env.DOWNLOAD_SIGNING_KEY, env.TRIAL_SECRET]) {
      expect(text).not.toContain(secret);
    }
  });

  it("200 incomplete: an origin without anything still answers", async () => {
    const request = new Request("https://packs.example/health");
    const response = await worker.fetch(request, {}, createExecutionContext());
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      data: { status: "incomplete", capabilities: { database: false, storage: false } },
    });
  });

  it("503: a database that does not answer, without its reason", async () => {
    vi.spyOn(env.DB, "prepare").mockImplementation(() => {
      throw new Error("D1_ERROR: near SELECT");
    });
    const answer = await call("GET", "/health");
    expect([answer.status, answer.body.error.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
    expect(JSON.stringify(answer.body)).not.toContain("D1_ERROR");
  });
});

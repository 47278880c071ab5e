import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import worker from "../../src/worker.ts";
import { refusalOf } from "../support/refusals.ts";
import { call } from "../support/workspace.ts";

describe("GET /health", () => {
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
    expect(refusalOf(answer)).toEqual([503, "SERVICE_UNAVAILABLE"]);
    expect(JSON.stringify(answer.body)).not.toContain("D1_ERROR");
  });
});

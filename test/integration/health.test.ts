import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { clock } from "#platform/clock.ts";
import worker from "../../src/worker.ts";
import { countedCalls } from "../support/counted-calls.ts";
import { freezeClock } from "../support/freeze-clock.ts";
import { refusalOf } from "../support/refusals.ts";
import { call, configured } from "../support/workspace.ts";

it("200 incomplete: an origin without any settings still answers", async () => {
  const request = new Request("https://packs.example/health");
  const response = await worker.fetch(request, {}, createExecutionContext());
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    data: { status: "incomplete", capabilities: { database: false, storage: false } },
  });
});

it("a health check needs no key, and reads the database at most once in five seconds", async () => {
  freezeClock();
  const database = countedCalls(env.DB);
  const settings = configured({ DB: database.binding });
  const ask = () =>
    worker.fetch(new Request("https://packs.example/health"), settings, createExecutionContext());
  for (let asked = 0; asked < 20; asked += 1) expect((await ask()).status).toBe(200);
  expect(database.calls).toHaveLength(1);
  vi.spyOn(clock, "now").mockReturnValue(clock.now() + 5_000);
  expect([(await ask()).status, database.calls.length]).toEqual([200, 2]);
});

it("503: an unavailable database, without its error", async () => {
  vi.spyOn(env.DB, "prepare").mockImplementation(() => {
    throw new Error("D1_ERROR: near SELECT");
  });
  const answer = await call("GET", "/health", { settings: { DB: countedCalls(env.DB).binding } });
  expect(refusalOf(answer)).toEqual([503, "SERVICE_UNAVAILABLE"]);
  expect(JSON.stringify(answer.body)).not.toContain("D1_ERROR");
});

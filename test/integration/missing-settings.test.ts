import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Env } from "../../src/bindings/env.ts";
import worker from "../../src/worker.ts";
import { createWorkspace } from "../support/workspace.ts";

/** What each service cannot do without, and a request that needs the service. */
const NEEDED = [
  ["DB", "GET", "/api/v1/balance"],
  ["KEY_PEPPER", "GET", "/api/v1/balance"],
  ["RATE_LIMIT_WINDOW", "GET", "/api/v1/balance"],
  ["IDEMPOTENCY_LOCK", "POST", "/api/v1/assets/uploads"],
  ["BUCKET", "POST", "/api/v1/previews"],
  ["RENDER_QUEUE", "POST", "/api/v1/jobs"],
  ["PREVIEW_QUOTA", "POST", "/api/v1/previews"],
  ["DOWNLOAD_SIGNING_KEY", "GET", `/api/v1/artifacts/${crypto.randomUUID()}/download`],
  ["TRIAL_SECRET", "POST", "/api/v1/agent/trial-key"],
  ["AUTH_SECRET", "POST", "/api/account/sign-in"],
] as const;

/** The environment of the tests, apart from some of it. */
const without = (...names: readonly string[]): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));

/** What the worker answers under an environment of its own. */
async function answerUnder(environment: Env, method: string, path: string) {
  const { secret } = await createWorkspace({ credits: 1 });
  const request = new Request(`https://packs.example${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${secret}`,
      "Content-Type": "application/json",
      "Idempotency-Key": crypto.randomUUID(),
      Origin: "https://packs.example",
    },
    ...(method === "POST" ? { body: "{}" } : {}),
  });
  const response = await worker.fetch(request, environment, createExecutionContext());
  // biome-ignore lint/suspicious/noExplicitAny: asserted member by member, whatever it holds.
  const body: any = await response.json();
  return { status: response.status, error: body.error, data: body.data };
}

describe("501 names the binding or secret that is missing", () => {
  it.each(NEEDED)("%s", async (name, method, path) => {
    const { status, error } = await answerUnder(without(name), method, path);
    expect([status, error.code]).toEqual([501, "SERVICE_NOT_CONFIGURED"]);
    expect(error.message).toContain(`${name} is missing`);
    expect(error.details.settings).toEqual([name]);
  });

  it("a secret that is too short to be one is told from a missing one, and never shown", async () => {
    const environment = { ...env, KEY_PEPPER: "short-pepper" };
    const { status, error } = await answerUnder(environment, "GET", "/api/v1/balance");
    expect(status).toBe(501);
    expect(error.message).toContain("KEY_PEPPER is shorter than 32 characters");
    expect(JSON.stringify(error)).not.toContain("short-pepper");
  });

  it("everything that is missing is named at once, here and in GET /health", async () => {
    const environment = without("DB", "KEY_PEPPER");
    const { error } = await answerUnder(environment, "GET", "/api/v1/balance");
    expect(error.details.settings).toEqual(["DB", "KEY_PEPPER"]);
    const health = await answerUnder(without("TRIAL_SECRET"), "GET", "/health");
    expect(health.data).toMatchObject({ status: "incomplete", missing: ["TRIAL_SECRET"] });
  });
});

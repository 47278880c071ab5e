import { expect, it } from "vitest";
import { refusalOf } from "../support/refusals.ts";
import { call, createWorkspace, type Settings } from "../support/workspace.ts";

/** Required settings, each with a request that fails without it. */
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

/** The worker's answer if some settings are missing or changed. */
async function answerUnder(settings: Settings, method: string, path: string) {
  const { secret } = await createWorkspace({ credits: 1 });
  const headers = { "Idempotency-Key": crypto.randomUUID(), Origin: "https://packs.example" };
  const sent = method === "POST" ? { body: {} } : {};
  const { status, body } = await call(method, path, { secret, headers, settings, ...sent });
  return { status, error: body.error, data: body.data };
}

it.each(NEEDED)("without %s, a request that needs it is 501", async (name, method, path) => {
  const { status, error } = await answerUnder({ [name]: undefined }, method, path);
  expect([status, error.code]).toEqual([501, "SERVICE_NOT_CONFIGURED"]);
  expect(error.message).toContain(`${name} is missing`);
  expect(error.details.settings).toEqual([name]);
});

it("a secret that is too short is reported differently from a missing one, and never shown", async () => {
  const { status, error } = await answerUnder({ KEY_PEPPER: "short-pepper" }, "GET", "/api/v1/balance");
  expect(status).toBe(501);
  expect(error.message).toContain("KEY_PEPPER is shorter than 32 characters");
  expect(JSON.stringify(error)).not.toContain("short-pepper");
});

it("live previews are on if LIVE_PREVIEWS is unset; an invalid value turns them off and is reported", async () => {
  const shown = async (LIVE_PREVIEWS: unknown) => {
    const [service, health] = [
      await answerUnder({ LIVE_PREVIEWS }, "GET", "/api/v1/service"),
      await answerUnder({ LIVE_PREVIEWS }, "GET", "/health"),
    ];
    return [service.data.livePreviews, health.data.status, health.data.missing];
  };
  expect(await shown("on")).toEqual(["on", "ok", []]);
  expect(await shown("off")).toEqual(["off", "ok", []]);
  expect(await shown(undefined)).toEqual(["on", "ok", []]);
  for (const wrong of ["", "ON", "true", true]) {
    expect(await shown(wrong)).toEqual(["off", "incomplete", ["LIVE_PREVIEWS"]]);
  }
});

it("API §1.8 the engine of live previews is 404 if LIVE_PREVIEWS is not on", async () => {
  const ask = async (LIVE_PREVIEWS: unknown) =>
    refusalOf(await call("GET", "/studio/engine/any.wasm", { settings: { LIVE_PREVIEWS } }));
  // With the engine on, the 404 is from the static files, which lack a file of this name.
  expect(await ask("on")).toEqual([404, undefined]);
  for (const setting of ["off", "", "ON"]) expect(await ask(setting)).toEqual([404, "ROUTE_NOT_FOUND"]);
});

it("all missing settings are reported at once, here and in GET /health", async () => {
  const both = { DB: undefined, KEY_PEPPER: undefined };
  const { error } = await answerUnder(both, "GET", "/api/v1/balance");
  expect(error.details.settings).toEqual(["DB", "KEY_PEPPER"]);
  const health = await answerUnder({ TRIAL_SECRET: undefined }, "GET", "/health");
  expect(health.data).toMatchObject({ status: "incomplete", missing: ["TRIAL_SECRET"] });
});

it("mail and billing are off without any of their settings, and reported if some are missing", async () => {
  const missingUnder = async (settings: Settings) =>
    (await answerUnder(settings, "GET", "/health")).data.missing;
  expect(await missingUnder({})).toEqual([]);
  expect(await missingUnder({ MAIL_API_KEY: "re_1" })).toEqual(["MAIL_FROM", "PUBLIC_ORIGIN"]);
  expect(await missingUnder({ STRIPE_SECRET_KEY: "sk_1" })).toEqual([
    "STRIPE_WEBHOOK_SECRET",
    "BILLING_OFFERS",
  ]);
});

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { cookieNameOf } from "../../src/accounts/session-cookie.ts";
import type { Env } from "../../src/bindings/env.ts";
import worker from "../../src/worker.ts";
import { createAccount, fromOwnNetwork, ORIGIN, PASSWORD } from "../support/accounts.ts";
import { seedAccount } from "../support/seed-account.ts";

/** Guarantee: whose pages may act for a person follows from the origin's own configuration, and from nothing a page says. */

async function ask(
  settings: Partial<Env>,
  url: string,
  init: RequestInit,
): Promise<{ status: number; code: string }> {
  const configured: Env = { ...env, ...settings };
  const response = await worker.fetch(new Request(url, init), configured, createExecutionContext());
  const body: { error?: { code: string } } = await response.json();
  return { status: response.status, code: body.error?.code ?? "" };
}

const signOut = (cookie: string, headers: Readonly<Record<string, string>>): RequestInit => ({
  method: "POST",
  headers: { Cookie: cookie, ...headers },
});

describe("origins", () => {
  it("an origin that is configured may act; one that only looks like it may not", async () => {
    const { cookie } = await createAccount();
    const settings = { ACCOUNT_TRUSTED_ORIGINS: "https://app.example" };
    const url = `${ORIGIN}/api/account/sign-out`;
    for (const Origin of [
      "https://app.example.evil.example",
      "http://app.example",
      "https://x.app.example",
    ]) {
      const refused = await ask(settings, url, signOut(cookie, { Origin }));
      expect(refused, Origin).toEqual({ status: 403, code: "ORIGIN_NOT_ALLOWED" });
    }
    expect((await ask(settings, url, signOut(cookie, { Origin: "https://app.example" }))).status).toBe(200);
  });

  it.each(["localhost:3000", "app.example", "app.example:8443", "data:text/html,x", "file:///"])(
    "a configured origin without its scheme (%s) lets no sandboxed page in, whose origin is the text null",
    async (text) => {
      const { cookie } = await createAccount();
      const url = `${ORIGIN}/api/account/sign-out`;
      const settings = { ACCOUNT_TRUSTED_ORIGINS: text, PUBLIC_ORIGIN: text };
      const refused = await ask(settings, url, signOut(cookie, { Origin: "null" }));
      expect(refused).toEqual({ status: 403, code: "ORIGIN_NOT_ALLOWED" });
      expect((await ask(settings, url, signOut(cookie, { Origin: ORIGIN }))).status).toBe(200);
    },
  );

  it("where PUBLIC_ORIGIN is set, the host that was asked is not an origin of ours", async () => {
    const PUBLIC_ORIGIN = "https://api.packs.example";
    const { cookie } = await createAccount();
    const url = `${ORIGIN}/api/account/sign-out`;
    const refused = await ask({ PUBLIC_ORIGIN }, url, signOut(cookie, { Origin: ORIGIN }));
    expect(refused).toEqual({ status: 403, code: "ORIGIN_NOT_ALLOWED" });
    expect((await ask({ PUBLIC_ORIGIN }, url, signOut(cookie, { Origin: PUBLIC_ORIGIN }))).status).toBe(200);
  });

  it("a cookie signed under another secret opens nothing: changing AUTH_SECRET ends every session", async () => {
    const url = `${ORIGIN}/api/account/session`;
    const secret = "another-secret-0123456789abcdef0123456789";
    const { cookie } = await seedAccount({ db: env.DB, secret, cookieName: cookieNameOf(ORIGIN) });
    const headers = { Cookie: cookie };
    expect(await ask({}, url, { headers })).toEqual({ status: 401, code: "SESSION_INVALID" });
    expect((await ask({ AUTH_SECRET: secret }, url, { headers })).status).toBe(200);
    const { cookie: old } = await createAccount();
    expect((await ask({ AUTH_SECRET: secret }, url, { headers: { Cookie: old } })).status).toBe(401);
  });
});

describe("what is not configured answers 501", () => {
  const { RATE_LIMIT_WINDOW: _windows, ...uncounted } = env;
  const { IDEMPOTENCY_LOCK: _locks, ...unlocked } = env;
  const { AUTH_SECRET: _secret, ...unsigned } = env;
  const { KEY_PEPPER: _pepper, ...unpeppered } = env;

  const post = async (settings: Env, path: string, body: unknown, headers: Record<string, string>) => {
    const request = new Request(`${ORIGIN}/api/account/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    const response = await worker.fetch(request, settings, createExecutionContext());
    return response.status;
  };

  it("no secret, no counters, no locks, no pepper: each where it is needed, and no sign-in goes uncounted", async () => {
    const { cookie, workspaceId } = await createAccount();
    const credentials = { email: "nobody@accounts.example", password: PASSWORD };
    const session = { Cookie: cookie, Origin: ORIGIN, "Idempotency-Key": "k" };
    const key = { name: "x", scopes: ["balance:read"] };
    expect([
      await post(unsigned, "sign-in", credentials, fromOwnNetwork()),
      await post(uncounted, "sign-in", credentials, fromOwnNetwork()),
      await post(uncounted, "sign-up", { name: "Ada", ...credentials }, fromOwnNetwork()),
      await post(uncounted, "workspaces", { name: "Spring" }, session),
      await post(unlocked, "workspaces", { name: "Spring" }, session),
      await post(unpeppered, `workspaces/${workspaceId}/api-keys`, key, session),
    ]).toEqual([501, 501, 501, 501, 501, 501]);
  });
});

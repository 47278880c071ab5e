import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { cookieNameOf } from "#domains/accounts/sign-in/session-cookie.ts";
import { callAs, createAccount, fromOwnNetwork, ORIGIN, PASSWORD } from "../support/accounts.ts";
import { refusalOf } from "../support/refusals.ts";
import { seedAccount } from "../support/seed-account.ts";
import { call, type Settings } from "../support/workspace.ts";

const SESSION = "/api/account/session";

const signOut = async (settings: Settings, cookie: string, Origin: string) =>
  refusalOf(await callAs({ cookie }, "POST", "/api/account/sign-out", { settings, headers: { Origin } }));

describe("origins", () => {
  it("a configured origin is accepted, a similar one is not", async () => {
    const { cookie } = await createAccount();
    const settings = { ACCOUNT_TRUSTED_ORIGINS: "https://app.example" };
    for (const origin of [
      "https://app.example.evil.example",
      "http://app.example",
      "https://x.app.example",
    ]) {
      expect(await signOut(settings, cookie, origin), origin).toEqual([403, "ORIGIN_NOT_ALLOWED"]);
    }
    expect(await signOut(settings, cookie, "https://app.example")).toEqual([200, undefined]);
  });

  it.each(["localhost:3000", "app.example", "app.example:8443", "data:text/html,x", "file:///"])(
    "a configured origin without a scheme (%s) does not match a sandboxed page, whose Origin is the string null",
    async (text) => {
      const { cookie } = await createAccount();
      const settings = { ACCOUNT_TRUSTED_ORIGINS: text, PUBLIC_ORIGIN: text };
      expect(await signOut(settings, cookie, "null")).toEqual([403, "ORIGIN_NOT_ALLOWED"]);
      expect(await signOut(settings, cookie, ORIGIN)).toEqual([200, undefined]);
    },
  );

  it("with PUBLIC_ORIGIN set, the requested host is not a trusted origin", async () => {
    const PUBLIC_ORIGIN = "https://api.packs.example";
    const { cookie } = await createAccount();
    expect(await signOut({ PUBLIC_ORIGIN }, cookie, ORIGIN)).toEqual([403, "ORIGIN_NOT_ALLOWED"]);
    expect(await signOut({ PUBLIC_ORIGIN }, cookie, PUBLIC_ORIGIN)).toEqual([200, undefined]);
  });

  it("changing AUTH_SECRET ends every session", async () => {
    const secret = "another-secret-0123456789abcdef0123456789";
    const other = await seedAccount({ db: env.DB, secret, cookieName: cookieNameOf(ORIGIN) });
    const settings = { AUTH_SECRET: secret };
    expect(refusalOf(await callAs(other, "GET", SESSION))).toEqual([401, "SESSION_INVALID"]);
    expect((await callAs(other, "GET", SESSION, { settings })).status).toBe(200);
    expect((await callAs(await createAccount(), "GET", SESSION, { settings })).status).toBe(401);
  });
});

describe("missing settings are 501", () => {
  const UNCOUNTED = { RATE_LIMIT_WINDOW: undefined };

  it("for routes that need a missing secret, counter, lock or pepper, and no sign-in goes uncounted", async () => {
    const { cookie, workspaceId } = await createAccount();
    const credentials = { email: "nobody@accounts.example", password: PASSWORD };
    const session = { Cookie: cookie, Origin: ORIGIN, "Idempotency-Key": "k" };
    const key = { name: "x", scopes: ["balance:read"] };
    const post = async (settings: Settings, path: string, body: unknown, headers: Record<string, string>) =>
      (await call("POST", `/api/account/${path}`, { settings, body, headers })).status;
    expect([
      await post({ AUTH_SECRET: undefined }, "sign-in", credentials, fromOwnNetwork()),
      await post(UNCOUNTED, "sign-in", credentials, fromOwnNetwork()),
      await post(UNCOUNTED, "sign-up", { name: "Ada", ...credentials }, fromOwnNetwork()),
      await post(UNCOUNTED, "workspaces", { name: "Spring" }, session),
      await post({ IDEMPOTENCY_LOCK: undefined }, "workspaces", { name: "Spring" }, session),
      await post({ KEY_PEPPER: undefined }, `workspaces/${workspaceId}/api-keys`, key, session),
    ]).toEqual([501, 501, 501, 501, 501, 501]);
  });
});

import { describe, expect, it } from "vitest";
import { cookieNameOf, hasCookie, isSecureOrigin } from "#domains/accounts/sign-in/session-cookie.ts";
import { readCapabilities } from "#platform/bindings/capabilities.ts";

describe("cookies are __Host- and Secure except on a local http origin", () => {
  it.each([
    ["https://packs.example", true],
    ["https://localhost:8443", true],
    ["http://packs.example", true],
    ["http://localhost.packs.example", true],
    ["http://10.0.0.7:8787", true],
    ["http://localhost:8787", false],
    ["http://127.0.0.1:8787", false],
    ["http://[::1]:8787", false],
  ])("%s has secure cookies: %s", (origin, isSecure) => {
    expect(isSecureOrigin(origin)).toBe(isSecure);
    expect(cookieNameOf(origin)).toBe(isSecure ? "__Host-cp_session" : "cp_session");
  });

  it("a cookie is matched by its whole name", () => {
    const header = "a=1; __Host-cp_session=x; b=2";
    expect(hasCookie(header, "__Host-cp_session")).toBe(true);
    expect(hasCookie(header, "cp_session")).toBe(false);
    expect(hasCookie(undefined, "cp_session")).toBe(false);
  });
});

describe("accounts configuration", () => {
  // Any value will do: `readCapabilities` does not use the database.
  const DB = {} as D1Database;
  const AUTH_SECRET = "unit-tests-auth-0123456789abcdef0123";

  it("is null without a database or a sufficiently long secret", () => {
    expect(readCapabilities({ DB }).accounts).toBeNull();
    expect(readCapabilities({ DB, AUTH_SECRET: "short" }).accounts).toBeNull();
    expect(readCapabilities({ AUTH_SECRET }).accounts).toBeNull();
  });

  it("needs both id and secret of a provider, and does not trust an invalid origin", () => {
    const accounts = readCapabilities({
      DB,
      AUTH_SECRET,
      OAUTH_GITHUB_CLIENT_ID: "id",
      OAUTH_GITHUB_CLIENT_SECRET: "secret",
      OAUTH_GOOGLE_CLIENT_ID: "id",
      ACCOUNT_TRUSTED_ORIGINS: "https://app.example/path, nonsense,,http://localhost:3000",
    }).accounts;
    expect(accounts?.oauth).toEqual({ github: { clientId: "id", clientSecret: "secret" }, google: null });
    expect(accounts?.trustedOrigins).toEqual(["https://app.example", "http://localhost:3000"]);
  });
});

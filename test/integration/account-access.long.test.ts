import { beforeAll, describe, expect, it } from "vitest";
import { describedOperations, reportAccessAttempts } from "../support/access.ts";
import { callAs, createAccount, ORIGIN } from "../support/accounts.ts";
import { execute } from "../support/database.ts";
import { refusalOf } from "../support/refusals.ts";
import type { SeededAccount } from "../support/seed-account.ts";
import { call, createWorkspace } from "../support/workspace.ts";

reportAccessAttempts();

let account: SeededAccount;
let sessionRoutes: readonly { readonly method: string; readonly path: string }[];

beforeAll(async () => {
  account = await createAccount();
  sessionRoutes = (await describedOperations()).filter(({ isForSessions }) => isForSessions);
});

const hasBody = (method: string): boolean => method === "POST" || method === "PUT";

/** Requests every session route, with a body where possible. */
async function askAll(headers: Readonly<Record<string, string>>): Promise<readonly unknown[]> {
  const refusals = new Set<string>();
  for (const { method, path } of sessionRoutes) {
    const answer = await call(method, path, { headers, ...(hasBody(method) ? { body: {} } : {}) });
    refusals.add(JSON.stringify(refusalOf(answer)));
  }
  return [...refusals].map((refusal) => JSON.parse(refusal));
}

const tamper = (text: string, at: number): string =>
  `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;

describe("cookies", () => {
  it("are refused when altered anywhere in token or signature", async () => {
    const [name = "", value = ""] = account.cookie.split("=");
    const plain = decodeURIComponent(value);
    for (let at = 0; at < plain.length; at += 7) {
      const cookie = `${name}=${encodeURIComponent(tamper(plain, at))}`;
      const answer = await callAs({ cookie }, "GET", "/api/account/session");
      expect(refusalOf(answer), String(at)).toEqual([401, "SESSION_INVALID"]);
    }
    const [token = ""] = plain.split(".");
    for (const forged of [token, `${token}.`, `${token}.${btoa("x".repeat(32))}`, "", "null"]) {
      const answer = await callAs({ cookie: `${name}=${forged}` }, "GET", "/api/account/session");
      expect(answer.status, forged).toBe(401);
    }
    expect((await callAs(account, "GET", "/api/account/session")).status).toBe(200);
  });

  it("are refused without the __Host- prefix, because another host of the domain could set them", async () => {
    const value = account.cookie.slice(account.cookie.indexOf("=") + 1);
    for (const name of [
      "cp_session",
      "__Secure-cp_session",
      "better-auth.session_token",
      "x__Host-cp_session",
    ]) {
      const answer = await callAs({ cookie: `${name}=${value}` }, "GET", "/api/account/session");
      expect(refusalOf(answer), name).toEqual([401, "SESSION_MISSING"]);
    }
  });

  it("an expired session is refused", async () => {
    const expired = await createAccount(Date.now() - 1_000);
    expect(refusalOf(await callAs(expired, "GET", "/api/account/session"))).toEqual([401, "SESSION_INVALID"]);
  });

  it("a session whose row is deleted is refused from the next request on", async () => {
    const other = await createAccount();
    expect((await callAs(other, "GET", "/api/account/session")).status).toBe(200);
    await execute`DELETE FROM account_sessions WHERE session_id = ${other.sessionId}`;
    expect(await askAll({ Origin: ORIGIN, Cookie: other.cookie })).toEqual([[401, "SESSION_INVALID"]]);
  });

  it("signing out ends the session even for copies of its cookie, and ends no other session", async () => {
    const [leaver, other] = [await createAccount(), await createAccount()];
    const answer = await callAs(leaver, "POST", "/api/account/sign-out");
    expect([answer.status, answer.body.data]).toEqual([200, { signedOut: true }]);
    const cleared = answer.headers.getSetCookie().find((cookie) => cookie.startsWith("__Host-cp_session="));
    expect(cleared).toMatch(/^__Host-cp_session=; Max-Age=0;/);
    expect(refusalOf(await callAs(leaver, "GET", "/api/account/session"))).toEqual([401, "SESSION_INVALID"]);
    expect((await callAs(other, "GET", "/api/account/session")).status).toBe(200);
  });

  it("API §10.7 a day-old session is extended by a week, with a new cookie", async () => {
    const old = await createAccount(Date.now() + 5 * 86_400_000);
    const answer = await callAs(old, "GET", "/api/account/session");
    expect(answer.headers.getSetCookie().join()).toContain("Max-Age=604800");
    const left = Date.parse(answer.body.data.session.expiresAt) - Date.now();
    expect(left).toBeGreaterThan(6.9 * 86_400_000);
  });

  it("a session is not accepted on routes for API keys", async () => {
    const routes = (await describedOperations()).filter(({ isForKeys }) => isForKeys);
    for (const { method, path } of routes) {
      const answer = await callAs(account, method, path, hasBody(method) ? { body: {} } : {});
      expect(refusalOf(answer), `${method} ${path}`).toEqual([401, "KEY_MISSING"]);
    }
  });
});

it.each([
  ["an opaque Origin", { Origin: "null" }],
  ["the origin without TLS", { Origin: "http://packs.example" }],
  ["a host with this host as its prefix", { Origin: "https://packs.example.evil.example" }],
  ["a Referer without Origin", { Referer: `${ORIGIN}/page` }],
])("a request from another site changes nothing: %s", async (_, headers) => {
  const sent = { Cookie: account.cookie, ...headers };
  const answer = await call("POST", "/api/account/sign-out", { headers: sent, body: {} });
  expect(refusalOf(answer)).toEqual([403, "ORIGIN_NOT_ALLOWED"]);
  expect((await callAs(account, "GET", "/api/account/session")).status).toBe(200);
});

describe("another account's resources", () => {
  it("cannot be reached through the caller's workspace: key, member and invitation", async () => {
    const other = await createAccount();
    const stranger = await createWorkspace({ credits: 1 });
    const invited = await callAs(other, "POST", `/api/account/workspaces/${other.workspaceId}/invitations`);
    const own = `/api/account/workspaces/${account.workspaceId}`;
    const answers = [
      await callAs(account, "POST", `${own}/api-keys/${stranger.apiKeyId}/revoke`),
      await callAs(account, "POST", `${own}/members/${other.accountId}/remove`),
      await callAs(account, "POST", `${own}/invitations/${invited.body.data.invitationId}/withdraw`),
    ];
    expect(answers.map(refusalOf)).toEqual([
      [404, "API_KEY_NOT_FOUND"],
      [404, "MEMBER_NOT_FOUND"],
      [404, "INVITATION_NOT_FOUND"],
    ]);
    expect((await call("GET", "/api/v1/balance", { secret: stranger.secret })).status).toBe(200);
  });

  it("are not returned for an Idempotency-Key that the other account has used", async () => {
    const other = await createAccount();
    const headers = { "Idempotency-Key": "one-and-the-same" };
    const body = { name: "Spring" };
    const theirs = await callAs(other, "POST", "/api/account/workspaces", { headers, body });
    const ours = await callAs(account, "POST", "/api/account/workspaces", { headers, body });
    expect([theirs.status, ours.status]).toEqual([201, 201]);
    expect(ours.body.data.workspaceId).not.toBe(theirs.body.data.workspaceId);
  });
});

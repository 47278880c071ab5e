import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { newId } from "#platform/ids.ts";
import {
  callAs,
  cookieOf,
  createAccount,
  fromOwnNetwork,
  ORIGIN,
  PASSWORD,
  signIn,
  signUp,
} from "../support/accounts.ts";
import { execute, selectValue } from "../support/database.ts";
import { refusalOf } from "../support/refusals.ts";
import { type Answer, call, type Settings } from "../support/workspace.ts";

/** These tests answer in GitHub's place, according to its documentation. */

interface GitHubPerson {
  readonly id: number;
  readonly email: string;
  readonly isVerified?: boolean;
}

/** Answers as GitHub for one user, and records the exchanged codes. */
function answerAsGitHub(person: GitHubPerson): { readonly exchanged: URLSearchParams[] } {
  const exchanged: URLSearchParams[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    switch (request.url) {
      case "https://github.com/login/oauth/access_token": {
        const sent = new URLSearchParams(await request.text());
        exchanged.push(sent);
        if (sent.get("code") !== "good") return Response.json({ error: "bad_verification_code" });
        return Response.json({
          access_token: "gho_of_the_person",
          token_type: "bearer",
          scope: "user:email",
        });
      }
      case "https://api.github.com/user":
        return Response.json({
          id: person.id,
          login: "ada",
          name: "Ada",
          email: person.email,
          avatar_url: null,
        });
      case "https://api.github.com/user/emails":
        return Response.json([{ email: person.email, primary: true, verified: person.isVerified ?? true }]);
      default:
        throw new Error(`nobody answers at ${request.url}`);
    }
  });
  return { exchanged };
}

const start = () => call("POST", "/api/account/oauth/github", { headers: fromOwnNetwork() });

/** Headers of a browser's navigation. */
const NAVIGATION = { "Sec-Fetch-Mode": "navigate", Accept: "text/html" };

const comeBack = (
  query: Readonly<Record<string, string>>,
  cookie: string,
  headers: Readonly<Record<string, string>> = {},
  settings: Settings = {},
): Promise<Answer> =>
  call("GET", `/api/account/oauth/callback/github?${new URLSearchParams(query)}`, {
    headers: { ...fromOwnNetwork(), Cookie: cookie, ...headers },
    settings,
  });

/** Starts a sign-in and returns from the provider with a code, in the same browser. */
async function signInWithGitHub(
  code = "good",
  headers: Readonly<Record<string, string>> = {},
  settings: Settings = {},
): Promise<Answer> {
  const started = await start();
  const state = new URL(started.body.data.url).searchParams.get("state") ?? "";
  return comeBack({ code, state }, cookieOf(started), headers, settings);
}

const newPerson = (): GitHubPerson => ({
  id: Math.floor(Math.random() * 1e9),
  email: `${newId()}@accounts.example`,
});

it("a sign-in redirects to the provider with our callback URL, a state bound to this browser, and PKCE", async () => {
  const answer = await start();
  expect([answer.status, answer.body.data.provider]).toEqual([200, "github"]);
  const url = new URL(answer.body.data.url);
  expect(url.origin + url.pathname).toBe("https://github.com/login/oauth/authorize");
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: env.OAUTH_GITHUB_CLIENT_ID,
    redirect_uri: `${ORIGIN}/api/account/oauth/callback/github`,
    response_type: "code",
    code_challenge_method: "S256",
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{32}$/),
  });
  const [cookie = "", ...others] = answer.headers.getSetCookie();
  expect(others).toEqual([]);
  expect(cookie).toMatch(/^__Host-cp_oauth_state=/);
  expect(cookie.split("; ")).toEqual(
    expect.arrayContaining(["HttpOnly", "Secure", "SameSite=Lax", "Path=/", "Max-Age=600"]),
  );
  expect(url.href).not.toContain(env.OAUTH_GITHUB_CLIENT_SECRET ?? "");
});

it("with FREE_SIZE, only an account's first workspace gets one free size, once", async () => {
  const signInOfAge = async (settings: Settings, ageDays = 0) => {
    const person = newPerson();
    answerAsGitHub(person);
    await signInWithGitHub("good", {}, {});
    await execute`UPDATE workspaces SET created_at = created_at - ${ageDays * 86_400_000} WHERE workspace_id IN
      (SELECT workspace_id FROM workspace_members JOIN accounts USING (account_id) WHERE email = ${person.email})`;
    await execute`INSERT INTO workspaces (workspace_id, name, kind, created_at)
      VALUES (${person.email}, 'Second', 'standard', ${Date.now()})`;
    await execute`INSERT INTO workspace_members
      SELECT ${person.email}, account_id, 'owner', ${Date.now()} FROM accounts WHERE email = ${person.email}`;
    for (let time = 0; time < 2; time += 1) {
      expect((await signInWithGitHub("good", {}, settings)).status).toBe(200);
    }
    return selectValue`SELECT group_concat(e.amount || ' ' || e.description) FROM ledger_events e
      JOIN workspace_members m USING (workspace_id) JOIN accounts a USING (account_id) WHERE a.email = ${person.email}`;
  };
  expect(await signInOfAge({ FREE_SIZE: "off" })).toBeNull();
  expect(await signInOfAge({ FREE_SIZE: "on" })).toBe("1 Free size for a confirmed address");
  expect(await signInOfAge({ FREE_SIZE: "on" }, 31)).toBeNull();
});

it("a sign-in succeeds even if the free size cannot be granted, and the next sign-in grants it", async () => {
  const person = newPerson();
  answerAsGitHub(person);
  await execute`CREATE TRIGGER no_free_size BEFORE INSERT ON ledger_events BEGIN SELECT RAISE(ABORT, 'broken'); END`;
  expect((await signInWithGitHub("good", {}, { FREE_SIZE: "on" })).status).toBe(200);
  await execute`DROP TRIGGER no_free_size`;
  expect((await signInWithGitHub("good", {}, { FREE_SIZE: "on" })).status).toBe(200);
  const credits = selectValue`SELECT credits FROM workspaces JOIN workspace_members USING (workspace_id)
    JOIN accounts USING (account_id) WHERE email = ${person.email}`;
  expect(await credits).toBe(1);
});

it("the first sign-in creates an account with a workspace, and the next opens the same account", async () => {
  const person = newPerson();
  const { exchanged } = answerAsGitHub(person);
  const first = await signInWithGitHub();
  expect(first.status, JSON.stringify(first.body)).toBe(200);
  expect(first.body.data.account).toEqual({
    accountId: expect.any(String),
    name: "Ada",
    email: person.email,
    isEmailConfirmed: true,
    language: "en",
  });
  expect(exchanged[0]?.get("code_verifier")).toMatch(/^[\w-]{43,128}$/);
  expect(exchanged[0]?.get("redirect_uri")).toBe(`${ORIGIN}/api/account/oauth/callback/github`);
  const workspaces = await callAs({ cookie: cookieOf(first) }, "GET", "/api/account/workspaces");
  expect(workspaces.body.data.items.map(({ role }: { role: string }) => role)).toEqual(["owner"]);
  expect((await signInWithGitHub()).body.data.account).toEqual(first.body.data.account);
  const rows = await env.DB.prepare("SELECT * FROM account_credentials WHERE account_id = ?1")
    .bind(first.body.data.account.accountId)
    .all();
  expect(rows.results.length).toBe(1);
  expect(JSON.stringify(rows.results)).not.toContain("gho_");
});

it("a browser is redirected to the Studio, signed in or with the reason for the refusal", async () => {
  answerAsGitHub(newPerson());
  const taken = await signInWithGitHub("good", NAVIGATION);
  expect([taken.status, taken.headers.get("Location")]).toEqual([303, "/"]);
  const workspaces = await callAs({ cookie: cookieOf(taken) }, "GET", "/api/account/workspaces");
  expect(workspaces.body.data.items.length).toBe(1);
  vi.restoreAllMocks();
  const { email } = await createAccount();
  answerAsGitHub({ ...newPerson(), email });
  const refused = await signInWithGitHub("good", NAVIGATION);
  expect([refused.status, refused.headers.get("Location")]).toEqual([303, "/sign-in?refused=OAUTH_REFUSED"]);
  expect(cookieOf(refused)).toBe("");
});

it("an address that already has an account is refused, whether or not the provider verified it", async () => {
  for (const isVerified of [true, false]) {
    const { email } = await createAccount();
    const person = { ...newPerson(), email, isVerified };
    answerAsGitHub(person);
    const answer = await signInWithGitHub();
    expect(refusalOf(answer)).toEqual([401, "OAUTH_REFUSED"]);
    expect(cookieOf(answer)).toBe("");
    vi.restoreAllMocks();
  }
});

it("an account created by a provider has no password, and a sign-up with its address sets none", async () => {
  const person = newPerson();
  answerAsGitHub(person);
  expect((await signInWithGitHub()).status).toBe(200);
  expect((await signUp(person.email)).status).toBe(202);
  expect((await signIn(person.email, PASSWORD)).status).toBe(401);
});

it.each([
  ["no cookie", async () => ({ cookie: "", change: {} })],
  ["the cookie of another browser", async () => ({ cookie: cookieOf(await start()), change: {} })],
  ["another state", async () => ({ cookie: null, change: { state: "x".repeat(32) } })],
  ["no state", async () => ({ cookie: null, change: { state: "" } })],
  ["a code that the provider refuses", async () => ({ cookie: null, change: { code: "bad" } })],
  ["no code", async () => ({ cookie: null, change: { code: "" } })],
  ["an error from the provider", async () => ({ cookie: null, change: { error: "access_denied" } })],
])("a callback with %s creates no session", async (_, wrong) => {
  answerAsGitHub(newPerson());
  const started = await start();
  const state = new URL(started.body.data.url).searchParams.get("state") ?? "";
  const { cookie, change } = await wrong();
  const answer = await comeBack({ code: "good", state, ...change }, cookie ?? cookieOf(started));
  expect(refusalOf(answer)).toEqual([401, "OAUTH_REFUSED"]);
  expect(answer.headers.getSetCookie().join()).not.toContain("cp_session=");
  expect(JSON.stringify(answer.body)).not.toMatch(/access_denied|bad_verification/);
});

it("a database failure is 500 and creates no session", async () => {
  answerAsGitHub(newPerson());
  const started = await start();
  const state = new URL(started.body.data.url).searchParams.get("state") ?? "";
  vi.spyOn(env.DB, "withSession").mockImplementation(() => {
    throw new Error("no database");
  });
  const answer = await comeBack({ code: "good", state }, cookieOf(started));
  expect(refusalOf(answer)).toEqual([500, "INTERNAL_ERROR"]);
  expect(answer.headers.getSetCookie().join()).not.toContain("cp_session=");
});

it("a failing rate limiter is 500, without a cookie", async () => {
  vi.spyOn(env.RATE_LIMIT_WINDOW, "get").mockImplementation(() => {
    throw new Error("no window");
  });
  const answer = await start();
  expect(refusalOf(answer)).toEqual([500, "INTERNAL_ERROR"]);
  expect(answer.headers.getSetCookie()).toEqual([]);
});

import { createHash } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { AGENT_SCOPES } from "#api/scopes.ts";
import { TOOLS } from "#interface/mcp/tools/index.ts";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { callAs, createAccount, fromOwnNetwork, ORIGIN } from "../support/accounts.ts";
import { execute, selectRows } from "../support/database.ts";
import { standInForInternet } from "../support/internet.ts";
import { callTool, messageIn, post } from "../support/mcp.ts";
import { refusalOf } from "../support/refusals.ts";
import type { SeededAccount } from "../support/seed-account.ts";
import { type Answer, call } from "../support/workspace.ts";

const BACK = "https://agent.example/back";
const VERIFIER = "v".repeat(43);
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");
const RESOURCE = `${ORIGIN}/mcp`;

const form = (path: string, members: Readonly<Record<string, string>>): Promise<Answer> =>
  call("POST", path, {
    body: new TextEncoder().encode(String(new URLSearchParams(members))),
    headers: { ...fromOwnNetwork(), "Content-Type": "application/x-www-form-urlencoded" },
  });

const token = (members: Readonly<Record<string, string>>) => form("/oauth/token", members);

async function registerClient(more: object = {}): Promise<string> {
  const body = { client_name: "Example agent", redirect_uris: [BACK], ...more };
  const answer = await call("POST", "/oauth/register", { body, headers: fromOwnNetwork() });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.client_id;
}

const queryOf = (clientId: string, changes: Readonly<Record<string, string>> = {}): string =>
  String(
    new URLSearchParams({
      ...{ response_type: "code", client_id: clientId, redirect_uri: BACK, state: "s t&1" },
      ...{ code_challenge: CHALLENGE, code_challenge_method: "S256", resource: RESOURCE },
      ...changes,
    }),
  );

const connect = (
  account: SeededAccount,
  query: string,
  more: object = {},
  workspaceId = account.workspaceId,
) => callAs(account, "POST", `/api/account/workspaces/${workspaceId}/agents`, { body: { query, ...more } });

const read = (account: SeededAccount, query: string) =>
  callAs(account, "POST", "/api/account/agent-requests", { body: { query } });

/** Gives consent to a new client. Returns the form that exchanges the code. */
async function allowed(changes: Readonly<Record<string, string>> = {}, more: object = {}) {
  const [account, clientId] = [await createAccount(), await registerClient()];
  const answer = await connect(account, queryOf(clientId, changes), more);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const { redirectTo, apiKeyId } = answer.body.data;
  const parameters = new URL(redirectTo).searchParams;
  expect(redirectTo.startsWith(`${BACK}?`)).toBe(true);
  expect([parameters.get("state"), parameters.get("iss")]).toEqual(["s t&1", ORIGIN]);
  const exchange = {
    ...{ grant_type: "authorization_code", code: parameters.get("code") ?? "", client_id: clientId },
    ...{ redirect_uri: BACK, code_verifier: VERIFIER, resource: RESOURCE },
  };
  return { account, clientId, apiKeyId, exchange };
}

async function connected(changes: Readonly<Record<string, string>> = {}, more: object = {}) {
  const consent = await allowed(changes, more);
  const answer = await token(consent.exchange);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return { ...consent, tokens: answer.body, refresh: refreshOf(consent.clientId, answer.body.refresh_token) };
}

const refreshOf = (clientId: string, refreshToken: string) => ({
  grant_type: "refresh_token",
  refresh_token: refreshToken,
  client_id: clientId,
});

const use = async (secret: string): Promise<number> => (await post("tools/list", {}, { secret })).status;

/** Calls a tool that writes, because reads may be answered from the isolate's key cache. */
const useForEffect = async (secret: string): Promise<unknown> =>
  messageIn(await post("tools/call", { name: "import_asset", arguments: {} }, { secret }));

const setClock = (ms: number): void => void vi.spyOn(clock, "now").mockReturnValue(ms);

const oauthError = ({ status, body }: Answer): readonly unknown[] => [status, body.error];

describe("discovery", () => {
  it("API §17.14 finds the endpoints from a 401 of /mcp, and is readable by pages of any origin", async () => {
    const missing = await post("tools/list", {});
    const challenge = missing.headers.get("WWW-Authenticate") ?? "";
    expect([missing.status, missing.headers.get("Access-Control-Allow-Origin")]).toEqual([401, "*"]);
    expect(challenge).toContain(`scope="${AGENT_SCOPES.join(" ")}"`);
    const address = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? "";
    const resource = await call("GET", address.slice(ORIGIN.length));
    expect(resource.body).toMatchObject({ resource: RESOURCE, authorization_servers: [ORIGIN] });
    expect((await call("GET", "/.well-known/oauth-protected-resource")).body).toEqual(resource.body);
    const server = await call("GET", "/.well-known/oauth-authorization-server");
    expect(server.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(server.body).toMatchObject({
      issuer: ORIGIN,
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    for (const path of ["/mcp", "/oauth/token", "/oauth/register"]) {
      const preflight = await call("OPTIONS", path, { headers: { Origin: "https://inspector.example" } });
      expect([preflight.status, preflight.headers.get("Access-Control-Allow-Headers")]).toEqual([
        204,
        expect.stringContaining("Authorization"),
      ]);
    }
    const page = { Origin: "https://inspector.example" };
    expect((await post("tools/list", {}, { headers: page })).status).toBe(401);
    const { tokens } = await connected();
    expect((await post("tools/list", {}, { headers: page, secret: tokens.access_token })).status).toBe(200);
    // The API's challenge does not mention OAuth.
    const key = (await call("GET", "/api/v1/balance")).headers.get("WWW-Authenticate");
    expect(key).not.toContain("resource_metadata");
  });

  it("API §17.14 offers every tool's scope", () => {
    expect(
      TOOLS.map(({ scope }) => scope).filter((scope) => scope !== null && !AGENT_SCOPES.includes(scope)),
    ).toEqual([]);
  });
});

describe("a connection", () => {
  it("API §17.15 works only at /mcp and in its workspace, and is listed with its agent", async () => {
    const { account, apiKeyId, tokens } = await connected({ scope: "balance:read jobs:read other" });
    expect(tokens).toMatchObject({ token_type: "Bearer", expires_in: 3600, scope: "balance:read jobs:read" });
    const balance = await callTool(tokens.access_token, "get_balance");
    expect(balance.structuredContent.credits.available).toBe(0);
    for (const path of ["/api/v1/balance", "/api/v1/api-keys"]) {
      const refused = await call("GET", path, { secret: tokens.access_token });
      expect(refusalOf(refused)).toEqual([401, "KEY_INVALID"]);
    }
    const path = `/api/account/workspaces/${account.workspaceId}/api-keys`;
    const [listed] = (await callAs(account, "GET", path)).body.data.items;
    expect(listed).toMatchObject({
      apiKeyId,
      name: "Example agent",
      status: "active",
      agent: { host: "agent.example", isVerified: false },
    });
    // The connection's secrets are stored as hashes.
    const [row] = await selectRows`SELECT * FROM api_keys WHERE api_key_id = ${apiKeyId}`;
    for (const secret of [tokens.access_token, tokens.refresh_token]) {
      expect(JSON.stringify(row)).not.toContain(secret.slice(20));
    }
  });

  it("API §17.15 a tool beyond its scopes is 403 insufficient_scope, and names the scope", async () => {
    const { tokens } = await connected({ scope: "balance:read" });
    const refused = await post(
      "tools/call",
      { name: "create_pack", arguments: {} },
      { secret: tokens.access_token },
    );
    expect(refused.status).toBe(403);
    expect(refused.headers.get("WWW-Authenticate")).toMatch(/error="insufficient_scope".*scope="jobs:write"/);
  });

  it("API §17.15 has the monthly budget that the account has set", async () => {
    const { apiKeyId } = await connected({}, { monthlyBudget: 7 });
    const rows = await selectRows`SELECT monthly_budget FROM api_keys WHERE api_key_id = ${apiKeyId}`;
    expect(rows).toEqual([{ monthly_budget: 7 }]);
  });

  it("API §17.16 ends when it is revoked in the list or by its client, or when its account loses access", async () => {
    const byOwner = await connected();
    const path = `/api/account/workspaces/${byOwner.account.workspaceId}/api-keys/${byOwner.apiKeyId}/revoke`;
    expect((await callAs(byOwner.account, "POST", path)).status).toBe(200);

    const byClient = await connected();
    const { refresh_token: refreshToken, access_token: accessToken } = byClient.tokens;
    const otherClient = await registerClient({ client_name: "Another" });
    await form("/oauth/revoke", { token: refreshToken, client_id: otherClient });
    expect(await use(accessToken)).toBe(200);
    const revoked = await form("/oauth/revoke", { token: accessToken, client_id: byClient.clientId });
    expect(revoked.status).toBe(200);

    const byRole = await connected();
    const { workspaceId, accountId } = byRole.account;
    await execute`UPDATE workspace_members SET role = 'member' WHERE workspace_id = ${workspaceId} AND account_id = ${accountId}`;
    const byRemoval = await connected();
    await execute`DELETE FROM workspace_members WHERE account_id = ${byRemoval.account.accountId}`;

    for (const { tokens, refresh } of [byOwner, byClient, byRole, byRemoval]) {
      expect(JSON.stringify(await useForEffect(tokens.access_token))).toContain("KEY_REVOKED");
      expect(oauthError(await token(refresh))).toEqual([400, "invalid_grant"]);
    }
  });

  it("API §17.16 has an access token that lasts an hour, and a refresh token that expires after 30 days without use", async () => {
    const { tokens, refresh } = await connected();
    setClock(Date.now() + LIMITS.agentTokenLifetimeMs + 1_000);
    expect(messageIn(await post("tools/list", {}, { secret: tokens.access_token })).error.code).toBe(
      "KEY_EXPIRED",
    );
    const renewed = await token(refresh);
    expect(renewed.status).toBe(200);
    expect(await use(renewed.body.access_token)).toBe(200);
    setClock(clock.now() + LIMITS.agentRefreshLifetimeMs + 1_000);
    const next = refreshOf(refresh.client_id, renewed.body.refresh_token);
    expect(oauthError(await token(next))).toEqual([400, "invalid_grant"]);
  });

  it("API §17.16 counts towards an account's limit of agents per workspace", async () => {
    const [account, clientId] = [await createAccount(), await registerClient()];
    for (let made = 0; made < LIMITS.agentsPerMemberMax; made += 1) {
      expect((await connect(account, queryOf(clientId))).status).toBe(201);
      await execute`UPDATE api_keys SET created_at = 1 WHERE workspace_id = ${account.workspaceId}`;
    }
    expect(refusalOf(await connect(account, queryOf(clientId)))).toEqual([409, "API_KEY_LIMIT_REACHED"]);
    // The rows of unexchanged codes are deleted.
    setClock(Date.now() + LIMITS.agentCodeLifetimeMs + 1_000);
    expect((await connect(account, queryOf(clientId))).status).toBe(201);
    const rows = await selectRows`SELECT 1 FROM api_keys WHERE workspace_id = ${account.workspaceId}`;
    expect(rows).toHaveLength(1);
  });
});

describe("reuse", () => {
  it("API §17.16 of a code ends the connection, also after its tokens were renewed", async () => {
    const { exchange, tokens, refresh } = await connected();
    const renewed = await token(refresh);
    expect(oauthError(await token(exchange))).toEqual([400, "invalid_grant"]);
    expect(await use(tokens.access_token)).toBe(401);
    expect(JSON.stringify(await useForEffect(renewed.body.access_token))).toContain("KEY_REVOKED");
    expect(oauthError(await token(refreshOf(refresh.client_id, renewed.body.refresh_token)))).toEqual([
      400,
      "invalid_grant",
    ]);
  });

  it("API §17.16 of the last refresh token returns the same tokens for a moment, for lost answers", async () => {
    const { refresh } = await connected();
    const [first, second] = await Promise.all([token(refresh), token(refresh)]);
    expect([first.status, second.status, second.body.access_token]).toEqual([
      200,
      200,
      first.body.access_token,
    ]);
    expect(second.body.refresh_token).toBe(first.body.refresh_token);
    expect(await use(second.body.access_token)).toBe(200);
    setClock(Date.now() + LIMITS.agentRefreshGraceMs + 1_000);
    expect(oauthError(await token(refresh))).toEqual([400, "invalid_grant"]);
    expect(JSON.stringify(await useForEffect(first.body.access_token))).toContain("KEY_REVOKED");
  });

  it("API §17.16 of an older refresh token ends the connection at once, however often it was renewed", async () => {
    const { clientId, refresh } = await connected();
    const second = await token(refresh);
    const third = await token(refreshOf(clientId, second.body.refresh_token));
    expect(third.status).toBe(200);
    expect(oauthError(await token(refresh))).toEqual([400, "invalid_grant"]);
    expect(JSON.stringify(await useForEffect(third.body.access_token))).toContain("KEY_REVOKED");
  });

  it("API §17.16 of a code in two concurrent exchanges issues tokens once, and then revokes them", async () => {
    const { exchange } = await allowed();
    const answers = await Promise.all([token(exchange), token(exchange)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const accessToken = answers.find(({ status }) => status === 200)?.body.access_token;
    expect(JSON.stringify(await useForEffect(accessToken))).toContain("KEY_REVOKED");
  });
});

describe("an authorization code", () => {
  const WRONG: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
    ["another verifier", { code_verifier: "w".repeat(43) }, "invalid_grant"],
    ["no verifier", { code_verifier: "" }, "invalid_grant"],
    ["another redirect_uri", { redirect_uri: `${BACK}/` }, "invalid_grant"],
    ["another client", { client_id: "cpc_other" }, "invalid_grant"],
    ["another resource", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["another grant type", { grant_type: "password" }, "unsupported_grant_type"],
    ["another code", { code: "cpk_code_no" }, "invalid_grant"],
  ];

  it("API §17.15 is exchanged only by its client with its verifier; a wrong attempt does not use it up", async () => {
    const { exchange } = await allowed();
    for (const [what, changes, error] of WRONG) {
      expect([what, ...oauthError(await token({ ...exchange, ...changes }))]).toEqual([what, 400, error]);
    }
    expect(oauthError(await form("/oauth/token", {}))).toEqual([401, "invalid_client"]);
    const json = await call("POST", "/oauth/token", { body: exchange, headers: fromOwnNetwork() });
    expect(oauthError(json)).toEqual([400, "invalid_request"]);
    expect((await token(exchange)).status).toBe(200);
  });

  it("API §17.15 expires after a minute", async () => {
    const { exchange } = await allowed();
    setClock(Date.now() + LIMITS.agentCodeLifetimeMs + 1_000);
    expect(oauthError(await token(exchange))).toEqual([400, "invalid_grant"]);
  });
});

describe("consent", () => {
  it("API §10.16 requires an owner, on a page of this origin", async () => {
    const [owner, guest, clientId] = [await createAccount(), await createAccount(), await registerClient()];
    const query = queryOf(clientId);
    const foreign = await connect(guest, query, {}, owner.workspaceId);
    expect(refusalOf(foreign)).toEqual([404, "WORKSPACE_NOT_FOUND"]);
    await execute`INSERT INTO workspace_members (workspace_id, account_id, role, created_at)
      VALUES (${owner.workspaceId}, ${guest.accountId}, 'member', 1)`;
    expect(refusalOf(await connect(guest, query, {}, owner.workspaceId))).toEqual([403, "ROLE_INSUFFICIENT"]);
    const path = `/api/account/workspaces/${owner.workspaceId}/agents`;
    const headers = { Origin: "https://evil.example" };
    const crossSite = await callAs(owner, "POST", path, { body: { query }, headers });
    expect(refusalOf(crossSite)).toEqual([403, "ORIGIN_NOT_ALLOWED"]);
    const rows =
      await selectRows`SELECT 1 FROM api_keys WHERE agent_account_id IN (${owner.accountId}, ${guest.accountId})`;
    expect(rows).toEqual([]);
  });

  it("API §10.15 never redirects to an address that the client did not register", async () => {
    const account = await createAccount();
    const clientId = await registerClient({
      redirect_uris: [BACK, "http://127.0.0.1/cb", "http://localhost:1/cb"],
    });
    for (const redirect_uri of [
      `${BACK}/`,
      `${BACK}?x`,
      "https://evil.example/back",
      "",
      "http://127.0.0.1/other",
    ]) {
      const asked = queryOf(clientId, { redirect_uri });
      expect([redirect_uri, ...refusalOf(await read(account, asked))]).toEqual([
        redirect_uri,
        422,
        "AGENT_REFUSED",
      ]);
      expect(refusalOf(await connect(account, asked))).toEqual([422, "AGENT_REFUSED"]);
    }
    for (const redirect_uri of ["http://127.0.0.1:51004/cb", "http://localhost:7/cb"]) {
      expect((await read(account, queryOf(clientId, { redirect_uri }))).status).toBe(200);
    }
    const forged = `${clientId.slice(0, -1)}${clientId.endsWith("A") ? "B" : "A"}`;
    expect(refusalOf(await read(account, queryOf(forged)))).toEqual([422, "AGENT_REFUSED"]);
  });

  it("API §10.15 returns the error of an invalid request to the agent, and gives no consent", async () => {
    const [account, clientId] = [await createAccount(), await registerClient()];
    const cases = [
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ code_challenge_method: "plain" }, "invalid_request"],
      [{ code_challenge: "" }, "invalid_request"],
      [{ resource: "https://packs.example/" }, "invalid_target"],
      [{ resource: "" }, "invalid_target"],
      [{ scope: "api-keys:write" }, "invalid_scope"],
    ] as const;
    for (const [changes, error] of cases) {
      const asked = queryOf(clientId, changes);
      const { data } = (await read(account, asked)).body;
      expect([data.error, new URL(data.refuseUrl).searchParams.get("error")]).toEqual([error, error]);
      expect(refusalOf(await connect(account, asked))).toEqual([422, "AGENT_REFUSED"]);
    }
    const repeated = `${queryOf(clientId)}&scope=a&scope=b`;
    expect((await read(account, repeated)).body.data.error).toBe("invalid_request");
    expect((await read(account, queryOf(clientId))).body.data).toMatchObject({
      name: "Example agent",
      host: null,
      redirectHost: "agent.example",
      error: null,
      scopes: AGENT_SCOPES,
    });
  });
});

describe("a registration", () => {
  it("API §17.14 accepts only https and loopback addresses, and answers as RFC 7591 requires", async () => {
    for (const uri of [
      "http://agent.example/cb",
      "javascript:alert(1)",
      "https://a.example/#x",
      "app:/cb",
      "https://u:p@a.example/",
    ]) {
      const body = { redirect_uris: [uri] };
      const refused = await call("POST", "/oauth/register", { body, headers: fromOwnNetwork() });
      expect([uri, ...oauthError(refused)]).toEqual([uri, 400, "invalid_redirect_uri"]);
    }
    const name = await call("POST", "/oauth/register", {
      body: { client_name: 7, redirect_uris: [BACK] },
      headers: fromOwnNetwork(),
    });
    expect(oauthError(name)).toEqual([400, "invalid_client_metadata"]);
  });

  it("API §17.14 is limited by network, with the error format of the RFC", async () => {
    const headers = fromOwnNetwork();
    const settings = { RATE_LIMIT_OAUTH: "1" };
    await call("POST", "/oauth/register", { body: { redirect_uris: [BACK] }, headers, settings });
    const full = await call("POST", "/oauth/register", {
      body: { redirect_uris: [BACK] },
      headers,
      settings,
    });
    expect([full.status, full.body.error, full.headers.has("Retry-After")]).toEqual([
      429,
      "temporarily_unavailable",
      true,
    ]);
  });
});

describe("a client whose id is the URL of its metadata", () => {
  // Each document is on another host, because documents are cached.
  const newAddress = (): string => `https://${newId()}.example/oauth/client.json`;
  const document = (clientId: string) => ({
    client_id: clientId,
    client_name: "Good\u202e agent",
    redirect_uris: [BACK, "http://localhost/cb"],
  });

  it("API §17.14 is shown with the host of its metadata, which is fetched once", async () => {
    const clientId = newAddress();
    const internet = standInForInternet(async () => Response.json(document(clientId)));
    const account = await createAccount();
    const first = await read(account, queryOf(clientId));
    expect(first.body.data).toMatchObject({ name: "Good agent", host: new URL(clientId).host, error: null });
    expect((await connect(account, queryOf(clientId))).status).toBe(201);
    expect(internet).toHaveBeenCalledTimes(1);
    const [row] =
      await selectRows`SELECT agent_host FROM api_keys WHERE agent_account_id = ${account.accountId}`;
    expect(row).toEqual({ agent_host: new URL(clientId).host });
  });

  const INVALID_DOCUMENTS: readonly (readonly [string, (clientId: string) => Response])[] = [
    ["names another client", () => Response.json(document("https://client.example/other.json"))],
    ["redirects", () => Response.redirect("https://client.example/other.json", 302)],
    ["is missing", () => new Response("no", { status: 404 })],
    ["is not JSON", () => new Response("<html>")],
    ["is too long", (clientId) => Response.json({ ...document(clientId), padding: "x".repeat(20_000) })],
    ["has no redirect URI", (clientId) => Response.json({ ...document(clientId), redirect_uris: [] })],
    [
      "redirects to a script",
      (clientId) => Response.json({ ...document(clientId), redirect_uris: ["javascript:1"] }),
    ],
  ];

  it.each(INVALID_DOCUMENTS)("API §17.14 is refused if the document %s", async (_, answer) => {
    const clientId = newAddress();
    standInForInternet(async () => answer(clientId));
    expect(refusalOf(await read(await createAccount(), queryOf(clientId)))).toEqual([422, "AGENT_REFUSED"]);
  });

  it("API §17.14 is never fetched from a private address", async () => {
    const internet = standInForInternet(async () => new Response());
    const account = await createAccount();
    for (const clientId of [
      "https://10.0.0.1/client.json",
      "https://localhost/client.json",
      "https://169.254.169.254/latest",
      "http://client.example/client.json",
      "https://client.example/",
      "https://client.example/a/../client.json",
      "https://client.example:22/client.json",
    ]) {
      expect([clientId, ...refusalOf(await read(account, queryOf(clientId)))]).toEqual([
        clientId,
        422,
        "AGENT_REFUSED",
      ]);
    }
    expect(internet).not.toHaveBeenCalled();
  });
});

import { execFile } from "node:child_process";
import { resolve } from "node:path";
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { allow, BACK, registerClient } from "./support/agents.ts";
import { type Person, seedPerson } from "./support/people.ts";
import { type Service, startService } from "./support/service.ts";

/**
 * The client and the conformance suite for authorization servers of the Model Context Protocol (MCP), against the built
 * worker.
 */

let service: Service;
beforeAll(async () => {
  service = await startService({ vars: { ENVIRONMENT: "local" } });
});
afterAll(() => service.stop());

/** The user allows the request in their workspace. Returns the URL that the browser is redirected to. */
async function consent(person: Person, address: URL): Promise<URL> {
  expect(`${address.origin}${address.pathname}`).toBe(`${service.origin}/connect`);
  const answer = await allow(service, person, address.search.slice(1));
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return new URL(answer.body.data.redirectTo);
}

/** A client that keeps its credentials in memory. */
class Program implements OAuthClientProvider {
  readonly redirectUrl = BACK;
  readonly clientMetadata = { client_name: "SDK", redirect_uris: [BACK] };
  kept: {
    discovery?: OAuthDiscoveryState;
    asked?: URL;
    client?: OAuthClientInformationMixed;
    tokens?: OAuthTokens;
    verifier?: string;
  } = {};
  state = () => "state";
  clientInformation = () => this.kept.client;
  saveClientInformation = (client: OAuthClientInformationMixed) => this.keep({ client });
  tokens = () => this.kept.tokens;
  saveTokens = (tokens: OAuthTokens) => this.keep({ tokens });
  redirectToAuthorization = (asked: URL) => this.keep({ asked });
  saveCodeVerifier = (verifier: string) => this.keep({ verifier });
  discoveryState = () => this.kept.discovery;
  saveDiscoveryState = (discovery: OAuthDiscoveryState) => this.keep({ discovery });
  codeVerifier = () => this.kept.verifier ?? "";
  keep(more: Program["kept"]): void {
    this.kept = { ...this.kept, ...more };
  }
}

const transportOf = (program: Program) =>
  new StreamableHTTPClientTransport(new URL("/mcp", service.origin), { authProvider: program });

async function finish(person: Person, program: Program): Promise<void> {
  const back = await consent(person, program.kept.asked ?? new URL(service.origin));
  await transportOf(program).finishAuth(back.searchParams);
}

const newClient = () => new Client({ name: "tests", version: "1.0.0" });

it("API §17.14, §17.16 the MCP client discovers the server, registers, and gets and renews tokens", async () => {
  const [person, program] = [await seedPerson(service), new Program()];
  await expect(newClient().connect(transportOf(program))).rejects.toThrow(UnauthorizedError);
  await finish(person, program);
  const client = newClient();
  await client.connect(transportOf(program));
  const balance = await client.callTool({ name: "get_balance", arguments: {} });
  expect(balance.structuredContent).toMatchObject({ credits: { available: 0 } });

  const first = program.kept.tokens;
  if (first === undefined) throw new Error("the client kept no tokens");
  // Replaces the access token with an invalid one.
  program.keep({ tokens: { ...first, access_token: "cpk_agent_ended" } });
  const later = newClient();
  await later.connect(transportOf(program));
  expect(program.kept.tokens?.refresh_token).not.toBe(first.refresh_token);
  expect(program.kept.tokens?.access_token).not.toBe(first.access_token);
  await client.close();
  await later.close();
});

it("API §17.15 the MCP client requests more scopes after a 403", async () => {
  const [person, program] = [await seedPerson(service), new Program()];
  await expect(newClient().connect(transportOf(program))).rejects.toThrow(UnauthorizedError);
  program.kept.asked?.searchParams.set("scope", "balance:read");
  await finish(person, program);
  const client = newClient();
  await client.connect(transportOf(program));
  await expect(client.callTool({ name: "list_assets", arguments: {} })).rejects.toThrow();
  const scope = program.kept.asked?.searchParams.get("scope");
  expect(scope?.split(" ").sort()).toEqual(["assets:read", "balance:read"]);
  await client.close();
});

const SUITE = resolve("node_modules/@modelcontextprotocol/conformance/dist/index.js");
const PORT = 37_215;

it("API §17.14, §17.15 every scenario of the MCP suite for authorization servers passes", async () => {
  const person = await seedPerson(service);
  const clientId = await registerClient(service, `http://127.0.0.1:${PORT}/callback`);
  const settings = ["--url", service.origin, "--client-id", clientId, "--resource", `${service.origin}/mcp`];
  const output = await new Promise<string>((ended, failed) => {
    const run = [SUITE, "authorization", ...settings, "--port", String(PORT)];
    const suite = execFile(process.execPath, run, { timeout: 60_000 }, (error, stdout) =>
      error === null ? ended(stdout) : failed(new Error(`${stdout}\n${error.message}`)),
    );
    let printed = "";
    let isAllowed = false;
    // The suite prints where to send the browser, and waits for its return.
    suite.stdout?.on("data", (text: string) => {
      printed += text;
      const address = /^http\S+\/connect\?\S+$/m.exec(printed)?.[0];
      if (address === undefined || isAllowed) return;
      isAllowed = true;
      consent(person, new URL(address))
        .then((back) => fetch(back), failed)
        .catch(failed);
    });
  });
  expect(output).toContain("authorization-code-grant: 1 passed, 0 failed");
  expect(output).toContain("Total: 3 passed, 0 failed");
});

import { createHash } from "node:crypto";
import { z } from "zod";
import { type Person, sendAs } from "./people.ts";
import type { Service } from "./service.ts";

/** An agent's client, and the account's consent as the Studio's page sends it. */

export const BACK = "http://127.0.0.1/back";
export const VERIFIER = "v".repeat(43);

/** Registers a client that redirects to this machine. */
export async function registerClient(service: Service, redirectUri = BACK): Promise<string> {
  const answer = await fetch(new URL("/oauth/register", service.origin), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ client_name: "Example agent", redirect_uris: [redirectUri] }),
  });
  return z.object({ client_id: z.string() }).parse(await answer.json()).client_id;
}

/** The query of a valid authorization request, with changes. */
export const queryOf = (
  service: Service,
  clientId: string,
  changes: Readonly<Record<string, string>> = {},
): string =>
  String(
    new URLSearchParams({
      ...{ response_type: "code", client_id: clientId, redirect_uri: BACK, state: "xyz" },
      code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
      ...{ code_challenge_method: "S256", resource: `${service.origin}/mcp` },
      ...changes,
    }),
  );

export const readRequest = (service: Service, person: Person, query: string) =>
  sendAs(service, person, "POST", "/api/account/agent-requests", { json: { query } });

export const allow = (service: Service, person: Person, query: string, workspaceId = person.workspaceId) =>
  sendAs(service, person, "POST", `/api/account/workspaces/${workspaceId}/agents`, { json: { query } });

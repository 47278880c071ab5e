import type { Context } from "hono";
import {
  agentConnectionSchema,
  agentRequestSchema,
  connectAgentBody,
  readAgentRequestBody,
} from "#api/schemas/agent.ts";
import {
  type AuthorizationRequest,
  answerAddress,
  readAuthorizationRequest,
} from "#domains/oauth/authorization-request.ts";
import { connectAgent } from "#domains/oauth/connect-agent.ts";
import { agentRefused } from "#domains/oauth/find-client.ts";
import { OWNER, SESSION, whileAdmitted } from "#interface/http/access.ts";
import { causeOf } from "#interface/http/audit-cause.ts";
import type { AppEnv } from "#interface/http/context.ts";
import { acceptedValue, RefusedRequest, succeed } from "#interface/http/envelope.ts";
import { publicOrigin } from "#interface/http/origin.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";

/** Parses and validates the query of an authorization request. */
async function requestOf(c: Context<AppEnv>, query: string): Promise<AuthorizationRequest> {
  const { secret } = requireCapability(c, "accounts");
  const addressRules = c.var.capabilities.imports?.addressRules ?? { isLoopbackOpen: false };
  return acceptedValue(await readAuthorizationRequest({ secret, addressRules }, publicOrigin(c), query));
}

export const readAgentRequestRoute = defineRoute({
  operationId: "readAgentRequest",
  route: "POST /api/account/agent-requests",
  summary: "Read an agent's authorization request",
  description:
    "Data for the consent page: which agent asks, and for which scopes. Nothing is stored. If the agent's client " +
    "id is a URL, its metadata is read from there. An unknown client or `redirect_uri` is 422, without a redirect.",
  access: SESSION,
  window: "keys",
  errors: ["AGENT_REFUSED"],
  json: readAgentRequestBody,
  responses: { 200: success(agentRequestSchema, "The agent and its requested scopes") },
  handler: async (c, { json: { query } }) => {
    const request = await requestOf(c, query);
    const { client, redirectUri, scopes, error } = request;
    return succeed(c, 200, {
      name: client.name,
      host: client.host,
      redirectHost: new URL(redirectUri).host,
      scopes: [...scopes],
      error,
      refuseUrl: answerAddress(publicOrigin(c), request, { error: error ?? "access_denied" }),
    });
  },
});

export const connectAgentRoute = defineRoute({
  operationId: "connectAgent",
  route: "POST /api/account/workspaces/{workspaceId}/agents",
  summary: "Connect an agent to a workspace",
  description:
    "Allows the request and returns the redirect URL with an authorization code. The code is valid for one minute " +
    "and one exchange at `POST /oauth/token`. The agent then appears in the list of API keys, where it can be " +
    "changed and revoked.",
  access: OWNER,
  window: "keys",
  needs: ["database"],
  errors: ["AGENT_REFUSED", "API_KEY_LIMIT_REACHED"],
  json: connectAgentBody,
  responses: { 201: success(agentConnectionSchema, "The redirect URL") },
  handler: async (c, { workspaceId, json: { query, monthlyBudget } }) => {
    const request = await requestOf(c, query);
    if (request.error !== null) {
      throw new RefusedRequest(agentRefused(`The agent's request cannot be allowed: ${request.error}.`));
    }
    const { accountId } = c.get("session");
    const consent = { workspaceId, accountId, monthlyBudget: monthlyBudget ?? null, cause: causeOf(c) };
    const database = requireCapability(c, "database");
    const connected = await whileAdmitted(() => connectAgent(database, publicOrigin(c), request, consent));
    return succeed(c, 201, acceptedValue(connected));
  },
});

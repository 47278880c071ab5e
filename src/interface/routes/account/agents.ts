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

/** The request of a query, by the rules of this origin. */
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
    "What the page of consent shows: who asks, and for what. Nothing of it is stored. An agent whose id is an address is " +
    "read from there. The person is sent nowhere for an unknown client or `redirect_uri`: 422.",
  access: SESSION,
  window: "keys",
  errors: ["AGENT_REFUSED"],
  json: readAgentRequestBody,
  responses: { 200: success(agentRequestSchema, "Who asks, and for what") },
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
    "Allows the request, and gives the address that takes a code to the agent. The code is good for a minute and one " +
    "exchange at `POST /oauth/token`. From then on the agent is in the list of API keys, where it is changed and revoked.",
  access: OWNER,
  window: "keys",
  needs: ["database"],
  errors: ["AGENT_REFUSED", "API_KEY_LIMIT_REACHED"],
  json: connectAgentBody,
  responses: { 201: success(agentConnectionSchema, "Where to send the person's browser") },
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

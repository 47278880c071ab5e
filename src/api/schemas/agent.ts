import { z } from "@hono/zod-openapi";
import { LIMITS } from "../limits.ts";
import { SCOPES } from "../scopes.ts";
import { uuidSchema } from "./primitives.ts";
import { strictBody } from "./strict-body.ts";

const querySchema = z
  .string()
  .min(1)
  .max(LIMITS.agentRequestCharactersMax)
  .openapi({
    description: "Query of the authorization request, as the agent sent it, without `?`.",
    example:
      "response_type=code&client_id=https%3A%2F%2Fagent.example%2Fclient.json&redirect_uri=https%3A%2F%2Fagent.example%2Fback&" +
      "code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256&" +
      "resource=https%3A%2F%2Fpacks.example%2Fmcp&state=xyz",
  });

export const readAgentRequestBody = strictBody({ query: querySchema }).openapi("ReadAgentRequest", {
  description: "The authorization request to read.",
});

export const agentRequestSchema = z
  .object({
    name: z.string().openapi({ description: "Name that the agent gave itself." }),
    host: z.string().nullable().openapi({
      description: "Host of the metadata document that confirms the name; null if there is none.",
    }),
    redirectHost: z.string().openapi({ description: "Host that the browser returns to." }),
    scopes: z.array(z.enum(SCOPES)).openapi({ description: "Scopes that the agent asks for." }),
    error: z.string().nullable().openapi({
      description: "OAuth error code if the request cannot be allowed (RFC 6749 §4.1.2.1); null if it can.",
    }),
    refuseUrl: z
      .string()
      .openapi({ description: "URL for the browser if the person refuses, or if `error` is set." }),
  })
  .openapi("AgentRequest", {
    example: {
      name: "Example agent",
      host: "agent.example",
      redirectHost: "agent.example",
      scopes: ["balance:read", "jobs:write"],
      error: null,
      refuseUrl: "https://agent.example/back?error=access_denied&state=xyz&iss=https%3A%2F%2Fpacks.example",
    },
  });

export const connectAgentBody = strictBody({
  query: querySchema,
  monthlyBudget: z.int().min(1).max(LIMITS.keyBudgetCreditsMax).nullish().openapi({
    description: "Credits that the agent may spend per UTC calendar month. Absent or null: no limit.",
  }),
}).openapi("ConnectAgent", { description: "The authorization request and the agent's budget." });

export const agentConnectionSchema = z
  .object({
    apiKeyId: uuidSchema.openapi({ description: "Id of the connection in the list of API keys." }),
    redirectTo: z
      .string()
      .openapi({ description: "URL for the browser. It passes the authorization code to the agent." }),
  })
  .openapi("AgentConnection", {
    example: {
      apiKeyId: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71",
      redirectTo: "https://agent.example/back?code=…&state=xyz&iss=https%3A%2F%2Fpacks.example",
    },
  });

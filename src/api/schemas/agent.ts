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
    description: "The query of the authorization request, as the agent sent it to the page, without `?`.",
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
    name: z.string().openapi({ description: "What the agent calls itself." }),
    host: z.string().nullable().openapi({
      description: "The host whose metadata document vouches for the name; null where nothing does.",
    }),
    redirectHost: z.string().openapi({ description: "Where the person is sent back to." }),
    scopes: z.array(z.enum(SCOPES)).openapi({ description: "What it may do if it is allowed." }),
    error: z.string().nullable().openapi({
      description: "Why it cannot be allowed, for the agent (RFC 6749 §4.1.2.1); null where it can.",
    }),
    refuseUrl: z
      .string()
      .openapi({ description: "Where to send the browser to refuse, or with that error." }),
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
    description: "Credits that it may spend in a UTC calendar month; all there is when absent or null.",
  }),
}).openapi("ConnectAgent", { description: "What the person allows." });

export const agentConnectionSchema = z
  .object({
    apiKeyId: uuidSchema.openapi({ description: "The connection, as it is in the list of API keys." }),
    redirectTo: z.string().openapi({ description: "Takes the code to the agent; send the browser there." }),
  })
  .openapi("AgentConnection", {
    example: {
      apiKeyId: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71",
      redirectTo: "https://agent.example/back?code=…&state=xyz&iss=https%3A%2F%2Fpacks.example",
    },
  });

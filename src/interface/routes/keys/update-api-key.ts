import { apiKeySchema, updateApiKeyBody } from "#api/schemas/api-key.ts";
import { presentKey } from "#domains/keys/api-key.ts";
import { budgetLimitsOf } from "#domains/keys/budget.ts";
import { updateKey } from "#domains/keys/manage-keys.ts";
import { memberWith } from "#interface/http/access.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { defineRoute, success } from "#interface/http/route.ts";

export const updateWorkspaceApiKeyRoute = defineRoute({
  operationId: "updateWorkspaceApiKey",
  method: "patch",
  path: "/api/account/workspaces/{workspaceId}/api-keys/{apiKeyId}",
  tag: "Account",
  summary: "Change an API key's name or budget",
  description:
    "What is absent stays. A `budget` replaces the whole budget, and `null` takes it away. It holds from the next order " +
    "on: what the key has spent today and this month counts. No key changes its own.",
  access: memberWith("api-keys:write"),
  window: "keys",
  errors: ["API_KEY_NOT_FOUND"],
  json: updateApiKeyBody,
  responses: { 200: success(apiKeySchema, "The key as it is now") },
  handler: async (c) => {
    const { apiKeyId } = c.req.valid("param");
    const { name, budget } = c.req.valid("json");
    const { db, workspaceId } = c.get("workspace");
    const nowMs = c.get("nowMs");
    const changes = { name, budget: budget === undefined ? undefined : budgetLimitsOf(budget) };
    const changed = acceptedValue(await updateKey(db, { workspaceId, apiKeyId }, changes, nowMs));
    return succeed(c, 200, presentKey(changed, nowMs));
  },
});

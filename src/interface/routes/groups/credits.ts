import type { Route } from "#interface/http/route.ts";
import { getBalanceRoute, listUsageRoute } from "../balance/balance.ts";
import { createApiKeyRoute, listApiKeysRoute, revokeApiKeyRoute } from "../keys/api-keys.ts";
import { claimTrialKeyRoute } from "../keys/claim-trial-key.ts";
import { getStatementRoute, getUsageSummaryRoute } from "../usage/usage.ts";

export const routes: readonly Route[] = [
  ...[claimTrialKeyRoute, getBalanceRoute, listUsageRoute, getUsageSummaryRoute, getStatementRoute],
  ...[listApiKeysRoute, createApiKeyRoute, revokeApiKeyRoute],
];

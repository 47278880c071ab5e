import type { Route } from "#interface/http/route.ts";
import { getBalanceRoute } from "../balance/get-balance.ts";
import { listUsageRoute } from "../balance/list-usage.ts";
import { claimTrialKeyRoute } from "../keys/claim-trial-key.ts";
import { createApiKeyRoute } from "../keys/create-api-key.ts";
import { listApiKeysRoute } from "../keys/list-api-keys.ts";
import { revokeApiKeyRoute } from "../keys/revoke-api-key.ts";
import { getStatementRoute } from "../usage/get-statement.ts";
import { getUsageSummaryRoute } from "../usage/get-usage-summary.ts";

export const routes: readonly Route[] = [
  ...[claimTrialKeyRoute, getBalanceRoute, listUsageRoute, getUsageSummaryRoute, getStatementRoute],
  ...[listApiKeysRoute, createApiKeyRoute, revokeApiKeyRoute],
];

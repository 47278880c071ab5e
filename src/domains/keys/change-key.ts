import { accept, type Outcome, refuse } from "#api/errors.ts";
import type { ApiKey } from "./api-key.ts";
import type { BudgetLimits } from "./budget.ts";
import { changeKey } from "./store.ts";

/** What of a key is changed; what is absent stays. */
export interface KeyChanges {
  readonly name?: string | undefined;
  readonly budget?: BudgetLimits | undefined;
}

/**
 * Changes a key's name or budget; a lower budget holds for the very next order. API_KEY_NOT_FOUND when the workspace has
 * none of this id. Keys that it made before stay as they are.
 */
export async function updateKey(
  db: D1Database,
  key: { readonly workspaceId: string; readonly apiKeyId: string },
  { name, budget }: KeyChanges,
  nowMs: number,
): Promise<Outcome<ApiKey>> {
  const [changed = null] = await changeKey.all(db, {
    ...key,
    name: name ?? null,
    changesBudget: budget === undefined ? 0 : 1,
    dailyBudget: budget?.dailyBudget ?? null,
    monthlyBudget: budget?.monthlyBudget ?? null,
    nowMs,
  });
  return changed === null
    ? refuse("API_KEY_NOT_FOUND", "The workspace has no API key of this id.")
    : accept(changed);
}

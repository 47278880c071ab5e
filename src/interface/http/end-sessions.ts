import type { Context } from "hono";
import { endMirroredSessions } from "#domains/accounts/members/end-sessions-on-shards.ts";
import type { AppEnv } from "./context.ts";
import { recentKeysOf } from "./key-cache.ts";
import { requireCapability } from "./require-capability.ts";

/**
 * Called once sessions of an account have ended in `DB`, and before that is answered: no shard takes a write of theirs any
 * more, and this isolate remembers none of their keys.
 */
export async function endSessionsEverywhere(c: Context<AppEnv>, accountId: string): Promise<void> {
  await endMirroredSessions(requireCapability(c, "accounts").databases, accountId);
  recentKeysOf(c.var.capabilities).deleteOfAccount(accountId);
}

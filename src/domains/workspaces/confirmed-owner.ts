import { type Refusal, refuse } from "#api/errors.ts";
import { latest } from "#platform/db/reader.ts";
import { ownerByWorkspace } from "./owner-store.ts";

/**
 * Where mail is configured, a workspace pays and buys only once its owner has shown that the address is theirs. One that
 * has no owner, as a trial's or an operator's, has nobody to ask.
 */

/** 403 EMAIL_NOT_CONFIRMED. */
export const ownerUnconfirmed = (): Refusal =>
  refuse("EMAIL_NOT_CONFIRMED", "The address of the workspace's owner is not confirmed.");

/** EMAIL_NOT_CONFIRMED where the owner's address is not confirmed, otherwise null. Asked only where mail is configured. */
export async function findUnconfirmedRefusal(db: D1Database, workspaceId: string): Promise<Refusal | null> {
  const owner = await ownerByWorkspace.first(latest(db), { workspaceId });
  return owner?.isUnconfirmed === 1 ? ownerUnconfirmed() : null;
}

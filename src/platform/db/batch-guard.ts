import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { batchGuards } from "./schema/guards.ts";
import { workspaces } from "./schema/index.ts";

/** What a batch can depend on: a constraint of `batch_guards` each. */
export type GuardName =
  | "key_active"
  | "membership_active"
  | "workspace_limit"
  | "job_preconditions"
  | "asset_limit"
  | "upload_unchanged"
  | "brand_writable"
  | "import_held"
  | "payment_unchanged"
  | "key_budget";

/**
 * A statement that fails the batch it stands in, and with it all that the batch would write, unless the condition is
 * true. Where it is, nothing is written.
 */
export const guard = (name: GuardName, condition: SQL): SQL =>
  sql`insert into ${batchGuards} select ${name} where (${condition}) is not true`;

/** True when a batch failed by a guard of this name; nothing of it was kept. */
export const isGuardViolation = (thrown: unknown, name: GuardName): boolean =>
  thrown instanceof Error && thrown.message.includes(`CHECK constraint failed: ${name}`);

/** True when a batch failed because its workspace is being moved, or has moved (migrations/0022); nothing of it was kept. */
export const isMovingError = (thrown: unknown): boolean =>
  thrown instanceof Error && thrown.message.includes("the workspace is moving");

/**
 * False for rows of a workspace that are being copied here, or deleted from here: a sweep leaves them alone. Triggers refuse
 * to change them, and would fail the whole statement. The list is read once a statement, from the index `workspaces_moving`.
 */
export const isNotMoving = (workspaceId: SQLWrapper): SQL =>
  sql`${workspaceId} not in (select ${workspaces.workspaceId} from ${workspaces}
    where moving_to IS NOT NULL and ${workspaces.movingSince} is not null)`;

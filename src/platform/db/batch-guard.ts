import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { batchGuards } from "./schema/guards.ts";
import { workspaces } from "./schema/index.ts";

/** Conditions that a batch can depend on; each is a constraint of `batch_guards`. */
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

/** A statement that does nothing if the condition is true, and otherwise fails, which rolls back its batch. */
export const guard = (name: GuardName, condition: SQL): SQL =>
  sql`insert into ${batchGuards} select ${name} where (${condition}) is not true`;

/** Whether a batch was rolled back by the guard of this name. */
export const isGuardViolation = (thrown: unknown, name: GuardName): boolean =>
  thrown instanceof Error && thrown.message.includes(`CHECK constraint failed: ${name}`);

/** Whether a batch was rolled back because its workspace is moving or has moved (migrations/0022). */
export const isMovingError = (thrown: unknown): boolean =>
  thrown instanceof Error && thrown.message.includes("the workspace is moving");

/**
 * False for rows of a workspace that is moving to or from this database, while writes here are refused. Sweeps need it:
 * triggers refuse to change such rows, and would fail the whole statement. The subquery runs once per statement, on the
 * index `workspaces_moving`.
 */
export const isNotMoving = (workspaceId: SQLWrapper): SQL =>
  sql`${workspaceId} not in (select ${workspaces.workspaceId} from ${workspaces}
    where moving_to IS NOT NULL and ${workspaces.movingSince} is not null)`;

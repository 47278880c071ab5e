import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { workspaces } from "./schema/index.ts";

/**
 * False for rows of a workspace that are being copied here, or deleted from here: a sweep leaves them alone. Triggers refuse
 * to change them, and would fail the whole statement. The list is read once a statement, from the index `workspaces_moving`.
 */
export const isNotMoving = (workspaceId: SQLWrapper): SQL =>
  sql`${workspaceId} not in (select ${workspaces.workspaceId} from ${workspaces}
    where moving_to IS NOT NULL and ${workspaces.movingSince} is not null)`;

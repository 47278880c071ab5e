import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { APPROVALS } from "#api/schemas/pack-state.ts";
import { shareComments, shares } from "#platform/db/schema/index.ts";

export type Approval = (typeof APPROVALS)[number];

/**
 * SQL of a pack's approval: the newest verdict on any of its links. Without one it is in review while a link is open.
 * By the database's clock, because most readings of a job have no time.
 */
export const approvalOf = (artifactId: SQLWrapper): SQL<Approval> => sql<Approval>`coalesce(
  (select replace(${shareComments.verdict}, '-', '_') from ${shares}
    join ${shareComments} on ${shareComments.shareId} = ${shares.shareId}
    where ${shares.artifactId} = ${artifactId} and ${shareComments.verdict} is not null
    order by ${shareComments.commentId} desc limit 1),
  iif(exists (select 1 from ${shares} where ${shares.artifactId} = ${artifactId}
    and ${shares.revokedAt} is null and ${shares.expiresAt} > unixepoch('subsec') * 1000), 'in_review', 'none'))`;

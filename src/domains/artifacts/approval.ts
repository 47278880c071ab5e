import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { APPROVALS } from "#api/schemas/pack-state.ts";
import { shareComments, shares } from "#platform/db/schema/index.ts";

export type Approval = (typeof APPROVALS)[number];

/**
 * SQL of a pack's approval: the newest verdict on any of its links, or else "in review" while a link is open. The index
 * of verdicts finds each link's newest, so a link with many verdicts costs no more than one with a single verdict. Uses
 * the database's clock, because most reads of a job pass no time.
 */
export const approvalOf = (artifactId: SQLWrapper): SQL<Approval> => sql<Approval>`coalesce(
  (select replace(${shareComments.verdict}, '-', '_') from ${shareComments} where ${shareComments.commentId} = (
    select max((select max(${shareComments.commentId}) from ${shareComments}
      where ${shareComments.shareId} = ${shares.shareId} and ${shareComments.verdict} is not null))
    from ${shares} where ${shares.artifactId} = ${artifactId})),
  iif(exists (select 1 from ${shares} where ${shares.artifactId} = ${artifactId}
    and ${shares.revokedAt} is null and ${shares.expiresAt} > unixepoch('subsec') * 1000), 'in_review', 'none'))`;

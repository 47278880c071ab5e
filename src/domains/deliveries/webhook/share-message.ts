import { sql } from "drizzle-orm";
import { deliveries, destinations, shareComments, shares } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { isBelowOpenLimit } from "../delivery-store.ts";

/** A random UUID, made as in the triggers that insert other messages (migrations/0006). */
const randomId = sql`lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
  || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`;

/**
 * Inserts a message about a visitor's comment for each subscribed webhook of the workspace, in the batch that inserts
 * the comment. `shown` is the comment as JSON, a snapshot. A webhook at its limit of open deliveries gets none.
 */
export const insertCommentMessages = statement(
  (given: Given<{ commentId: string; shown: string; nowMs: number }>) =>
    query.insert(deliveries).selecting(
      {
        deliveryId: randomId,
        workspaceId: shares.workspaceId,
        destinationId: destinations.destinationId,
        eventType: "share.commented",
        reference: sql`'share.commented:' || ${given.commentId} || ':' || ${destinations.destinationId}`,
        facts: sql`json_object('artifactId', ${shares.artifactId},
          'share', json_object('shareId', ${shares.shareId}, 'name', ${shares.name}), 'comment', json(${given.shown}))`,
        status: "queued",
        nextAttemptAt: given.nowMs,
        createdAt: given.nowMs,
      },
      sql`from ${shareComments} join ${shares} on ${shares.shareId} = ${shareComments.shareId}
        join ${destinations} on ${destinations.workspaceId} = ${shares.workspaceId}
        where ${shareComments.commentId} = ${given.commentId}
          and ${destinations.deletedAt} is null and ${destinations.disabledAt} is null
          and exists (select 1 from json_each(${destinations.events}) where value = 'share.commented')
          and ${isBelowOpenLimit(destinations.destinationId)}`,
    ),
);

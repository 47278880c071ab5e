import { and, eq, lte, sql } from "drizzle-orm";
import { isNotMoving } from "#platform/db/batch-guard.ts";
import { latest } from "#platform/db/reader.ts";
import { idempotencyKeys } from "#platform/db/schema/index.ts";
import {
  type Given,
  matches,
  type Preparer,
  query,
  type RowOf,
  type Statement,
  statement,
} from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { assertKeyActive } from "../keys/store.ts";
import type { IdempotencyClaim } from "./claim.ts";

/** The workspace's record of an Idempotency-Key. */
export const recordByKey = statement((given: Given<{ workspaceId: string; idempotencyKey: string }>) =>
  query
    .read(idempotencyKeys, {
      requestHash: idempotencyKeys.requestHash,
      resourceId: idempotencyKeys.resourceId,
    })
    .where(matches(idempotencyKeys, pick(given, "workspaceId", "idempotencyKey"))),
);

export type IdempotencyRecord = RowOf<typeof recordByKey>;

export const findRecord = (db: D1Database, claim: IdempotencyClaim): Promise<IdempotencyRecord | null> =>
  recordByKey.first(latest(db), claim);

/** A key's record, and other facts that the effect depends on. */
export interface RecordAndFacts<Facts> {
  readonly remembered: IdempotencyRecord | null;
  readonly facts: Facts;
}

/** Like `findRecord`, with the rows of another statement in the same round trip. */
export async function findRecordWith<Values, Row>(
  db: D1Database,
  claim: IdempotencyClaim,
  other: Statement<Values, Row>,
  values: Values,
): Promise<RecordAndFacts<Row[]>> {
  const session = latest(db);
  const [record, rows] = await session.batch([recordByKey.bind(session, claim), other.bind(session, values)]);
  return { remembered: recordByKey.row(record), facts: other.rows(rows) };
}

const insertRecord = statement(
  (
    given: Given<
      Omit<IdempotencyClaim, "apiKeyId" | "begunAs"> & { resourceId: string; expiresAt: number | null }
    >,
  ) =>
    query.insert(idempotencyKeys).values({
      ...pick(given, "workspaceId", "idempotencyKey", "operation", "requestHash", "resourceId", "expiresAt"),
      createdAt: given.nowMs,
    }),
);

interface BegunRow {
  readonly workspaceId: string;
  readonly idempotencyKey: string;
  readonly begunAs: string;
}

/** The row of a begun effect; none when another request has taken it over or completed it. */
const isBegunAs = (given: Given<BegunRow>) =>
  and(
    matches(idempotencyKeys, pick(given, "workspaceId", "idempotencyKey")),
    eq(idempotencyKeys.resourceId, given.begunAs),
  );

const deleteBegun = statement((given: Given<BegunRow>) =>
  query.delete(idempotencyKeys).where(isBegunAs(given)),
);

/** Changes the resources of a begun effect. */
export const changeBegun = statement((given: Given<BegunRow & { resourceId: string }>) =>
  query.update(idempotencyKeys).set({ resourceId: given.resourceId }).where(isBegunAs(given)),
);

/**
 * Inserts the row that makes the effect happen once, in the effect's batch: a second batch with the key fails on the
 * primary key. The guard `key_active` also fails the batch if the API key was revoked or its workspace suspended since
 * authentication, which may be long ago. A null `retentionMs` keeps the row for good.
 */
export function rememberStatements(
  db: Preparer,
  claim: IdempotencyClaim,
  resourceId: string,
  retentionMs: number | null,
): readonly D1PreparedStatement[] {
  const { apiKeyId, begunAs, ...request } = claim;
  const expiresAt = retentionMs === null ? null : claim.nowMs + retentionMs;
  const record = insertRecord.bind(db, { ...request, resourceId, expiresAt });
  return [
    ...(apiKeyId === null ? [] : [assertKeyActive.bind(db, { ...request, apiKeyId })]),
    ...(begunAs === undefined ? [] : [deleteBegun.bind(db, { ...request, begunAs })]),
    record,
  ];
}

const deleteExpired = statement((given: Given<{ nowMs: number; limit: number }>) =>
  query.delete(idempotencyKeys).where(
    sql`(${idempotencyKeys.workspaceId}, ${idempotencyKeys.idempotencyKey}) in ${query
      .read(idempotencyKeys, {
        workspaceId: idempotencyKeys.workspaceId,
        key: idempotencyKeys.idempotencyKey,
      })
      .where(and(lte(idempotencyKeys.expiresAt, given.nowMs), isNotMoving(idempotencyKeys.workspaceId)))
      .orderBy(idempotencyKeys.expiresAt)
      .limit(given.limit)}`,
  ),
);

/** Deletes at most `limit` expired rows; a job's never expires. Returns how many. */
export const deleteExpiredKeys = (db: D1Database, nowMs: number, limit: number): Promise<number> =>
  deleteExpired.run(db, { nowMs, limit });

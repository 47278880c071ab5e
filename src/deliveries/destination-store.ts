import { DELIVERY_LIMITS, type WebhookEvent } from "../contract/deliveries.ts";
import type { Destination, DisabledCode, RefusedChecksums } from "./destination.ts";

/** SQL of destinations. Every statement names the workspace, so that a foreign id reads as a missing one. */

interface Row {
  readonly destinationId: string;
  readonly workspaceId: string;
  readonly kind: "webhook" | "s3";
  readonly settings: string;
  readonly sealed: string | null;
  readonly events: string;
  readonly lowBalanceBelow: number | null;
  readonly createdAtMs: number;
  /** JSON, or null. */
  readonly createdBy: string | null;
  readonly disabledAtMs: number | null;
  readonly disabledCode: DisabledCode | null;
  readonly missedAtMs: number | null;
}

const COLUMNS = `destination_id AS destinationId, workspace_id AS workspaceId, kind, settings, sealed, events,
  low_balance_below AS lowBalanceBelow, created_at AS createdAtMs, disabled_at AS disabledAtMs,
  disabled_code AS disabledCode, missed_at AS missedAtMs,
  (SELECT json_object('accountId', a.account_id, 'name', a.name, 'role', m.role)
    FROM accounts a LEFT JOIN workspace_members m
      ON m.account_id = a.account_id AND m.workspace_id = destinations.workspace_id
    WHERE a.account_id = destinations.created_by) AS createdBy`;

/** Our own JSON columns, written only below. */
const toDestination = (row: Row): Destination => ({
  ...row,
  settings: JSON.parse(row.settings),
  events: JSON.parse(row.events) as WebhookEvent[],
  createdBy: row.createdBy === null ? null : JSON.parse(row.createdBy),
});

/** The workspace's destination, also a removed one: its deliveries name it. Null when there is none. */
export async function findDestination(
  db: D1Database,
  workspaceId: string,
  destinationId: string,
): Promise<Destination | null> {
  const row = await db
    .prepare(`SELECT ${COLUMNS} FROM destinations WHERE workspace_id = ?1 AND destination_id = ?2`)
    .bind(workspaceId, destinationId)
    .first<Row>();
  return row === null ? null : toDestination(row);
}

/** The workspace's destination of that identity which is not removed, or null. */
export async function findByIdentity(
  db: D1Database,
  workspaceId: string,
  identity: string,
): Promise<Destination | null> {
  const row = await db
    .prepare(
      `SELECT ${COLUMNS} FROM destinations
       WHERE workspace_id = ?1 AND identity = ?2 AND deleted_at IS NULL`,
    )
    .bind(workspaceId, identity)
    .first<Row>();
  return row === null ? null : toDestination(row);
}

/** All destinations of the workspace, newest first. There are few; see contract/deliveries.ts. */
export async function listDestinations(db: D1Database, workspaceId: string): Promise<readonly Destination[]> {
  const { results } = await db
    .prepare(
      `SELECT ${COLUMNS} FROM destinations WHERE workspace_id = ?1 AND deleted_at IS NULL
       ORDER BY created_at DESC`,
    )
    .bind(workspaceId)
    .all<Row>();
  return results.map(toDestination);
}

/** A destination about to be written. */
export interface NewDestination {
  readonly destinationId: string;
  readonly workspaceId: string;
  readonly kind: "webhook" | "s3";
  readonly identity: string;
  readonly settings: object;
  readonly sealed: string;
  readonly events: readonly WebhookEvent[];
  readonly lowBalanceBelow: number | null;
  /** The account that makes it. */
  readonly createdBy: string;
}

/** Inserts a destination unless the workspace has it, or has as many as it may, removed ones included. */
export const insertDestinationStatement = (
  db: D1Database,
  destination: NewDestination,
  countMax: number,
  nowMs: number,
): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO destinations (destination_id, workspace_id, kind, identity, settings, sealed, events,
         low_balance_below, created_at, created_by)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,
         MAX(?9, COALESCE((SELECT MAX(created_at) + 1 FROM destinations WHERE workspace_id = ?2), 0)), ?12
       WHERE (SELECT COUNT(*) FROM destinations WHERE workspace_id = ?2 AND deleted_at IS NULL) < ?10
         AND (SELECT COUNT(*) FROM destinations WHERE workspace_id = ?2) < ?11
         AND NOT EXISTS (SELECT 1 FROM destinations
           WHERE workspace_id = ?2 AND identity = ?4 AND deleted_at IS NULL)`,
    )
    .bind(
      destination.destinationId,
      destination.workspaceId,
      destination.kind,
      destination.identity,
      JSON.stringify(destination.settings),
      destination.sealed,
      JSON.stringify(destination.events),
      destination.lowBalanceBelow,
      nowMs,
      countMax,
      DELIVERY_LIMITS.destinationRowsPerWorkspaceMax,
      destination.createdBy,
    );

/** Says anew what a webhook is told. */
export const updateEventsStatement = (
  db: D1Database,
  workspaceId: string,
  destinationId: string,
  events: readonly WebhookEvent[],
  lowBalanceBelow: number | null,
): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE destinations SET events = ?3, low_balance_below = ?4
       WHERE workspace_id = ?1 AND destination_id = ?2 AND deleted_at IS NULL`,
    )
    .bind(workspaceId, destinationId, JSON.stringify(events), lowBalanceBelow);

/** Replaces what is encrypted, if it is still what was read. */
export const replaceSealedStatement = (
  db: D1Database,
  destination: Destination,
  sealed: string,
  settings: object,
): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE destinations SET sealed = ?4, settings = ?5
       WHERE workspace_id = ?1 AND destination_id = ?2 AND sealed = ?3 AND deleted_at IS NULL`,
    )
    .bind(
      destination.workspaceId,
      destination.destinationId,
      destination.sealed,
      sealed,
      JSON.stringify(settings),
    );

/** Remembers which checksums a store refuses, in place of what was known. Of two attempts at once the later counts. */
export const rememberChecksumsStatement = (
  db: D1Database,
  destinationId: string,
  refused: RefusedChecksums,
): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE destinations SET settings = json_set(settings, '$.refusedChecksums', json(?2))
       WHERE destination_id = ?1`,
    )
    .bind(destinationId, JSON.stringify(refused));

/** Replaces what is encrypted by what the workspace itself says, whatever stands there. */
export const overwriteSealedStatement = (
  db: D1Database,
  { workspaceId, destinationId }: Pick<Destination, "workspaceId" | "destinationId">,
  sealed: string,
): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE destinations SET sealed = ?3
       WHERE workspace_id = ?1 AND destination_id = ?2 AND deleted_at IS NULL`,
    )
    .bind(workspaceId, destinationId, sealed);

/**
 * Lets a disabled destination be sent to again; a paused one only by an owner, who takes it over where nobody knows who
 * made it.
 */
export const enableStatement = (
  db: D1Database,
  workspaceId: string,
  destinationId: string,
  enabler: { readonly accountId: string; readonly isOwner: boolean },
): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE destinations SET disabled_at = NULL, disabled_code = NULL,
         created_by = iif(disabled_code = 'CREATOR_REMOVED', COALESCE(created_by, ?3), created_by)
       WHERE workspace_id = ?1 AND destination_id = ?2 AND deleted_at IS NULL
         AND (?4 = 1 OR disabled_code IS NOT 'CREATOR_REMOVED')`,
    )
    .bind(workspaceId, destinationId, enabler.accountId, enabler.isOwner ? 1 : 0);

/**
 * Pauses what a member made, and ends what is still to be sent there; before the statement that takes the member out, in
 * one batch with it. An attempt under way loses its lease by it, and puts nothing more. What nobody knows the maker of
 * may be this member's, and is paused with the rest. Of an owner, who is never taken out, nothing is.
 */
export function pauseStatements(
  db: D1Database,
  workspaceId: string,
  accountId: string,
  nowMs: number,
): readonly D1PreparedStatement[] {
  const theirs = `workspace_id = ?1 AND deleted_at IS NULL AND (created_by = ?2 OR created_by IS NULL)
    AND EXISTS (SELECT 1 FROM workspace_members
      WHERE workspace_id = ?1 AND account_id = ?2 AND role = 'member')`;
  return [
    db
      .prepare(
        `UPDATE destinations SET disabled_at = COALESCE(disabled_at, ?3), disabled_code = 'CREATOR_REMOVED'
         WHERE ${theirs}`,
      )
      .bind(workspaceId, accountId, nowMs),
    db
      .prepare(
        `UPDATE deliveries SET status = 'dead', finished_at = ?3, next_attempt_at = NULL, lease_id = NULL,
           failure_code = 'DESTINATION_UNAVAILABLE', receiver_status = NULL,
           failure_message = 'The member who made the destination is no longer in the workspace.'
         WHERE workspace_id = ?1 AND status IN ('queued', 'running', 'retrying')
           AND destination_id IN (SELECT destination_id FROM destinations WHERE ${theirs})`,
      )
      .bind(workspaceId, accountId, nowMs),
  ];
}

/** Stops everything to a destination whose receiver says that it is gone. */
export const disableStatement = (
  db: D1Database,
  destinationId: string,
  code: DisabledCode,
  nowMs: number,
): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE destinations SET disabled_at = ?2, disabled_code = ?3
       WHERE destination_id = ?1 AND disabled_at IS NULL`,
    )
    .bind(destinationId, nowMs, code);

/** Removes a destination and its secrets; deliveries that were made to it go on naming it. */
export const removeStatement = (
  db: D1Database,
  workspaceId: string,
  destinationId: string,
  nowMs: number,
): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE destinations SET deleted_at = ?3, sealed = NULL, events = '[]', low_balance_below = NULL
       WHERE workspace_id = ?1 AND destination_id = ?2 AND deleted_at IS NULL`,
    )
    .bind(workspaceId, destinationId, nowMs);

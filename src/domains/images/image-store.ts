import { and, desc, eq, sql } from "drizzle-orm";
import { LIMITS } from "#api/limits.ts";
import { guard, isNotMoving } from "#platform/db/batch-guard.ts";
import { imageSecrets, jobs, workspaces } from "#platform/db/schema/index.ts";
import { type Given, matches, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { auditWhere } from "../audit/audit-store.ts";

/** SQL of signing secrets, and of the jobs of image URLs. */

type SecretId = { readonly workspaceId: string; readonly imageSecretId: string };

const ofSecret = (given: Given<SecretId>) =>
  matches(imageSecrets, pick(given, "workspaceId", "imageSecretId"));

/** An encrypted secret of a workspace that is neither suspended nor expired. */
export const openSecret = statement((given: Given<SecretId & { nowMs: number }>) =>
  query
    .read(imageSecrets, { sealed: imageSecrets.sealed })
    .innerJoin(workspaces, eq(workspaces.workspaceId, imageSecrets.workspaceId))
    .where(
      sql`${ofSecret(given)} and ${workspaces.suspendedAt} is null
        and coalesce(${workspaces.expiresAt} > ${given.nowMs}, 1)`,
    ),
);

/** The workspace's secrets, newest first. There are few. */
export const secretsOfWorkspace = statement((given: Given<{ workspaceId: string }>) =>
  query
    .read(imageSecrets, {
      ...pick(imageSecrets, "imageSecretId", "workspaceId", "name", "sealed"),
      createdAtMs: imageSecrets.createdAt,
    })
    .where(eq(imageSecrets.workspaceId, given.workspaceId))
    .orderBy(desc(imageSecrets.imageSecretId)),
);

export type StoredSecret = RowOf<typeof secretsOfWorkspace>;

/** Inserts a secret unless the workspace is at its limit. */
export const insertSecret = statement(
  (given: Given<SecretId & { name: string; sealed: string; nowMs: number }>) =>
    query.insert(imageSecrets).selecting(
      {
        ...pick(given, "imageSecretId", "workspaceId", "name", "sealed"),
        createdAt: given.nowMs,
      },
      sql`where (select count(*) from ${imageSecrets} where ${imageSecrets.workspaceId} = ${given.workspaceId})
        < ${sql.raw(String(LIMITS.imageSecretsPerWorkspaceMax))}`,
    ),
);

export const auditSecret = auditWhere(
  (
    given,
  ) => sql`exists (select 1 from ${imageSecrets} where ${imageSecrets.workspaceId} = ${given.workspaceId}
    and ${imageSecrets.imageSecretId} = ${given.subjectId})`,
);

export const deleteSecret = statement((given: Given<SecretId>) =>
  query
    .delete(imageSecrets)
    .where(ofSecret(given))
    .returning({
      ...pick(imageSecrets, "imageSecretId", "workspaceId", "name", "sealed"),
      createdAtMs: imageSecrets.createdAt,
    }),
);

/** Secrets encrypted with the key that has this prefix. */
export const imageSecretsUnderKey = statement((given: Given<{ keyPrefix: string; limit: number }>) =>
  query
    .from(imageSecrets, "imageSecretId", "workspaceId", "sealed")
    .where(
      sql`substr(${imageSecrets.sealed}, 1, length(${given.keyPrefix})) = ${given.keyPrefix}
        and ${isNotMoving(imageSecrets.workspaceId)}`,
    )
    .limit(given.limit),
);

export const reencryptImageSecret = statement((given: Given<SecretId & { sealed: string }>) =>
  query.update(imageSecrets).set({ sealed: given.sealed }).where(ofSecret(given)),
);

/** Fails its batch with `key_active` when the secret was revoked or its workspace suspended. */
export const assertSecretActive = statement((given: Given<SecretId>) =>
  guard(
    "key_active",
    sql`exists (select 1 from ${imageSecrets} join ${workspaces} on ${workspaces.workspaceId} = ${imageSecrets.workspaceId}
      where ${imageSecrets.workspaceId} = ${given.workspaceId}
        and ${imageSecrets.imageSecretId} = ${given.imageSecretId} and ${workspaces.suspendedAt} is null)`,
  ),
);

/** Fails its batch with `workspace_limit` when the workspace has reached its limit of new images since a time. */
export const assertNewImageAllowed = statement(
  (given: Given<{ workspaceId: string; sinceMs: number; limit: number }>) =>
    guard(
      "workspace_limit",
      sql`(select count(*) from (select 1 from ${jobs} where ${jobs.workspaceId} = ${given.workspaceId}
        and image_hash IS NOT NULL and ${jobs.createdAt} > ${given.sinceMs} limit ${given.limit})) < ${given.limit}`,
    ),
);

/** The latest job of an image, and the number of its jobs. */
export const latestImageJob = statement((given: Given<{ workspaceId: string; imageHash: string }>) =>
  query
    .read(jobs, {
      ...pick(jobs, "status", "failureMessage"),
      finishedAtMs: jobs.finishedAt,
      attempts: sql<number>`count(*) over ()`,
    })
    .where(and(eq(jobs.workspaceId, given.workspaceId), eq(jobs.imageHash, given.imageHash)))
    .orderBy(desc(jobs.createdAt))
    .limit(1),
);

export type ImageJob = RowOf<typeof latestImageJob>;

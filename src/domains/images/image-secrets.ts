import { uint8ArrayToBase64 } from "uint8array-extras";
import type { z } from "zod";
import { accept, type Outcome, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { imageSecretSchema } from "#api/schemas/image.ts";
import { toTimestamp } from "#platform/clock.ts";
import { type EncryptionKeys, keyPrefixOf, seal, unseal } from "#platform/crypto/sealed-secret.ts";
import { type Databases, databaseOf } from "#platform/databases/databases.ts";
import { DIRECTORY, type Home, isShardName } from "#platform/databases/shard-name.ts";
import { findHome } from "#platform/databases/workspace-location-store.ts";
import { latest } from "#platform/db/reader.ts";
import { newId } from "#platform/ids.ts";
import { pick } from "#platform/pick-members.ts";
import { auditRow, type Cause } from "../audit/audit-store.ts";
import {
  auditSecret,
  deleteSecret,
  imageSecretsUnderKey,
  insertSecret,
  openSecret,
  reencryptImageSecret,
  type StoredSecret,
  secretsOfWorkspace,
} from "./image-store.ts";
import type { OpenSecret } from "./recent-images.ts";

/**
 * Secrets that sign image URLs: `cps_`, a name, `_` and 32 random bytes in base64url; the whole text is the key. The
 * name is the shard of its workspace at creation (two digits, absent for `DB`), then the workspace's id and the
 * secret's id without hyphens. URLs carry the name as `key`.
 */

/** A secret's id, and the database of its workspace when it was created. */
export interface SecretName {
  readonly madeAt: Home;
  readonly workspaceId: string;
  readonly imageSecretId: string;
}

const RANDOM_BYTES = 32;
const NAME = /^([0-9]{2})?([0-9a-f]{32})([0-9a-f]{32})$/;

const toUuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** Parses the URL parameter `key`; null for an invalid one. */
export function readSecretName(text: string): SecretName | null {
  const [, shard = DIRECTORY, workspaceId, imageSecretId] = NAME.exec(text) ?? [];
  if (workspaceId === undefined || imageSecretId === undefined) return null;
  if (shard !== DIRECTORY && !isShardName(shard)) return null;
  return { madeAt: shard, workspaceId: toUuid(workspaceId), imageSecretId: toUuid(imageSecretId) };
}

/** The URL parameter `key` of a secret. */
export const keyOfSecret = (secret: string): string => secret.split("_")[1] ?? "";

function newSecret(home: Home, workspaceId: string, imageSecretId: string): string {
  const random = uint8ArrayToBase64(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)), { urlSafe: true });
  const ids = `${workspaceId}${imageSecretId}`.replaceAll("-", "");
  return `cps_${home === DIRECTORY ? "" : home}${ids}_${random}`;
}

export const presentSecret = (secret: StoredSecret): z.infer<typeof imageSecretSchema> => ({
  ...pick(secret, "imageSecretId", "name"),
  createdAt: toTimestamp(secret.createdAtMs),
});

interface NewSecret {
  readonly workspaceId: string;
  readonly name: string;
  readonly cause: Cause;
}

/** Creates a secret, which is shown only once. 409 IMAGE_SECRET_LIMIT_REACHED. */
export async function createSecret(
  {
    db,
    home,
    encryption,
  }: { readonly db: D1Database; readonly home: Home; readonly encryption: EncryptionKeys },
  { workspaceId, name, cause }: NewSecret,
): Promise<Outcome<{ readonly stored: StoredSecret; readonly secret: string }>> {
  const imageSecretId = newId();
  const secret = newSecret(home, workspaceId, imageSecretId);
  const sealed = await seal(encryption, { workspaceId, imageSecretId }, secret);
  const record = { workspaceId, imageSecretId, name, sealed };
  if (!(await storeWithinLimit(db, { ...record, nowMs: cause.nowMs }, cause))) {
    const { imageSecretsPerWorkspaceMax: limit } = LIMITS;
    return refuse("IMAGE_SECRET_LIMIT_REACHED", `The workspace already has ${limit} signing secrets.`);
  }
  return accept({ stored: { ...record, createdAtMs: cause.nowMs }, secret });
}

const secretEvent = (
  type: "image_secret.created" | "image_secret.revoked",
  { workspaceId, imageSecretId, name }: Pick<StoredSecret, "workspaceId" | "imageSecretId" | "name">,
) => ({ workspaceId, type, subjectId: imageSecretId, subjectName: name });

/**
 * False when the workspace is at its limit of secrets. A write whose response was lost counts as stored, because only
 * this request knows the secret.
 */
async function storeWithinLimit(
  db: D1Database,
  record: Parameters<typeof insertSecret.run>[1],
  cause: Cause,
): Promise<boolean> {
  try {
    const [stored] = await db.batch([
      insertSecret.bind(db, record),
      auditSecret.bind(db, auditRow(cause, secretEvent("image_secret.created", record))),
    ]);
    return (stored?.meta.changes ?? 0) > 0;
  } catch (thrown) {
    if ((await openSecret.first(latest(db), record)) !== null) return true;
    throw thrown;
  }
}

const secretNotFound = () =>
  refuse("IMAGE_SECRET_NOT_FOUND", "The workspace has no signing secret with this id.");

/** Deletes a secret and returns it. 404 IMAGE_SECRET_NOT_FOUND. */
export async function revokeSecret(
  db: D1Database,
  workspaceId: string,
  imageSecretId: string,
  cause: Cause,
): Promise<Outcome<StoredSecret>> {
  const secrets = await secretsOfWorkspace.all(latest(db), { workspaceId });
  const found = secrets.find((secret) => secret.imageSecretId === imageSecretId);
  if (found === undefined) return secretNotFound();
  const results = await db.batch([
    auditSecret.bind(db, auditRow(cause, secretEvent("image_secret.revoked", found))),
    deleteSecret.bind(db, found),
  ]);
  const deleted = deleteSecret.row(results.at(-1));
  return deleted === null ? secretNotFound() : accept(deleted);
}

/** The text of the workspace's secret with an id, or of its newest. 404 IMAGE_SECRET_NOT_FOUND. */
export async function secretToSignWith(
  db: D1Database,
  encryption: EncryptionKeys,
  workspaceId: string,
  imageSecretId: string | undefined,
): Promise<Outcome<string>> {
  const secrets = await secretsOfWorkspace.all(latest(db), { workspaceId });
  const found = secrets.find((one) => imageSecretId === undefined || one.imageSecretId === imageSecretId);
  const secret = found === undefined ? null : await unseal(encryption, found, found.sealed);
  return secret === null ? secretNotFound() : accept(secret);
}

export interface SecretLookup {
  readonly databases: Databases;
  readonly encryption: EncryptionKeys;
}

/**
 * The secret of a name, from its workspace's database; null when it was revoked, or the workspace is suspended or
 * expired.
 */
export async function readOpenSecret(
  { databases, encryption }: SecretLookup,
  { madeAt, workspaceId, imageSecretId }: SecretName,
  nowMs: number,
): Promise<OpenSecret | null> {
  const home = await findHome(databases, madeAt, workspaceId);
  const db = home === null ? null : databaseOf(databases, home);
  if (home === null || db === null) return null;
  const id = { workspaceId, imageSecretId };
  const stored = await openSecret.first(latest(db), { ...id, nowMs });
  const secret = stored === null ? null : await unseal(encryption, id, stored.sealed);
  return secret === null ? null : { ...id, home, secret };
}

/** Re-encrypts at most `limit` secrets from the previous encryption key to the current one; returns their number. */
export async function resealImageSecrets(
  db: D1Database,
  keys: EncryptionKeys,
  limit: number,
): Promise<number> {
  if (keys.previous === null) return 0;
  const keyPrefix = await keyPrefixOf(keys.previous);
  let count = 0;
  for (const row of await imageSecretsUnderKey.all(db, { keyPrefix, limit })) {
    const plain = await unseal(keys, row, row.sealed);
    if (plain !== null) {
      count += await reencryptImageSecret.run(db, { ...row, sealed: await seal(keys, row, plain) });
    }
  }
  return count;
}

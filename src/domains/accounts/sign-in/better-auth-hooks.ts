import { LIMITS } from "#api/limits.ts";
import { insertWorkspace } from "#domains/workspaces/store.ts";
import { clock } from "#platform/clock.ts";
import { chooseHome } from "#platform/databases/choose-shard.ts";
import type { Databases } from "#platform/databases/databases.ts";
import { entryHome } from "#platform/databases/shard-name.ts";
import { newId } from "#platform/ids.ts";
import { insertMember } from "../members/membership-store.ts";
import { resetByMailStatements } from "../password/reset-store.ts";
import { deleteOldestSessions } from "../store.ts";
import type { WriteHooks } from "./better-auth-adapter.ts";
import { upsertDevice } from "./device-store.ts";

/** Name of the workspace created with an account. */
const FIRST_WORKSPACE = "My workspace";

/**
 * Field of a new account with the hash of the signing-up browser's cookie. It has no column; the hash is stored in
 * `account_devices`.
 */
export const DEVICE_FIELD = "deviceHash";

type Values = Readonly<Record<string, unknown>>;

const textOf = (record: Values, member: string): string => {
  const value = record[member];
  if (typeof value !== "string") throw new Error(`a record without ${member}`);
  return value;
};

const timeOf = (record: Values): number => {
  const { createdAt } = record;
  if (!(createdAt instanceof Date)) throw new Error("a record without a time");
  return createdAt.getTime();
};

/** Creates a workspace without credits. Records the browser, so that its first sign-in sends no new-browser mail. */
async function accountStatements(
  databases: Databases,
  record: Values,
): Promise<readonly D1PreparedStatement[]> {
  const { directory: db } = databases;
  const [workspaceId, accountId, createdAt] = [newId(), textOf(record, "id"), timeOf(record)];
  const workspace = { workspaceId, name: FIRST_WORKSPACE, kind: "standard" as const, createdAt };
  const deviceHash = record[DEVICE_FIELD];
  const home = entryHome(await chooseHome(databases));
  return [
    insertWorkspace.bind(db, { ...workspace, hasUnlimitedAccess: false, expiresAt: null, home }),
    insertMember.bind(db, { workspaceId, accountId, role: "owner", createdAt }),
    ...(typeof deviceHash === "string"
      ? [upsertDevice.bind(db, { accountId, deviceHash, nowMs: createdAt })]
      : []),
  ];
}

/**
 * Statements in the batch of the library's records: a new account gets a workspace, a new session ends the account's
 * oldest sessions beyond the limit, and a password reset by mail ends all sessions.
 */
export const createHooks = (databases: Databases): WriteHooks => ({
  async created(model, record) {
    const { directory: db } = databases;
    if (model === "user") return accountStatements(databases, record);
    if (model !== "session") return [];
    const accountId = textOf(record, "userId");
    return [deleteOldestSessions.bind(db, { accountId, kept: LIMITS.sessionsPerAccountMax })];
  },
  updated(model, where, update) {
    // The library replaces a password only on reset; other changes use changePassword.
    if (model !== "account" || typeof update.password !== "string") return [];
    const accountId = where.find(({ field }) => field === "userId")?.value;
    if (typeof accountId !== "string") throw new Error("a password is replaced of no account");
    return resetByMailStatements(databases.directory, {
      accountId,
      newHash: update.password,
      nowMs: clock.now(),
    });
  },
});

import { LIMITS } from "../api/limits.ts";
import { newId } from "../platform/ids.ts";
import { insertWorkspace } from "../workspaces/store.ts";
import type { CreateHooks } from "./better-auth-adapter.ts";
import { insertMember } from "./membership-store.ts";
import { deleteOldestSessions } from "./store.ts";

/** Name of the workspace that comes with an account; its owner knows it by being the first. */
const FIRST_WORKSPACE = "My workspace";

const textOf = (record: Readonly<Record<string, unknown>>, member: string): string => {
  const value = record[member];
  if (typeof value !== "string") throw new Error(`a record without ${member}`);
  return value;
};

const timeOf = (record: Readonly<Record<string, unknown>>): number => {
  const { createdAt } = record;
  if (!(createdAt instanceof Date)) throw new Error("a record without a time");
  return createdAt.getTime();
};

/**
 * What is written with a record of the library, in its batch: an account comes with a workspace without credits, and
 * a session ends the oldest ones beyond the limit.
 */
export const createHooks =
  (db: D1Database): CreateHooks =>
  (model, record) => {
    if (model === "session") {
      const accountId = textOf(record, "userId");
      return [deleteOldestSessions.bind(db, { accountId, kept: LIMITS.sessionsPerAccountMax })];
    }
    if (model !== "user") return [];
    const workspaceId = newId();
    const createdAt = timeOf(record);
    const workspace = { workspaceId, name: FIRST_WORKSPACE, kind: "standard" as const, createdAt };
    return [
      insertWorkspace.bind(db, { ...workspace, hasUnlimitedAccess: false, expiresAt: null }),
      insertMember.bind(db, { workspaceId, accountId: textOf(record, "id"), role: "owner", createdAt }),
    ];
  };

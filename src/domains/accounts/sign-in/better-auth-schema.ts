import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import {
  accountCredentials,
  accountSessions,
  accounts,
  accountVerifications,
} from "#platform/db/schema/index.ts";

/**
 * Maps better-auth's records to tables: its user, session and account are our accounts, sessions and credentials.
 * Fields without a column are deliberately not stored: network addresses, user agents, pictures and provider tokens.
 */

export interface Model {
  readonly table: SQLiteTable;
  /** Field of the record → column name in `table`. */
  readonly members: Readonly<Record<string, string>>;
  /** Field of the record → its column. */
  readonly columns: Readonly<Record<string, SQLiteColumn>>;
}

function modelOf<Table extends SQLiteTable & Record<Name, SQLiteColumn>, Name extends string>(
  table: Table,
  members: Readonly<Record<string, Name>>,
): Model {
  const columns = Object.fromEntries(Object.entries(members).map(([member, name]) => [member, table[name]]));
  return { table, members, columns };
}

const MODELS: Readonly<Record<string, Model>> = {
  user: modelOf(accounts, {
    id: "accountId",
    name: "name",
    email: "email",
    emailVerified: "isEmailVerified",
    language: "language",
    createdAt: "createdAt",
    updatedAt: "updatedAt",
  }),
  session: modelOf(accountSessions, {
    id: "sessionId",
    userId: "accountId",
    token: "token",
    createdAt: "createdAt",
    updatedAt: "updatedAt",
    expiresAt: "expiresAt",
  }),
  account: modelOf(accountCredentials, {
    id: "credentialId",
    userId: "accountId",
    providerId: "providerId",
    accountId: "providerAccountId",
    password: "passwordHash",
    createdAt: "createdAt",
    updatedAt: "updatedAt",
  }),
  verification: modelOf(accountVerifications, {
    id: "verificationId",
    identifier: "identifier",
    value: "value",
    expiresAt: "expiresAt",
    createdAt: "createdAt",
    updatedAt: "updatedAt",
  }),
};

/** The table of a record type; throws for an unknown one, which the library should never use. */
export function findModel(name: string): Model {
  const model = MODELS[name];
  if (model === undefined) throw new Error(`no table is kept for ${name}`);
  return model;
}

/** The column of a field, for a WHERE or ORDER BY clause. */
export function columnOf(model: Model, member: string): SQLiteColumn {
  const column = model.columns[member];
  if (column === undefined) throw new Error(`no column is kept for ${member}`);
  return column;
}

/** Fields that are times: `Date` in the library, Unix milliseconds in the table. */
const TIMES: readonly string[] = ["createdAt", "updatedAt", "expiresAt"];

export const toColumnValue = (value: unknown): unknown => {
  if (value instanceof Date) return value.getTime();
  if (Array.isArray(value)) return JSON.stringify(value);
  return value ?? null;
};

/** A row as the library's record. */
export const toRecord = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([member, value]) => [
      member,
      TIMES.includes(member) && typeof value === "number" ? new Date(value) : value,
    ]),
  );

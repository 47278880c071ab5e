/**
 * Where the sign-in library's records lie. What it calls user, session and account are our accounts, sessions and
 * credentials. Members without a column are not kept, on purpose: addresses, user agents, pictures, and every token of
 * a provider. What is not kept cannot be stolen.
 */

export interface LibraryTable {
  readonly name: string;
  /** Member of the record → column. */
  readonly columns: Readonly<Record<string, string>>;
}

/** Members that are times: `Date` in the library, Unix milliseconds in the table. */
const TIMES: readonly string[] = ["createdAt", "updatedAt", "expiresAt"];

const TABLES: Readonly<Record<string, LibraryTable>> = {
  user: {
    name: "accounts",
    columns: {
      id: "account_id",
      name: "name",
      email: "email",
      emailVerified: "is_email_verified",
      createdAt: "created_at",
      updatedAt: "updated_at",
    },
  },
  session: {
    name: "account_sessions",
    columns: {
      id: "session_id",
      userId: "account_id",
      token: "token",
      createdAt: "created_at",
      updatedAt: "updated_at",
      expiresAt: "expires_at",
    },
  },
  account: {
    name: "account_credentials",
    columns: {
      id: "credential_id",
      userId: "account_id",
      providerId: "provider_id",
      accountId: "provider_account_id",
      password: "password_hash",
      createdAt: "created_at",
      updatedAt: "updated_at",
    },
  },
};

/** The table of a kind of record; there are no others, and asking for one is a fault of ours. */
export function tableOf(model: string): LibraryTable {
  const table = TABLES[model];
  if (table === undefined) throw new Error(`no table is kept for ${model}`);
  return table;
}

/** The column of a member that is asked by. */
export function columnOf(table: LibraryTable, member: string): string {
  const column = table.columns[member];
  if (column === undefined) throw new Error(`${table.name} keeps no ${member}`);
  return column;
}

export type Stored = string | number | null;

/** A value as it is bound. */
export function toStored(value: unknown): Stored {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.getTime();
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "string" || typeof value === "number") return value;
  throw new Error(`a ${typeof value} is not stored`);
}

/** A row as the library's record. */
export const toRecord = (
  table: LibraryTable,
  row: Readonly<Record<string, Stored>>,
): Record<string, Stored | Date> =>
  Object.fromEntries(
    Object.entries(table.columns).map(([member, column]) => {
      const value = row[column] ?? null;
      return [member, TIMES.includes(member) && typeof value === "number" ? new Date(value) : value];
    }),
  );

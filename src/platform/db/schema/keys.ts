import { sql } from "drizzle-orm";
import { customType, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { isScope, type Scope } from "#api/scopes.ts";
import { foreignId } from "./foreign-id.ts";
import { workspaces } from "./workspaces.ts";

/** API keys, and who has claimed a trial's. */

/** A JSON array of scopes. Unknown ones, of a later version, grant nothing. */
const scopeList = customType<{ data: readonly Scope[]; driverData: string }>({
  dataType: () => "text",
  toDriver: (scopes) => JSON.stringify(scopes),
  fromDriver: (stored) => {
    const parsed: unknown = JSON.parse(stored);
    return Array.isArray(parsed) ? parsed.filter(isScope) : [];
  },
});

export const apiKeys = sqliteTable(
  "api_keys",
  {
    apiKeyId: text("api_key_id").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    name: text("name").notNull(),
    /** First characters of the secret, to tell keys apart. */
    prefix: text("prefix").notNull(),
    /** HMAC-SHA-256 of the secret under the server's pepper, hex. */
    secretHash: text("secret_hash").notNull(),
    scopes: scopeList("scopes").notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
    expiresAt: integer("expires_at"),
    revokedAt: integer("revoked_at"),
    /** The key that made it; null where an account or an operator did. It may be deleted by now. */
    parentKeyId: text("parent_key_id"),
    /** The ids of its parent, the parent's parent and so on, the oldest first, each followed by `/`. */
    ancestorKeyIds: text("ancestor_key_ids").notNull().default(""),
    /** Of a session's key: the session that it ends with, and the role that its person had when it was made. */
    sessionId: text("session_id"),
    sessionRole: text("session_role", { enum: ["owner", "member"] }),
    /** Credits that it may spend in a day and in a calendar month, in UTC; null for as many as there are. */
    dailyBudget: integer("daily_budget"),
    monthlyBudget: integer("monthly_budget"),
    /** False of a test key, whose jobs cost nothing and are watermarked. */
    livemode: integer("livemode", { mode: "boolean" }).notNull().default(true),
  },
  (table) => [
    uniqueIndex("api_keys_secret_hash").on(table.secretHash),
    index("api_keys_by_workspace").on(table.workspaceId, table.apiKeyId),
    index("api_keys_by_parent").on(table.parentKeyId, table.apiKeyId).where(sql`parent_key_id IS NOT NULL`),
    // Whose descendants are looked for among.
    index("api_keys_unrevoked").on(table.workspaceId).where(sql`revoked_at IS NULL`),
    index("api_keys_by_session")
      .on(table.sessionId, table.workspaceId, table.apiKeyId)
      .where(sql`session_id IS NOT NULL`),
    // What the sweep of the sessions' keys looks at.
    index("api_keys_of_sessions_expiring").on(table.expiresAt).where(sql`session_id IS NOT NULL`),
    // What the sweep of keys that ended long ago looks at.
    index("api_keys_dead")
      .on(sql`COALESCE(revoked_at, expires_at)`)
      .where(sql`revoked_at IS NOT NULL OR expires_at IS NOT NULL`),
  ],
);

export const trialClaims = sqliteTable(
  "trial_claims",
  {
    /** HMAC of address, user agent and client marker; nothing else of the client is kept. */
    identityHash: text("identity_hash").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    claimedAt: integer("claimed_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("trial_claims_expiring").on(table.expiresAt)],
);

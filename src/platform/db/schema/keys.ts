import { sql } from "drizzle-orm";
import { customType, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { isScope, type Scope } from "#api/scopes.ts";
import { foreignId } from "./foreign-id.ts";
import { workspaces } from "./workspaces.ts";

/** API keys and trial claims. */

/** A JSON array of scopes. Unknown scopes of a later version grant nothing. */
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
    /** First characters of the secret, to identify a key to people. */
    prefix: text("prefix").notNull(),
    /** HMAC-SHA-256 of the secret with the server's pepper, hex. */
    secretHash: text("secret_hash").notNull(),
    scopes: scopeList("scopes").notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
    expiresAt: integer("expires_at"),
    revokedAt: integer("revoked_at"),
    /** The key that created it, which may have been deleted since. Null if an account or operator created it. */
    parentKeyId: text("parent_key_id"),
    /** Ids of its ancestors, the oldest first, each followed by `/`. */
    ancestorKeyIds: text("ancestor_key_ids").notNull().default(""),
    /** For a session's key: its session, and the account's role when it was created. */
    sessionId: text("session_id"),
    sessionRole: text("session_role", { enum: ["owner", "member"] }),
    /** Credits that it may spend per UTC day and calendar month; null for no limit. */
    dailyBudget: integer("daily_budget"),
    monthlyBudget: integer("monthly_budget"),
    /** False for a test key, whose jobs are free and watermarked. */
    livemode: integer("livemode", { mode: "boolean" }).notNull().default(true),
    /**
     * For an agent's connection: the account that allowed it, its client id, and the host shown to the user.
     * `secret_hash` is the hash of the access token, `name` is the name that the client gave itself.
     */
    agentAccountId: text("agent_account_id"),
    agentClientId: text("agent_client_id"),
    agentHost: text("agent_host"),
    /** Until the code is exchanged: its redirect URI and PKCE challenge. */
    agentRedirectUri: text("agent_redirect_uri"),
    agentChallenge: text("agent_challenge"),
    /**
     * HMACs with the pepper: of the part that the code and all refresh tokens share, of the current token, and of the
     * previous one.
     */
    grantFamilyHash: text("grant_family_hash"),
    grantHash: text("grant_hash"),
    grantSpentHash: text("grant_spent_hash"),
    grantSpentAt: integer("grant_spent_at"),
    /** Expiry of the current code or refresh token, and with it of the connection. */
    grantExpiresAt: integer("grant_expires_at"),
  },
  (table) => [
    uniqueIndex("api_keys_secret_hash").on(table.secretHash),
    index("api_keys_by_workspace").on(table.workspaceId, table.apiKeyId),
    index("api_keys_by_parent").on(table.parentKeyId, table.apiKeyId).where(sql`parent_key_id IS NOT NULL`),
    // For look-ups of descendants.
    index("api_keys_unrevoked").on(table.workspaceId).where(sql`revoked_at IS NULL`),
    index("api_keys_by_session")
      .on(table.sessionId, table.workspaceId, table.apiKeyId)
      .where(sql`session_id IS NOT NULL`),
    uniqueIndex("api_keys_grant_family").on(table.grantFamilyHash).where(sql`grant_family_hash IS NOT NULL`),
    // For the sweep of sessions' keys.
    index("api_keys_of_sessions_expiring").on(table.expiresAt).where(sql`session_id IS NOT NULL`),
    // For the sweep of keys that expired or were revoked long ago.
    index("api_keys_dead")
      .on(sql`COALESCE(revoked_at, expires_at)`)
      .where(sql`revoked_at IS NOT NULL OR expires_at IS NOT NULL`),
  ],
);

export const trialClaims = sqliteTable(
  "trial_claims",
  {
    /** HMAC of IP address, user agent and `clientMarker`; nothing else about the client is stored. */
    identityHash: text("identity_hash").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    claimedAt: integer("claimed_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("trial_claims_expiring").on(table.expiresAt)],
);

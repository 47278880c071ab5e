import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { MAIL_LANGUAGES } from "#api/mail-rules.ts";
import { foreignId } from "./foreign-id.ts";
import { workspaces } from "./workspaces.ts";

/** Accounts, their credentials and sessions, and memberships of workspaces. */

/** Accounts. better-auth calls this table `user`; see accounts/better-auth-schema.ts. */
export const accounts = sqliteTable(
  "accounts",
  {
    accountId: text("account_id").primaryKey(),
    name: text("name").notNull(),
    /** Lower case. */
    email: text("email").notNull(),
    isEmailVerified: integer("is_email_verified", { mode: "boolean" }).notNull(),
    /** Language of emails. */
    language: text("language", { enum: MAIL_LANGUAGES }).notNull().default("en"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [uniqueIndex("accounts_email").on(table.email)],
);

/** Credentials of an account: a password hash, or an id at a provider. Providers' tokens are never stored. */
export const accountCredentials = sqliteTable(
  "account_credentials",
  {
    credentialId: text("credential_id").primaryKey(),
    accountId: foreignId("account_id", () => accounts.accountId),
    providerId: text("provider_id").notNull(),
    providerAccountId: text("provider_account_id").notNull(),
    passwordHash: text("password_hash"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("account_credentials_by_provider").on(table.providerId, table.providerAccountId),
    index("account_credentials_by_account").on(table.accountId),
  ],
);

/** Sessions. The token alone is useless: the cookie also carries its signature under AUTH_SECRET. */
export const accountSessions = sqliteTable(
  "account_sessions",
  {
    sessionId: text("session_id").primaryKey(),
    accountId: foreignId("account_id", () => accounts.accountId),
    token: text("token").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("account_sessions_token").on(table.token),
    index("account_sessions_by_account").on(table.accountId, table.createdAt),
    index("account_sessions_expiring").on(table.expiresAt),
  ],
);

/** Members of workspaces, with their roles. */
export const workspaceMembers = sqliteTable(
  "workspace_members",
  {
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    accountId: foreignId("account_id", () => accounts.accountId),
    role: text("role", { enum: ["owner", "member"] }).notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.accountId] }),
    index("workspace_members_by_account").on(table.accountId, table.workspaceId),
    check("role_known", sql`${table.role} IN ('owner', 'member')`),
  ],
);

/** Open invitations; an accepted or withdrawn one has no row. */
export const workspaceInvitations = sqliteTable(
  "workspace_invitations",
  {
    invitationId: text("invitation_id").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    /** SHA-256 of the code, hex; the code has 256 random bits. */
    codeHash: text("code_hash").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("workspace_invitations_code").on(table.codeHash),
    index("workspace_invitations_by_workspace").on(table.workspaceId),
    index("workspace_invitations_expiring").on(table.expiresAt),
  ],
);

/** Record of changes to an account by an operator or by mail. A few rows per account; never deleted. */
export const accountEvents = sqliteTable(
  "account_events",
  {
    eventNumber: integer("event_number").primaryKey({ autoIncrement: true }),
    accountId: foreignId("account_id", () => accounts.accountId),
    type: text("type", {
      enum: [
        "password_reset",
        "sessions_ended",
        "password_reset_by_mail",
        "address_changed",
        "address_confirmed",
      ],
    }).notNull(),
    sessionsEnded: integer("sessions_ended").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("account_events_by_account").on(table.accountId, table.eventNumber)],
);

/**
 * Pending verifications by mail, better-auth's table `verification`. `value` is the account of a password reset, or
 * the details of a change of address.
 */
export const accountVerifications = sqliteTable(
  "account_verifications",
  {
    verificationId: text("verification_id").primaryKey(),
    identifier: text("identifier").notNull(),
    value: text("value").notNull(),
    expiresAt: integer("expires_at").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    index("account_verifications_identifier").on(table.identifier),
    // An account's open verifications.
    index("account_verifications_value").on(table.value),
    index("account_verifications_expiring").on(table.expiresAt),
  ],
);

/** Browsers in which an account has signed in, by the hash of a random cookie. No data about the device is stored. */
export const accountDevices = sqliteTable(
  "account_devices",
  {
    accountId: foreignId("account_id", () => accounts.accountId),
    /** SHA-256 of the cookie, hex. */
    deviceHash: text("device_hash").notNull(),
    lastSeenAt: integer("last_seen_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.deviceHash] }),
    index("account_devices_last_seen").on(table.lastSeenAt),
  ],
);

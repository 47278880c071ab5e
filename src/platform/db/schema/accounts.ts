import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { MAIL_LANGUAGES } from "#api/mail-rules.ts";
import { foreignId } from "./foreign-id.ts";
import { workspaces } from "./workspaces.ts";

/** People, what they sign in with, and which workspaces they may enter. */

/** People. The library that signs them in calls this table `user`; see accounts/better-auth-schema.ts. */
export const accounts = sqliteTable(
  "accounts",
  {
    accountId: text("account_id").primaryKey(),
    name: text("name").notNull(),
    /** Lower case. */
    email: text("email").notNull(),
    isEmailVerified: integer("is_email_verified", { mode: "boolean" }).notNull(),
    /** Of the mails that it is sent. */
    language: text("language", { enum: MAIL_LANGUAGES }).notNull().default("en"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [uniqueIndex("accounts_email").on(table.email)],
);

/** What an account signs in with: its password's hash, or its id at a provider. No provider's token is kept. */
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

/** Sessions. The token alone opens nothing: the cookie also carries its signature under AUTH_SECRET. */
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

/** Who may enter a workspace, and as what. */
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

/** Open invitations; one that is taken up or withdrawn leaves no row. */
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

/** What was done to an account by an operator or by mail, for whoever asks later. A few rows in an account's life; never removed. */
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
    /** Sessions that it ended. */
    sessionsEnded: integer("sessions_ended").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("account_events_by_account").on(table.accountId, table.eventNumber)],
);

/**
 * What a person was sent to prove something by: the library's table `verification`, whose `value` is the account that a
 * password is reset of, and a change of address, whose `value` says which.
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
    // What is open for an account.
    index("account_verifications_value").on(table.value),
    index("account_verifications_expiring").on(table.expiresAt),
  ],
);

/** Browsers that an account has signed in with, by the hash of a random cookie: nothing of the device itself is kept. */
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

import type { confirmAddress, endSessions, resetPasswordOf, showAccount } from "./account-commands.ts";
import { plain } from "./plain-text.ts";
import { type Done, lines } from "./report.ts";

/** What the commands on accounts found, for a person to read. */

export function reportAccount(found: Done<typeof showAccount>): string {
  const about = lines(
    ["Account", found.accountId],
    ["Name", found.name],
    ["Address", `${found.email}${found.isEmailConfirmed ? "" : ", not confirmed"}`],
    ["Created", found.createdAt],
    [
      "Signs in by",
      found.signsInWith.map((way) => (way === "credential" ? "password" : way)).join(", ") || "nothing",
    ],
    ["Sessions", String(found.sessions)],
  );
  const workspaces = found.workspaces.map(
    ({ workspaceId, role, name }) => `  ${workspaceId}  ${role}  ${plain(name)}`,
  );
  const events = found.events.map(
    ({ createdAt, type, sessionsEnded }) => `  ${createdAt}  ${type}  ${sessionsEnded} sessions ended`,
  );
  const listOf = (rows: readonly string[]) => (rows.length > 0 ? rows : ["  none"]);
  return [about, "", "Workspaces", ...listOf(workspaces), "", "Events", ...listOf(events)].join("\n");
}

export const reportPasswordReset = (reset: Done<typeof resetPasswordOf>): string =>
  `${lines(
    ["Account", reset.accountId],
    ["Address", reset.email],
    ["Password", reset.password],
    ["Sessions", `${reset.sessionsEnded} ended`],
  )}\n\nThe password is shown this once and stored nowhere. Its owner should change it after signing in.`;

export const reportConfirmed = ({ accountId, email, isNew }: Done<typeof confirmAddress>): string =>
  lines(["Account", accountId], ["Address", `${email}, ${isNew ? "confirmed" : "confirmed before"}`]);

export const reportSessionsEnded = ({ accountId, sessionsEnded }: Done<typeof endSessions>): string =>
  lines(["Account", accountId], ["Sessions", `${sessionsEnded} ended`]);

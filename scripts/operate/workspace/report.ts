import type { BalanceView } from "#api/schemas/balance.ts";
import type {
  addKey,
  cancel,
  create,
  failedJobs,
  grant,
  rerun,
  resume,
  revoke,
  setAccess,
  show,
  suspend,
} from "./commands.ts";
import { plain } from "./plain-text.ts";

/** What the commands found, for a person to read. */

export type Done<F extends (...parameters: never[]) => unknown> = Awaited<ReturnType<F>>;

export const lines = (...rows: readonly (readonly [string, string])[]): string =>
  rows.map(([label, value]) => `${label.padEnd(12)} ${plain(value)}`).join("\n");

function balanceText({ accessType, credits, subscription }: BalanceView): string {
  const held = `${credits.available} credits`;
  if (accessType === "unlimited") return `unlimited access; ${held}`;
  if (subscription === null) return held;
  const { limit, remaining, resetsAt } = subscription.quota;
  return `${remaining} of ${limit} left until ${resetsAt}; ${held}`;
}

export const reportCreated = (created: Done<typeof create>): string =>
  `${lines(
    ["Workspace", created.workspaceId],
    ["Name", created.name],
    ["Balance", balanceText(created.balance)],
    ["API key id", created.apiKeyId],
    ["API key", created.secret],
  )}\n\nThe API key is shown this once and stored nowhere: keep it now.`;

export const reportGranted = ({ workspaceId, granted, balance }: Done<typeof grant>): string =>
  lines(
    ["Workspace", workspaceId],
    ["Granted", granted > 0 ? `${granted} credits` : "nothing: this reference was granted before"],
    ["Balance", balanceText(balance)],
  );

export const reportRevoked = ({ workspaceId, key, descendants }: Done<typeof revoke>): string =>
  lines(
    ["Workspace", workspaceId],
    ["API key id", key.apiKeyId],
    ["Revoked", key.revokedAt ?? ""],
    ...descendants.map(({ apiKeyId, status }): [string, string] => ["Made by it", `${apiKeyId}, ${status}`]),
  );

export const reportSuspension = ({
  workspaceId,
  suspendedAt,
}: Done<typeof suspend | typeof resume>): string =>
  lines(["Workspace", workspaceId], ["Suspended", suspendedAt ?? "no"]);

export const reportAccess = ({ workspaceId, balance }: Done<typeof setAccess>): string =>
  lines(["Workspace", workspaceId], ["Balance", balanceText(balance)]);

export const reportKey = (made: Done<typeof addKey>): string =>
  `${lines(
    ["Workspace", made.workspaceId],
    ["API key id", made.apiKeyId],
    ["Scopes", made.scopes.join(" ")],
    ["API key", made.secret],
  )}\n\nThe API key is shown this once and stored nowhere: keep it now.`;

export function reportFailedJobs({ jobs, isCutOff }: Done<typeof failedJobs>): string {
  if (jobs.length === 0) return "No job failed by the service's fault since then, or all were drawn anew.";
  const rows = jobs.map(
    ({ failedAt, workspaceId, jobId, costCredits }) =>
      `${failedAt}  workspace ${workspaceId}  job ${jobId}  ${costCredits} credits`,
  );
  return [...rows, ...(isCutOff ? ["There may be more; these are the oldest."] : [])].join("\n");
}

export const reportCanceled = ({ workspaceId, jobId, status, balance }: Done<typeof cancel>): string =>
  lines(["Workspace", workspaceId], ["Job", jobId], ["Status", status], ["Balance", balanceText(balance)]);

export const reportRerun = ({ failedJobId, jobId, status, isNew }: Done<typeof rerun>): string =>
  `${lines(["Failed job", failedJobId], ["New job", jobId], ["Status", status])}\n\n${
    isNew ? "The sweep sends it within a minute. Tell the customer its id." : "It was asked for anew before."
  }`;

/** What a key may spend, where that is bounded. */
function budgetText(budget: Done<typeof show>["keys"][number]["budget"]): string {
  if (budget === null) return "";
  const { daily, monthly, spentToday, spentThisMonth } = budget;
  return `  spent ${spentToday} of ${daily ?? "any"} today, ${spentThisMonth} of ${monthly ?? "any"} this month`;
}

export function reportWorkspace(found: Done<typeof show>): string {
  const about = lines(
    ["Workspace", found.workspaceId],
    ["Name", found.name],
    ["Kind", found.expiresAt === null ? found.kind : `${found.kind}, ends ${found.expiresAt}`],
    ["Created", found.createdAt],
    ["Suspended", found.suspendedAt ?? "no"],
    ["Balance", balanceText(found.balance)],
  );
  const keys = found.keys.map(
    (key) =>
      `  ${key.apiKeyId}  ${key.prefix}…  ${key.status.padEnd(7)}  ${plain(key.name)}  ${key.scopes.join(" ")}${budgetText(key.budget)}`,
  );
  if (found.areKeysCutOff) keys.push("  … and dead keys that are older");
  const events = found.latestEvents.map(
    ({ createdAt, type, amount, balanceAfter, source, description }) =>
      `  ${createdAt}  ${type.padEnd(11)} ${String(amount).padStart(6)} → ${String(balanceAfter ?? "–").padStart(6)}  ${source}  ${plain(description)}`,
  );
  return [about, "", "Keys", ...keys, "", "Latest events", ...(events.length > 0 ? events : ["  none"])].join(
    "\n",
  );
}

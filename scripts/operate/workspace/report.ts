import type { BalanceView } from "#api/schemas/balance.ts";
import type { failedJobs, resume, show, suspend } from "./commands.ts";
import { plain } from "./plain-text.ts";

/** Results of the commands as text. */

export type Done<F extends (...parameters: never[]) => unknown> = Awaited<ReturnType<F>>;

export const lines = (...rows: readonly (readonly [string, string])[]): string =>
  rows.map(([label, value]) => `${label.padEnd(12)} ${plain(value)}`).join("\n");

export function balanceText({ accessType, credits, subscription }: BalanceView): string {
  const held = `${credits.available} credits`;
  if (accessType === "unlimited") return `unlimited access; ${held}`;
  if (subscription === null) return held;
  const { limit, remaining, resetsAt } = subscription.quota;
  return `${remaining} of ${limit} left until ${resetsAt}; ${held}`;
}

export const reportSuspension = ({
  workspaceId,
  suspendedAt,
}: Done<typeof suspend | typeof resume>): string =>
  lines(["Workspace", workspaceId], ["Suspended", suspendedAt ?? "no"]);

export function reportFailedJobs({ jobs, isTruncated }: Done<typeof failedJobs>): string {
  if (jobs.length === 0) return "No job failed by the service's fault since then, or all were run again.";
  const rows = jobs.map(
    ({ failedAt, workspaceId, jobId, costCredits }) =>
      `${failedAt}  workspace ${workspaceId}  job ${jobId}  ${costCredits} credits`,
  );
  return [...rows, ...(isTruncated ? ["There may be more; these are the oldest."] : [])].join("\n");
}

/** A key's budget, if it has one. */
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

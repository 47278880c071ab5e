import { queryOptions } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import type { Operations } from "#api/generated/account-operations.ts";

/** A month of the workspace that adds up. */
export type Statement = Operations["getWorkspaceStatement"]["data"];

/** `month`: in UTC, as `2026-11`. */
export const statementQuery = (workspaceId: string, month: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "ledger", "statement", month],
    queryFn: ({ signal }) =>
      callAccount("getWorkspaceStatement", { path: { workspaceId }, query: { month }, signal }),
  });

/** Names a month, given as `2026-11`, in the person's language. */
export function useMonthName(): (month: string) => string {
  const { i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(i18n.language, { month: "long", year: "numeric", timeZone: "UTC" });
  return (month) => format.format(new Date(`${month}-01T00:00:00Z`));
}

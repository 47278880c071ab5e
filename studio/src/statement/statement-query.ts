import { queryOptions } from "@tanstack/react-query";
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

import { callAccount } from "#api/account.ts";
import { pagedQuery } from "#api/paged-query.ts";

/** The keys that people and programs made, newest first, page by page. */
export const keysQuery = (workspaceId: string) =>
  pagedQuery(["workspace", workspaceId, "keys"], (query, signal) =>
    callAccount("listWorkspaceApiKeys", { path: { workspaceId }, query, signal }),
  );

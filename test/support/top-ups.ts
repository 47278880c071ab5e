import { grantStatement } from "#domains/workspaces/create-workspace.ts";
import { anyDatabase } from "./homes.ts";

/** Grants a workspace credits, as an operator. */
export const grantCredits = async (workspaceId: string, credits: number): Promise<void> => {
  await grantStatement(anyDatabase(), workspaceId, credits, Date.now()).run();
};

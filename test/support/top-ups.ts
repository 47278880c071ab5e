import { grantStatement } from "#domains/workspaces/create-workspace.ts";
import { anyDatabase } from "./homes.ts";

/** Gives a workspace credits, as an operator does. */
export const grantCredits = async (workspaceId: string, credits: number): Promise<void> => {
  await grantStatement(anyDatabase(), workspaceId, credits, Date.now()).run();
};

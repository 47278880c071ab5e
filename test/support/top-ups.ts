import { env } from "cloudflare:workers";
import { grantStatement } from "../../src/workspaces/create-workspace.ts";

/** Gives a workspace credits, as an operator does. */
export const grantCredits = async (workspaceId: string, credits: number): Promise<void> => {
  await grantStatement(env.DB, workspaceId, credits, Date.now()).run();
};

import { env } from "cloudflare:workers";

/** What a refusal says, and that it cost nothing. */

export const codeOf = (answer: { body: unknown }): string =>
  (answer.body as { error: { code: string } }).error.code;
export const detailsOf = (answer: { body: unknown }): Record<string, unknown> =>
  (answer.body as { error: { details: Record<string, unknown> } }).error.details;

export async function balanceOf(workspaceId: string): Promise<number | null> {
  return env.DB.prepare("SELECT credits FROM workspaces WHERE workspace_id = ?1")
    .bind(workspaceId)
    .first<number>("credits");
}

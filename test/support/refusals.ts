import { clock } from "#platform/clock.ts";
import { selectValue } from "./database.ts";
import type { Answer } from "./workspace.ts";

/** Expected refusals, and checks that they cost nothing. */

/** Status and error code as a pair. The code of a success is undefined. */
export const refusalOf = ({
  status,
  body,
}: Pick<Answer, "status" | "body">): [number, string | undefined] => [status, body?.error?.code];

/** Retry-After, X-RateLimit-Remaining, and the seconds until X-RateLimit-Reset with a frozen clock. */
export const waitOf = ({ headers }: Answer) => [
  Number(headers.get("Retry-After")),
  headers.get("X-RateLimit-Remaining"),
  (Date.parse(headers.get("X-RateLimit-Reset") ?? "") - clock.now()) / 1_000,
];

export const codeOf = (answer: { body: unknown }): string =>
  (answer.body as { error: { code: string } }).error.code;
export const detailsOf = (answer: { body: unknown }): Record<string, unknown> =>
  (answer.body as { error: { details: Record<string, unknown> } }).error.details;

export async function balanceOf(workspaceId: string): Promise<number | null> {
  return selectValue<number>`SELECT credits FROM workspaces WHERE workspace_id = ${workspaceId}`;
}

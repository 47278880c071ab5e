import { expect } from "vitest";
import type { Crash } from "../fault/gate.ts";
import type { Reply, World } from "../fault/world.ts";
import { beginMove, finishMove, isClosed } from "../support/moves.ts";
import { type Chosen, command } from "./command.ts";
import { followJobs } from "./follow-jobs.ts";
import { type Model, pick } from "./model.ts";

/**
 * Moves of workspaces between databases, in a run with shards. Clients see no change, except that writes return 429
 * without effect while rows are compared.
 */

export const move = command<{ workspace: number; to: number }>("move", async (given, model) => {
  const workspace = pick(model.workspaces, given.workspace);
  if (workspace !== null) await beginMove(workspace.workspaceId, given.to);
});

/** Lets time pass and advances moves, as the sweep does, possibly with a crash. */
export const moveOn = command<{ ms: number; crash: Crash | null }>("move on", async (given, model, world) => {
  world.wait(given.ms);
  if (given.crash !== null) world.crash(given.crash);
  await world.moveOn().catch((thrown: unknown) => {
    if (given.crash === null) throw thrown;
  });
  world.restart();
  await followJobs(model);
});

/**
 * If the workspace accepts no writes, expects 429 and returns true. Otherwise returns false, and the caller must check
 * the response.
 */
export async function isRefusedForMove({ workspace }: Chosen, { status, body }: Reply): Promise<boolean> {
  if (!(await isClosed(workspace.workspaceId))) return false;
  expect([status, body?.error?.code]).toEqual([429, "SERVICE_BUSY"]);
  return true;
}

/** Completes every open move. */
export async function settleMoves({ workspaces }: Model, world: World): Promise<void> {
  for (const { workspaceId } of workspaces) await finishMove(workspaceId, (ms) => world.wait(ms));
}

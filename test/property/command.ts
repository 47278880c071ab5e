import type fc from "fast-check";
import type { Crash } from "../fault/gate.ts";
import { InjectedFault } from "../fault/gate.ts";
import type { Reply, World, WorldRequest } from "../fault/world.ts";
import { type Model, type ModelKey, type ModelWorkspace, pick } from "./model.ts";
import { expectAgreement } from "./stored-state.ts";

/** Runs the command and updates the model. Throws if the response is unexpected. */
type Act<Given> = (given: Given, model: Model, world: World) => Promise<void>;

/**
 * Defines a command: an event in the service, generated from random values. After each command, the stored state must
 * agree with the model.
 */
export const command =
  <Given>(name: string, act: Act<Readonly<Given>>) =>
  (given: Readonly<Given>): fc.AsyncCommand<Model, World> => ({
    check: () => true,
    run: async (model, world) => {
      model.commandCount += 1;
      world.wait(1);
      await act(given, model, world);
      await expectAgreement(model);
    },
    toString: () => `${name} ${JSON.stringify(given)}`,
  });

/** The caller: random numbers that select a workspace and one of its keys. */
export interface Actor {
  readonly workspace: number;
  readonly key: number;
}

export interface Chosen {
  readonly workspace: ModelWorkspace;
  readonly key: ModelKey;
}

export function choose(model: Model, actor: Actor): Chosen {
  const workspace = pick(model.workspaces, actor.workspace);
  const live = workspace?.keys.filter(({ isRevoked }) => !isRevoked) ?? [];
  // Usually select a valid key, because a history of rejections tests little.
  const keys = actor.key % 8 === 0 || live.length === 0 ? workspace?.keys : live;
  const key = pick(keys ?? [], actor.key);
  if (workspace === null || key === null) throw new Error("a model without a workspace or a key");
  return { workspace, key };
}

/** Whether the key is valid. Requests with an invalid key return 401. */
export const isKeyAccepted = ({ workspace, key }: Chosen, nowMs: number): boolean =>
  !key.isRevoked && (workspace.expiresAtMs === null || nowMs < workspace.expiresAtMs);

/**
 * Sends a request that is safe to repeat. With a planned crash, the first attempt crashes, its response is lost, and
 * the request is sent again.
 */
export async function sendUntilAnswered(
  world: World,
  workspaceId: string,
  request: WorldRequest,
  crash: Crash | null,
): Promise<Reply> {
  if (crash !== null) {
    world.crash(crash);
    await world.request(request).catch((thrown: unknown) => {
      if (!(thrown instanceof InjectedFault)) throw thrown;
    });
    world.restart();
    await world.clearLock(workspaceId, request.headers?.["Idempotency-Key"] ?? "");
  }
  return world.request(request);
}

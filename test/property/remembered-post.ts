import { expect } from "vitest";
import type { Crash } from "../fault/gate.ts";
import type { Reply, World } from "../fault/world.ts";
import { type Chosen, isKeyAccepted, sendUntilAnswered } from "./command.ts";
import { isRefusedForMove } from "./move-commands.ts";

/** A POST request that requires an Idempotency-Key. */
export interface RememberedPost {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string;
  readonly crash: Crash | null;
}

/** The expected error of a new request; null if it succeeds. */
export type Refusal = { readonly status: number } | null;

/**
 * Sends the request and compares the response with the model: 401 for an invalid API key, the earlier result for a
 * replay, 409 for an Idempotency-Key of another request, the expected error, or else success. Returns the response only
 * if the request had a new effect; otherwise null.
 */
export async function postRemembered(
  world: World,
  chosen: Chosen,
  post: RememberedPost,
  refusal: Refusal,
  resourceIdOf: (reply: Reply) => string,
): Promise<Reply | null> {
  const { workspace, key } = chosen;
  const { path, body, idempotencyKey } = post;
  const reply = await sendUntilAnswered(
    world,
    workspace.workspaceId,
    { method: "POST", path, secret: key.secret, body, headers: { "Idempotency-Key": idempotencyKey } },
    post.crash,
  );
  const told = `${path}: ${JSON.stringify(reply.body)}`;
  if (!isKeyAccepted(chosen, world.nowMs)) {
    expect(reply.status, told).toBe(401);
    return null;
  }
  if (await isRefusedForMove(chosen, reply)) return null;
  const known = workspace.remembered.get(idempotencyKey);
  if (known !== undefined) {
    const isSame = known.path === path && JSON.stringify(known.body) === JSON.stringify(body);
    expect(reply.status, told).toBe(isSame ? 200 : 409);
    if (isSame) expect(resourceIdOf(reply), told).toBe(known.resourceId);
    return null;
  }
  if (refusal !== null) {
    expect(reply.status, told).toBe(refusal.status);
    return null;
  }
  expect([200, 201, 202], told).toContain(reply.status);
  workspace.remembered.set(idempotencyKey, { path, body, resourceId: resourceIdOf(reply) });
  return reply;
}

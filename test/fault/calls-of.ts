import { expect } from "vitest";
import { newId } from "#platform/ids.ts";
import type { World, WorldRequest } from "./world.ts";

/** Names of the calls that one request makes to bindings. Sorted, because some follow the answer in varying order. */
export async function callsOf(
  world: World,
  request: WorldRequest,
  status: number,
): Promise<readonly string[]> {
  const before = world.calls.length;
  expect((await world.request(request)).status).toBe(status);
  return world.calls.slice(before).toSorted();
}

export const get = (secret: string, path: string): WorldRequest => ({ method: "GET", path, secret });

export const post = (secret: string, path: string, body?: unknown): WorldRequest => ({
  method: "POST",
  path,
  secret,
  ...(body === undefined ? {} : { body }),
  headers: { "Idempotency-Key": newId() },
});

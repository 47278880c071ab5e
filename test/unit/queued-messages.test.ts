import { expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { readDeployed } from "../../scripts/measure/capacity/deployment.ts";

/** Guarantee: workspaces share as many messages as keep every consumer busy, and none waits behind more than that. */

it("the queue holds two messages for each of its consumers", async () => {
  const { consumers } = await readDeployed();
  expect(LIMITS.queuedMessagesMax).toBe(2 * consumers);
});

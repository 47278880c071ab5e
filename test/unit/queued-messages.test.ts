import { expect, it } from "vitest";
import { readDeployed } from "../../scripts/capacity/deployment.ts";
import { LIMITS } from "../../src/api/limits.ts";

/** Guarantee: workspaces share as many messages as keep every consumer busy, and none waits behind more than that. */

it("the queue holds two messages for each of its consumers", async () => {
  const { consumers } = await readDeployed();
  expect(LIMITS.queuedMessagesMax).toBe(2 * consumers);
});

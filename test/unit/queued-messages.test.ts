import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { inRoot } from "../../scripts/local/paths.ts";

/** Guarantee: workspaces share as many messages as keep every consumer busy, and none waits behind more than that. */

it("the queue holds two messages for each of its consumers", async () => {
  const configuration = await readFile(inRoot("wrangler.toml"), "utf8");
  const [, consumers] =
    /^queue = "creative-packs-render"\n(?:#.*\n)*max_concurrency = (\d+)$/m.exec(configuration) ?? [];
  expect(LIMITS.queuedMessagesMax).toBe(2 * Number(consumers));
});

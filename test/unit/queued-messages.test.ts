import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { inRoot } from "../../scripts/local/paths.ts";

/** Guarantee: workspaces share as many messages as keep every consumer busy, and none waits behind more than that. */

it.each(["render", "videos"])("the queues hold two messages for each consumer of %s", async (name) => {
  const configuration = await readFile(inRoot("wrangler.toml"), "utf8");
  const consumer = new RegExp(
    `^queue = "creative-packs-${name}"\\n(?:#.*\\n)*max_concurrency = (\\d+)$`,
    "m",
  );
  const [, consumers] = consumer.exec(configuration) ?? [];
  expect(LIMITS.queuedMessagesMax).toBe(2 * Number(consumers));
});

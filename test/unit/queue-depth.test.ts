import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { inRoot } from "../../scripts/local/paths.ts";

/**
 * The number of queued messages is limited: enough to keep every consumer busy, but no more, so that new jobs start
 * soon.
 */

it.each(["render", "videos"])("at most two messages are queued for each consumer of %s", async (name) => {
  const configuration = await readFile(inRoot("wrangler.toml"), "utf8");
  const consumer = new RegExp(
    `^queue = "creative-packs-${name}"\\n(?:#.*\\n)*max_concurrency = (\\d+)$`,
    "m",
  );
  const [, consumers] = consumer.exec(configuration) ?? [];
  expect(LIMITS.queuedMessagesMax).toBe(2 * Number(consumers));
});

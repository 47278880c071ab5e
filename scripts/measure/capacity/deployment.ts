import { z } from "zod";
import { Failure } from "../../local/failure.ts";
import { inRoot } from "../../local/paths.ts";
import { WRANGLER_ENVIRONMENT } from "../../local/tool.ts";

/** What is read of wrangler.toml. */
const configuration = z.object({
  queues: z.object({
    consumers: z.array(z.object({ queue: z.string(), max_concurrency: z.number().optional().nullable() })),
  }),
});

/** Consumers of the render queue in wrangler.toml. */
export async function readDeployed(): Promise<{ readonly consumers: number }> {
  Object.assign(process.env, WRANGLER_ENVIRONMENT);
  const { unstable_readConfig: readConfig } = await import("wrangler");
  const { queues } = configuration.parse(readConfig({ config: inRoot("wrangler.toml") }));
  const render = queues.consumers.find(({ queue }) => queue.endsWith("-render"));
  if (typeof render?.max_concurrency !== "number") {
    throw new Failure("wrangler.toml gives the render queue no max_concurrency.");
  }
  return { consumers: render.max_concurrency };
}

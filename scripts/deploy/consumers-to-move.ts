import { z } from "zod";
import { ask } from "./ask-wrangler.ts";
import type { Deployment } from "./deployment.ts";

/** What is read of a queue's consumers. The platform names a Worker by either. */
const CONSUMERS = z.array(z.object({ script: z.string().optional(), service: z.string().optional() }));

async function isOfRoutes({ workers: { routes } }: Deployment, queue: string): Promise<boolean> {
  const { isGood, stdout } = await ask(routes, "queues", "consumer", "list", queue, "--json");
  if (!isGood) return false;
  return CONSUMERS.parse(JSON.parse(stdout)).some(
    ({ script, service }) => (script ?? service) === routes.name,
  );
}

/**
 * The queues whose consumer is the Worker with the routes, as in a deployment that was one Worker. A queue has one consumer, so
 * they are taken from it first. Each question starts wrangler, so only the queue that is taken last is asked about as long as
 * there is nothing to move.
 */
export async function queuesToMove(deployment: Deployment): Promise<readonly string[]> {
  const [last, ...others] = deployment.consumed;
  if (last === undefined || !(await isOfRoutes(deployment, last))) return [];
  const queues: string[] = [];
  for (const queue of others) if (await isOfRoutes(deployment, queue)) queues.push(queue);
  return [...queues, last];
}

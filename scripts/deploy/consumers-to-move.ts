import { z } from "zod";
import { ask } from "./ask-wrangler.ts";
import type { Deployment } from "./deployment.ts";

/** The relevant part of a queue's consumers. Either member can contain the Worker's name. */
const CONSUMERS = z.array(z.object({ script: z.string().optional(), service: z.string().optional() }));

async function isOfRoutes({ workers: { routes } }: Deployment, queue: string): Promise<boolean> {
  const { isGood, stdout } = await ask(routes, "queues", "consumer", "list", queue, "--json");
  if (!isGood) return false;
  return CONSUMERS.parse(JSON.parse(stdout)).some(
    ({ script, service }) => (script ?? service) === routes.name,
  );
}

/**
 * Queues whose consumer is still the Worker with the routes, from an earlier deployment with a single Worker. A queue
 * has one consumer, so it must be removed before the second Worker can consume the queue. Each query starts wrangler,
 * so the queue that is moved last is queried first: if it has moved, so have the others.
 */
export async function queuesToMove(deployment: Deployment): Promise<readonly string[]> {
  const [last, ...others] = deployment.consumed;
  if (last === undefined || !(await isOfRoutes(deployment, last))) return [];
  const queues: string[] = [];
  for (const queue of others) if (await isOfRoutes(deployment, queue)) queues.push(queue);
  return [...queues, last];
}

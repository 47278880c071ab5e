import { env } from "cloudflare:workers";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { clientWithOwner, HOOK_URL, saved } from "./deliveries.ts";
import { acceptedJob } from "./jobs.ts";

/** Workspaces whose webhooks have waiting deliveries. */

/** A workspace with webhooks, and the job of their deliveries. */
export async function listening(destinations: number) {
  const sender = await clientWithOwner({ credits: 20 });
  const { client } = sender;
  const { jobId } = await acceptedJob(client);
  const destinationIds: string[] = [];
  for (let number = 0; number < destinations; number += 1) {
    const body = { kind: "webhook", url: `${HOOK_URL}&number=${number}`, events: ["job.canceled"] };
    destinationIds.push((await saved(sender, body)).destination.destinationId);
  }
  return { client, sender, jobId, workspaceId: client.workspaceId, destinationIds };
}

/** Inserts waiting deliveries of a destination, due since `sinceMs` ago, as the triggers do. */
export async function insertWaitingDeliveries(
  { workspaceId, jobId }: { readonly workspaceId: string; readonly jobId: string },
  destinationId: string,
  count: number,
  sinceMs: number,
): Promise<readonly string[]> {
  const deliveryIds = Array.from({ length: count }, newId);
  await env.DB.prepare(
    `INSERT INTO deliveries (delivery_id, workspace_id, destination_id, event_type, reference, job_id, status,
       next_attempt_at, created_at)
     SELECT value, ?2, ?3, 'job.canceled', value, ?4, 'queued', ?5 + key, ?5 FROM json_each(?1)`,
  )
    .bind(JSON.stringify(deliveryIds), workspaceId, destinationId, jobId, clock.now() - sinceMs)
    .run();
  return deliveryIds;
}

import type { Job } from "../../index.ts";
import { type Context, connect } from "../context.ts";
import { columns } from "../terminal.ts";

/** Lists the newest orders. */
export async function jobs(context: Context, count: number): Promise<void> {
  const client = await connect(context);
  const found: Job[] = [];
  const list = client.jobs.list({ limit: Math.min(count, 100) }, { signal: context.signal });
  for await (const job of list) {
    found.push(job);
    if (found.length >= count) break;
  }
  if (context.terminal.isJson) {
    for (const job of found) context.terminal.result(job, []);
    return;
  }
  const { faint } = context.terminal.paint;
  const rows = found.map((job) => [
    job.jobId,
    job.status,
    `${job.selectedSizeIds.length} ${job.selectedSizeIds.length === 1 ? "size" : "sizes"}`,
    `${job.expectedCost.amount} cr`,
    job.createdAt.slice(0, 16).replace("T", " "),
    job.name ?? job.copy.headline ?? "",
  ]);
  context.terminal.result(found, rows.length === 0 ? [faint("No orders yet.")] : columns(rows));
}

/** Cancels a queued order. */
export async function cancel(context: Context, jobId: string): Promise<void> {
  const client = await connect(context);
  const job = await client.jobs.cancel(jobId, { signal: context.signal });
  context.terminal.result(job, [`${jobId} is canceled; ${job.expectedCost.amount} credits were refunded.`]);
}

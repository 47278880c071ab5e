import type { CreatePack, CreativePacks, Job } from "../../sdk/src/index.ts";

/** Asking often: nothing is added to what a pack takes. */
const POLL_MS = 20;

/** Creates a job and waits for its success; its failure ends the case. */
export async function drawJob(
  client: CreativePacks,
  request: CreatePack,
  pollMs: number = POLL_MS,
): Promise<Job> {
  const pack = await client.packs.create(request);
  return (await pack.wait({ pollMs, signal: AbortSignal.timeout(WAIT_MS_MAX) })).job;
}

/** Beyond this something hangs. */
const WAIT_MS_MAX = 300_000;

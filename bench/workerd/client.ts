import { type CreatePack, CreativePacks, type Job, type SlotId } from "../../sdk/src/index.ts";

/** Timeout for a request or a pack that hangs. */
const WAIT_MS_MAX = 300_000;
/** Short, so that polling adds nothing to a pack's time. */
const POLL_MS = 20;

/** A client of the measured service, without retries, which would distort the measurement. */
export const openClient = (baseUrl: string, apiKey: string): CreativePacks =>
  new CreativePacks({ baseUrl, apiKey, maxRetries: 0, timeoutMs: WAIT_MS_MAX });

/** Uploads a file, even if its bytes are already stored. Returns the id of the ready asset. */
export async function uploadAsset(
  client: CreativePacks,
  slot: SlotId,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const { assetId } = await client.assets.upload(bytes, { slot, again: true });
  return assetId;
}

/** Creates a job and waits for its success. Throws if it fails. */
export async function drawJob(client: CreativePacks, request: CreatePack): Promise<Job> {
  const pack = await client.packs.create(request);
  return (await pack.wait({ pollMs: POLL_MS, signal: AbortSignal.timeout(WAIT_MS_MAX) })).job;
}

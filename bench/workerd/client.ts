import { type CreatePack, CreativePacks, type Job, type SlotId } from "../../sdk/src/index.ts";

/** Beyond this something hangs. */
const WAIT_MS_MAX = 300_000;
/** Asking often: nothing is added to what a pack takes. */
const POLL_MS = 20;

/** A client of a service that is measured. What fails ends the case: a second try would be measured with the first. */
export const openClient = (baseUrl: string, apiKey: string): CreativePacks =>
  new CreativePacks({ baseUrl, apiKey, maxRetries: 0, timeoutMs: WAIT_MS_MAX });

/** Uploads a file, even where its bytes are known already. Returns the id of the ready asset. */
export async function uploadAsset(
  client: CreativePacks,
  slot: SlotId,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const { assetId } = await client.assets.upload(bytes, { slot, again: true });
  return assetId;
}

/** Creates a job and waits for its success; its failure ends the case. */
export async function drawJob(client: CreativePacks, request: CreatePack): Promise<Job> {
  const pack = await client.packs.create(request);
  return (await pack.wait({ pollMs: POLL_MS, signal: AbortSignal.timeout(WAIT_MS_MAX) })).job;
}

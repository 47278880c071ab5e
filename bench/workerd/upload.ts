import type { CreativePacks, SlotId } from "../../sdk/src/index.ts";

/** Uploads a file, even where its bytes are known already. Returns the id of the ready asset. */
export async function uploadAsset(
  client: CreativePacks,
  slot: SlotId,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const { assetId } = await client.assets.upload(bytes, { slot, again: true });
  return assetId;
}

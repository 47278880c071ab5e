import { freeBytes } from "../buffers.ts";
import type { PackAsset, RenderFailure, Result, VisualSlot } from "../types.ts";

/** Passes an asset's bytes to `read`. Bytes that had to be fetched are freed afterwards. Throws what `load` throws. */
export async function withBytes<T>(
  asset: PackAsset,
  read: (bytes: Uint8Array) => Promise<Result<T>>,
): Promise<Result<T>> {
  if ("bytes" in asset) return read(asset.bytes);
  const loaded = await asset.load();
  if (!loaded.ok) return loaded;
  try {
    return await read(loaded.value);
  } finally {
    freeBytes(loaded.value);
  }
}

/** The failure of a file that cannot be read, with its slot. */
export const unreadable = (slot: VisualSlot, reason: string): RenderFailure => ({
  ok: false,
  code: "ASSET_UNREADABLE",
  message: `The ${slot} picture cannot be read: ${reason}`,
});

/** A failure under its own code, with the slot that holds the file. */
export const inSlot = (slot: VisualSlot, failure: RenderFailure): RenderFailure => ({
  ...failure,
  message: unreadable(slot, failure.message).message,
});

import type { PackAsset, RenderFailure, Result, VisualSlot } from "../types.ts";

/** The bytes of an asset, fetched now where they are not at hand. Throws when the source of them does. */
export const bytesOf = async (asset: PackAsset): Promise<Result<Uint8Array>> =>
  "bytes" in asset ? { ok: true, value: asset.bytes } : asset.load();

/** Says which slot holds the file that cannot be read. */
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

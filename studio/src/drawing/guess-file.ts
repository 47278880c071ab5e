import { describeForeignType, findForeignType } from "creative-packs-service/renderer/foreign-type";
import type { MimeType, SlotId } from "creative-packs-service/slots";
import { SNIFFED_BYTES, sniffType } from "creative-packs-service/sniff-type";
import { faultOf } from "./faults.ts";
import { guessSlot } from "./guess-slot.ts";
import type { FileGuess, PictureFacts, WallAsset, WallResult } from "./types.ts";

/** Decodes a file as that slot's, and tells what it shows. */
export type Examine = (slot: "media" | "logo", asset: WallAsset) => Promise<WallResult<PictureFacts>>;

/** What a dropped file is, and the slot that it seems meant for. The name and the type that the system gives are not asked. */
export async function guessFile(
  file: Blob,
  filled: readonly SlotId[],
  examine: Examine,
): Promise<WallResult<FileGuess>> {
  let head: Uint8Array;
  try {
    head = new Uint8Array(await file.slice(0, SNIFFED_BYTES).arrayBuffer());
  } catch (cause) {
    return { ok: false, fault: faultOf("FILE_UNREADABLE", `The file cannot be read: ${String(cause)}`) };
  }
  if (head.length === 0) return { ok: false, fault: faultOf("EMPTY", "The file is empty.") };
  const mimeType = sniffType(head);
  if (mimeType === null) {
    const foreign = findForeignType(head);
    const message =
      foreign === null
        ? "The file is none that a pack is made of: PNG, JPEG, WebP, SVG, OTF or TTF."
        : describeForeignType(foreign);
    return { ok: false, fault: faultOf("UNSUPPORTED", message) };
  }
  if (isFont(mimeType)) return { ok: true, value: { mimeType, facts: null, slot: "font" } };
  const asset: WallAsset = { id: "guess", mimeType, file };
  const examined = await examine(mimeType === "image/svg+xml" ? "logo" : "media", asset);
  if (!examined.ok) return examined;
  return { ok: true, value: { mimeType, facts: examined.value, slot: guessSlot(examined.value, filled) } };
}

const isFont = (mimeType: MimeType): boolean => mimeType === "font/otf" || mimeType === "font/ttf";

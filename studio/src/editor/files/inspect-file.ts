import { knownOther, mediaTypeOf, type PixelSize, pixelSizeOf, sha256Hex } from "creative-packs/internal";
import { LIMITS } from "creative-packs-service/limits";
import { findSizeExcess } from "creative-packs-service/renderer/size-limit";
import type { DraftFile } from "../draft/draft.ts";
import type { KeptFile } from "../draft/kept-draft.ts";
import { coloursOf, isCutOut } from "./picture-pixels.ts";
import { showSmall } from "./small-picture.ts";

/** Why a file is not taken, before anything of it is sent. */
export type FileFault =
  | { readonly code: "empty" | "unreadable" | "damaged" }
  | { readonly code: "tooManyBytes"; readonly bytesMax: number }
  | { readonly code: "tooManyPixels"; readonly megapixelsMax: number; readonly largest: PixelSize }
  /** `kind`: what it seems to be, as "PDF"; null where nothing is known of it. */
  | { readonly code: "notTaken"; readonly kind: string | null };

export type Inspected =
  | { readonly ok: true; readonly file: DraftFile; readonly kept: KeptFile }
  | { readonly ok: false; readonly fault: FileFault };

const refuse = (fault: FileFault): Inspected => ({ ok: false, fault });

/** A photo that is known to be taken, before anything was looked at of what it shows. Its edges may still be turned. */
export interface KnownPhoto extends Pick<DraftFile, "sha256" | "mimeType" | "width" | "height"> {
  readonly bytes: Blob;
}

/**
 * Reads a file that somebody gives: what it is by its bytes, how large it is, its colours, and a small picture of it.
 * `onPhoto` hears first of a JPEG, which is never cut out.
 */
export async function inspectFile(
  given: Blob,
  name: string,
  onPhoto: (photo: KnownPhoto) => void = () => {},
): Promise<Inspected> {
  if (given.size === 0) return refuse({ code: "empty" });
  if (given.size > LIMITS.uploadBytesMax)
    return refuse({ code: "tooManyBytes", bytesMax: LIMITS.uploadBytesMax });
  const bytes = await readBytes(given);
  if (bytes === null) return refuse({ code: "unreadable" });
  const mimeType = mediaTypeOf(bytes);
  if (mimeType === null) return refuse({ code: "notTaken", kind: knownOther(bytes) });

  const stored = pixelSizeOf(bytes, mimeType);
  const isRaster = mimeType.startsWith("image/") && mimeType !== "image/svg+xml";
  if (isRaster && stored === null) return refuse({ code: "damaged" });
  const excess = stored === null ? null : findSizeExcess(stored.width, stored.height)?.excess;
  if (excess) {
    const { limit, largest } = excess;
    return refuse({ code: "tooManyPixels", megapixelsMax: limit / 1_000_000, largest });
  }
  // A copy of the bytes: the file itself may be moved or changed while the draft is kept.
  const copy = new Blob([bytes], { type: mimeType });
  const hashing = sha256Hex(bytes).then((sha256) => {
    if (mimeType === "image/jpeg" && stored !== null) onPhoto({ sha256, mimeType, ...stored, bytes: copy });
    return sha256;
  });
  const [sha256, small] = await Promise.all([
    hashing,
    mimeType.startsWith("image/") ? showSmall(copy) : null,
  ]);
  const isTurned =
    stored !== null && small !== null && stored.width > stored.height !== small.width > small.height;
  const size = stored ?? small;
  return {
    ok: true,
    file: {
      sha256,
      name,
      mimeType,
      byteLength: bytes.byteLength,
      width: (isTurned ? size?.height : size?.width) ?? null,
      height: (isTurned ? size?.width : size?.height) ?? null,
      isCutOut: small !== null && isCutOut(small.pixels),
      colours: small === null ? [] : coloursOf(small.pixels),
    },
    kept: { bytes: copy, thumbnail: small?.picture ?? null },
  };
}

/** Null where the browser cannot read the file: moved or changed since it was chosen, or a folder. */
async function readBytes(given: Blob): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return new Uint8Array(await given.arrayBuffer());
  } catch {
    return null;
  }
}

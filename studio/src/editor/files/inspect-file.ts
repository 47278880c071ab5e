import { knownOther, mediaTypeOf, type PixelSize, pixelSizeOf, sha256Hex } from "creative-packs/internal";
import { LIMITS } from "creative-packs-service/limits";
import { findSizeExcess, REDUCIBLE_PX_MAX } from "creative-packs-service/renderer/size-limit";
import type { DraftFile, FileNote } from "../draft/draft.ts";
import type { StoredFile } from "../draft/draft-storage.ts";
import { type Convert, type Convertible, convertedName, isConvertible } from "./convert-file.ts";
import { hasLiveText } from "./live-text.ts";
import { coloursOf, isCutOut } from "./picture-pixels.ts";
import { showSmall } from "./small-picture.ts";

/** Reason why a file is rejected before its upload. */
export type FileFault =
  | { readonly code: "empty" | "unreadable" | "damaged" | "liveText" }
  | { readonly code: "tooManyBytes"; readonly bytesMax: number }
  | { readonly code: "tooManyPixels"; readonly megapixelsMax: number; readonly largest: PixelSize }
  /** `kind`: detected type, such as "PDF"; null if unknown. */
  | { readonly code: "notTaken"; readonly kind: string | null };

export type Inspected =
  | { readonly ok: true; readonly file: DraftFile; readonly kept: StoredFile }
  | { readonly ok: false; readonly fault: FileFault };

const refuse = (fault: FileFault): Inspected => ({ ok: false, fault });

/** An accepted photo whose content was not analysed yet. Width and height ignore its EXIF orientation. */
export interface KnownPhoto extends Pick<DraftFile, "sha256" | "mimeType" | "width" | "height"> {
  readonly bytes: Blob;
}

/** Larger files are rejected without reading them. No camera writes such files. */
const READ_BYTES_MAX = 200 * 1_048_576;

/**
 * Reads a file's type (from its bytes), size, colours and thumbnail. Converts files that no slot accepts, if possible.
 * Calls `onPhoto` early if the file is a JPEG, since a JPEG is never a cut-out.
 */
export async function inspectFile(
  given: Blob,
  name: string,
  convert: Convert,
  onPhoto: (photo: KnownPhoto) => void = () => {},
): Promise<Inspected> {
  if (given.size === 0) return refuse({ code: "empty" });
  const isTooLong = refuse({ code: "tooManyBytes", bytesMax: LIMITS.uploadBytesMax });
  if (given.size > READ_BYTES_MAX) return isTooLong;
  // Folders cannot be read, nor files that were moved or changed since they were chosen.
  const buffer = await given.arrayBuffer().catch(() => null);
  if (buffer === null) return refuse({ code: "unreadable" });
  const bytes = new Uint8Array(buffer);
  const inspectConverted = async (
    what: Convertible,
    noteOf: (made: DraftFile) => FileNote,
  ): Promise<Inspected | null> => {
    const made = await convert(new Blob([bytes]), what);
    const inspected = made && (await inspectFile(made, name, convert, onPhoto));
    if (!inspected?.ok) return inspected;
    const { file, kept } = inspected;
    const notes = [noteOf(file), ...(file.notes ?? [])];
    return { ok: true, file: { ...file, name: convertedName(name, file.mimeType), notes }, kept };
  };
  const mimeType = mediaTypeOf(bytes);
  if (mimeType === null) {
    const kind = knownOther(bytes);
    const converted = isConvertible(kind)
      ? await inspectConverted(kind, () => ({ kind: "converted", from: kind }))
      : null;
    return converted ?? refuse({ code: "notTaken", kind });
  }
  if (mimeType === "image/svg+xml" && hasLiveText(bytes)) return refuse({ code: "liveText" });

  const stored = pixelSizeOf(bytes, mimeType);
  const isRaster = mimeType.startsWith("image/") && mimeType !== "image/svg+xml";
  if (isRaster && stored === null) return refuse({ code: "damaged" });
  const excess = stored === null ? null : findSizeExcess(stored.width, stored.height)?.excess;
  if (excess) {
    const { pixels, limit, largest } = excess;
    const noteOf = ({ width, height }: DraftFile): FileNote => ({
      kind: "reduced",
      from: Math.round(pixels / 1_000_000),
      to: Math.max(1, Math.round(((width ?? 0) * (height ?? 0)) / 1_000_000)),
    });
    const reduced = pixels <= REDUCIBLE_PX_MAX ? await inspectConverted("large", noteOf) : null;
    return reduced ?? refuse({ code: "tooManyPixels", megapixelsMax: limit / 1_000_000, largest });
  }
  if (given.size > LIMITS.uploadBytesMax) return isTooLong;
  // Store a copy of the bytes, because the file itself may be moved or changed later.
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

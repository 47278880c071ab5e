import { readAll } from "#platform/bytes/read-all.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import {
  type AssetSource,
  isImageType,
  type PackInputs,
  type RenderFailure,
  type Result,
  VISUAL_SLOTS,
  type VisualSlot,
} from "#renderer/index.ts";
import { renditionCache } from "../assets/rendition-cache.ts";
import type { JobInput, JobInputs, JobPlan } from "./job.ts";

const unavailable = (slotId: string): RenderFailure => ({
  ok: false,
  code: "ASSET_UNAVAILABLE",
  message: `The file of the asset in \`${slotId}\` is no longer stored as it was. Upload it again.`,
});

/** Bytes of one slot; their hash must match the one stored with the job. */
async function loadBytes(bucket: R2Bucket, slotId: string, input: JobInput): Promise<Result<Uint8Array>> {
  const object = await bucket.get(input.objectKey);
  if (object === null) return unavailable(slotId);
  const bytes = await readAll(object.body, object.size);
  return (await sha256Hex(bytes)) === input.sha256 ? { ok: true, value: bytes } : unavailable(slotId);
}

/**
 * Everything that the renderer needs for a plan. Pictures load lazily, one at a time, because two uploads of the
 * largest size would fill half of an isolate. A missing or altered file is a permanent failure, which for a picture is
 * detected only when it is loaded.
 */
export async function loadInputs(
  bucket: R2Bucket,
  {
    copy,
    brand,
    buttonStyle,
    look,
    placements,
  }: Pick<JobPlan, "copy" | "brand" | "buttonStyle" | "look" | "placements">,
  inputs: JobInputs,
): Promise<Result<PackInputs>> {
  const assets: { [slot in VisualSlot | "logoOnDark"]?: AssetSource } = {};
  for (const slotId of [...VISUAL_SLOTS, "logoOnDark"] as const) {
    const input = inputs[slotId];
    if (input === undefined) continue;
    const { mimeType } = input;
    if (!isImageType(mimeType)) return unavailable(slotId);
    assets[slotId] = {
      mimeType,
      load: () => loadBytes(bucket, slotId, input),
      renditions: renditionCache(bucket, input),
    };
  }
  const fonts: { font: Uint8Array | null; textFont: Uint8Array | null } = { font: null, textFont: null };
  for (const name of ["font", "textFont"] as const) {
    const input = inputs[name];
    const loaded = input === undefined ? null : await loadBytes(bucket, name, input);
    if (loaded !== null && !loaded.ok) return loaded;
    fonts[name] = loaded?.value ?? null;
  }
  const design = { copy, brand, look, placements, ...(buttonStyle !== null && { buttonStyle }) };
  return { ok: true, value: { assets, ...fonts, ...design } };
}

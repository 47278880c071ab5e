import { sha256Hex } from "../platform/hashing.ts";
import type { ImageType, PackInputs, VisualSlot } from "../renderer/index.ts";
import type { Failure } from "./fail-job.ts";
import type { JobInput, JobInputs, JobPlan } from "./job.ts";

const VISUAL_SLOTS = [
  "logo",
  "background",
  "media",
  "secondaryMedia",
  "product",
  "person",
  "device",
] as const satisfies readonly VisualSlot[];

const IMAGE_TYPES: readonly ImageType[] = ["image/png", "image/jpeg", "image/webp", "image/svg+xml"];
const isImageType = (mimeType: string): mimeType is ImageType =>
  IMAGE_TYPES.some((imageType) => imageType === mimeType);

type Loaded<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & Failure);

const unavailable = (slotId: string): Loaded<never> => ({
  ok: false,
  code: "ASSET_UNAVAILABLE",
  message: `The file of the asset in \`${slotId}\` is no longer stored as it was. Upload it again.`,
});

/** Bytes of one slot, which must still hash to what the job was created with. */
async function loadBytes(bucket: R2Bucket, slotId: string, input: JobInput): Promise<Loaded<Uint8Array>> {
  const object = await bucket.get(input.objectKey);
  if (object === null) return unavailable(slotId);
  const bytes = await object.bytes();
  return (await sha256Hex(bytes)) === input.sha256 ? { ok: true, value: bytes } : unavailable(slotId);
}

/** Everything the renderer draws a plan from. A file that is gone or altered is a permanent failure. */
export async function loadInputs(
  bucket: R2Bucket,
  { copy, brand }: Pick<JobPlan, "copy" | "brand">,
  inputs: JobInputs,
): Promise<Loaded<PackInputs>> {
  const assets: { [slot in VisualSlot]?: PackInputs["assets"][slot] } = {};
  for (const slotId of VISUAL_SLOTS) {
    const input = inputs[slotId];
    if (input === undefined) continue;
    if (!isImageType(input.mimeType)) return unavailable(slotId);
    const loaded = await loadBytes(bucket, slotId, input);
    if (!loaded.ok) return loaded;
    assets[slotId] = { bytes: loaded.value, mimeType: input.mimeType };
  }
  const font = inputs.font === undefined ? null : await loadBytes(bucket, "font", inputs.font);
  if (font !== null && !font.ok) return font;
  return { ok: true, value: { assets, font: font?.value ?? null, copy, brand } };
}

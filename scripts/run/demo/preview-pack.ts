import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { styleText } from "node:util";
import type { CreatePack, CreativePacks, Preview } from "../../../sdk/src/index.ts";
import { Failure } from "../../local/failure.ts";
import { formatBytes } from "./figures.ts";

export const PREVIEW_FILE_NAME = "preview.png";

/** A preview as it was fetched, its picture saved as `preview.png`. */
export interface SavedPreview {
  readonly sizeId: string;
  readonly preview: Preview;
}

/** What the output would be if it were bought now, in a few words. */
export function describePrediction({ predicted }: Preview): string {
  if (predicted === null) return "not made: no byte cap is published, or the file is a large one";
  if (predicted.failure !== null) return `could not be made: ${predicted.failure.message}`;
  const { byteLength, compliance, outputFormat } = predicted;
  const cap = compliance?.byteCap ?? null;
  const budget = cap === null ? "" : ` of ${formatBytes(cap)}`;
  return `as ${outputFormat} ${formatBytes(byteLength ?? 0)}${budget}, ${compliance?.verdict}`;
}

/** Looks at one size of a pack before anything is paid, and saves what it sees. */
export async function previewPack(
  client: CreativePacks,
  request: CreatePack,
  outputFolder: string,
): Promise<SavedPreview> {
  const before = await client.previews.quota();
  const preview = await client.previews.create(request);
  const bytes = Buffer.from(preview.image.base64, "base64");
  if (createHash("sha256").update(bytes).digest("hex") !== preview.image.sha256) {
    throw new Failure("The preview does not have the bytes that it promises.");
  }
  await writeFile(join(outputFolder, PREVIEW_FILE_NAME), bytes);
  const [sizeId = ""] = request.selectedSizeIds;
  const { width, height } = preview.image;
  const allowance = `${before.product.remaining} previews left before, ${preview.quota.product.remaining} after`;
  console.log(
    `${styleText("green", "✓")} preview of ${sizeId}: ${width}×${height}, ${preview.protection}; ${allowance}; no credits`,
  );
  console.log(`  predicted ${describePrediction(preview)}  → demo-output/${PREVIEW_FILE_NAME}`);
  return { sizeId, preview };
}

import { writeFile } from "node:fs/promises";
import sharp from "sharp";
import { Failure } from "../../local/failure.ts";

/** Maximum bytes of an image in the documents. */
const BYTES_MAX = 200_000;
const QUALITIES = [86, 78, 70, 60];

/** Writes a screenshot as a WebP within that limit. Throws a `Failure` if none fits. */
export async function savePicture(screenshot: Buffer, path: string): Promise<void> {
  for (const quality of QUALITIES) {
    const bytes = await sharp(screenshot).webp({ quality, effort: 6 }).toBuffer();
    if (bytes.length <= BYTES_MAX) return writeFile(path, bytes);
  }
  throw new Failure(`${path} would have more than ${BYTES_MAX} bytes.`);
}

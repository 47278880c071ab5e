import { readFileSync, writeFileSync } from "node:fs";
import sharp, { type GifOptions } from "sharp";
import type { FramesOnDisk } from "./animation.ts";

/** A process that writes GIFs with sharp on one thread; see task-process.ts. */

sharp.concurrency(1);
sharp.cache(false);

export interface SharpGifTask {
  readonly frames: FramesOnDisk;
  readonly options: Pick<GifOptions, "colours" | "dither" | "interFrameMaxError" | "effort">;
  readonly outputPath: string;
}

async function write({ frames, options, outputPath }: SharpGifTask): Promise<void> {
  const { width, height, delaysMs, path } = frames;
  const pixels = readFileSync(path);
  const raw = { width, height: height * delaysMs.length, channels: 4, pageHeight: height } as const;
  const file = await sharp(pixels, { raw })
    .gif({ ...options, delay: [...delaysMs], loop: 3 })
    .toBuffer();
  writeFileSync(outputPath, file);
}

process.on("message", (task: SharpGifTask) => {
  write(task).then(
    () => process.send?.({}),
    (thrown: unknown) => process.send?.({ failure: String(thrown) }),
  );
});

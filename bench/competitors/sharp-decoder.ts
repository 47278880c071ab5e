import { readFileSync } from "node:fs";
import sharp from "sharp";

/** A process that decodes with sharp on one thread, shrinking on load if the format allows; see task-process.ts. */

sharp.concurrency(1);
sharp.cache(false);

export interface SharpDecodeTask {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly times: number;
}

async function decode({ path, width, height, times }: SharpDecodeTask): Promise<void> {
  const bytes = readFileSync(path);
  for (let time = 0; time < times; time += 1) await sharp(bytes).resize(width, height).raw().toBuffer();
}

process.on("message", (task: SharpDecodeTask) => {
  decode(task).then(
    () => process.send?.({}),
    (thrown: unknown) => process.send?.({ failure: String(thrown) }),
  );
});

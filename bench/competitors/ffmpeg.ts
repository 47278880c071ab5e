import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { FramesOnDisk } from "./animation.ts";

const PATHS = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg"];

export const findFfmpeg = (): string | null => PATHS.find((path) => existsSync(path)) ?? null;

export interface FfmpegGifOptions {
  readonly colours: number;
  /** As its filter `paletteuse` takes it: `bayer:bayer_scale=3`. */
  readonly dither: string;
}

/** Writes a GIF with a palette made for its frames, on one thread. The last frame's longer time is not its to write. */
export function writeFfmpegGif(
  program: string,
  { path, width, height, delaysMs }: FramesOnDisk,
  { colours, dither }: FfmpegGifOptions,
  outputPath: string,
): Promise<void> {
  const rate = 1000 / (delaysMs[0] ?? 1000);
  const filter = `split[a][b];[a]palettegen=max_colors=${colours}[p];[b][p]paletteuse=dither=${dither}:diff_mode=rectangle`;
  const child = spawn(
    program,
    [
      "-hide_banner",
      "-loglevel",
      "error",
      "-y",
      "-threads",
      "1",
      "-filter_threads",
      "1",
      "-f",
      "rawvideo",
      "-pix_fmt",
      "rgba",
      "-s",
      `${width}x${height}`,
      "-r",
      String(rate),
      "-i",
      path,
      "-filter_complex",
      filter,
      "-loop",
      "2",
      outputPath,
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`ffmpeg ended with ${code}`))));
  });
}
